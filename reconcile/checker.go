package reconcile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

const atOnce = 50

// Checker reads open payments back from their providers.
type Checker struct {
	DB        *store.DB
	Providers map[string]payment.Fetcher
	// Quiet is how long a payment has to be silent before it is asked about: longer
	// than a provider's first repeats, shorter than a buyer's patience. A zero is asked
	// at every pass.
	Quiet  time.Duration
	Booked func() // called after a commit that may have made jobs due; must not block
	Log    *slog.Logger
}

// RunOnce asks about the open payments that have been silent, about the paid ones
// whose risk assessment ran out before the delivery, and once more about those of
// which a refund or a dispute was told, and returns how many it asked about. A provider
// that refuses our credentials isn't asked again in this pass: the next question would
// be refused as well. Those of the others are.
func (c *Checker) RunOnce(ctx context.Context) (int, error) {
	quiet := int64(c.Quiet.Seconds())
	silent, err := c.DB.ListSilentPayments(ctx, quiet, atOnce)
	if err != nil {
		return 0, err
	}
	outdated, err := c.DB.ListOutdatedPayments(ctx, quiet, atOnce)
	if err != nil {
		return 0, err
	}
	told, err := c.DB.ListToldPayments(ctx, quiet, atOnce)
	if err != nil {
		return 0, err
	}
	due := slices.Concat(silent, outdated, told)
	refused := map[string]error{}
	for i, p := range due {
		err := c.check(ctx, p, refused[p.Provider] == nil)
		switch {
		case errors.Is(err, payment.ErrUnauthorised):
			refused[p.Provider] = err
		case err != nil:
			return i, errors.Join(append(slices.Collect(maps.Values(refused)), err)...)
		}
	}
	return len(due), errors.Join(slices.Collect(maps.Values(refused))...)
}

// check asks about one payment, or only notes its turn.
func (c *Checker) check(ctx context.Context, p db.Payment, ask bool) error {
	// Noted first: a payment that can't be read mustn't keep the others waiting.
	mine, err := c.DB.MarkPaymentChecked(ctx, p.ID, p.CheckedAt)
	if err != nil || mine == 0 {
		return err // no row: another instance is asking
	}
	provider, ok := c.Providers[p.Provider]
	if !ok || !ask {
		return nil
	}
	var out checkout.Outcome
	q := checkout.Question{Provider: p.Provider, Ref: store.Deref(p.ProviderRef), Counted: p.ProviderRevision.Sign() > 0}
	err = checkout.Refresh(ctx, c.DB, q, provider, func(s payment.Snapshot, seen checkout.Seen) error {
		return c.DB.InTx(ctx, func(tx *store.Tx) (err error) {
			out, err = checkout.ApplyTx(ctx, tx, checkout.Application{
				Provider: p.Provider, Snapshot: s, Source: store.FromReconcile, Actor: "reconcile", Seen: seen,
			})
			if err != nil || p.ToldAt == nil {
				return err
			}
			return tx.ForgetPaymentTold(ctx, p.ID, p.ToldAt)
		})
	})
	switch {
	case errors.Is(err, payment.ErrUnauthorised):
		return fmt.Errorf("ask %s: %w", p.Provider, err)
	case errors.Is(err, payment.ErrNotFound):
		c.Log.Info("the provider knows nothing of a payment yet", "provider", p.Provider, "payment", p.ID)
		return nil
	case errors.Is(err, payment.ErrLater) || errors.Is(err, payment.ErrRefused):
		c.Log.Warn("payment not read back", "provider", p.Provider, "payment", p.ID, "error", err)
		return nil
	case err != nil:
		return err
	}
	switch out.Verdict {
	case payment.Applied:
		c.Log.Info("repaired from the provider's record", "order", out.Order.Number, "revision", out.Order.Revision)
	case payment.NeedsReview:
		c.Log.Warn("the provider's record needs a person", "order", out.Order.Number, "reason", out.Reason)
	}
	if out.Booked && c.Booked != nil {
		c.Booked()
	}
	return nil
}
