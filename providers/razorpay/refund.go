package razorpay

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/providers/call"
)

// maxReason is as many bytes as a note has characters at most.
const maxReason = 255

// Refund gives amount of a payment back, from the oldest attempt that has so much
// left: one page can have been paid twice. The same key again refunds nothing more.
// Razorpay knows a key only together with the attempt it was for, and the attempt
// may have nothing left after the first request, so the key is written into the
// refund's notes as well and looked for there before anything is sent.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, amount payment.Amount, reason string) error {
	const what = "refund a payment"
	if idempotencyKey == "" {
		return a.api.Refused(what, "the idempotency key is empty")
	}
	p, err := a.find(ctx, what, ref)
	if err != nil {
		return err
	}
	asked, err := theirs(payment.Money{Amount: amount, Currency: p.currency})
	if err != nil {
		return a.api.Refused(what, err.Error())
	}
	key := headerKey(idempotencyKey)
	attempt, done, err := a.refundable(ctx, what, p, asked, key)
	if err != nil || done {
		return err
	}
	note := map[string]string{refundKeyNote: key}
	if reason != "" {
		note["reason"] = ellipsis.Shorten(reason, maxReason)
	}
	path := "/payments/" + url.PathEscape(string(attempt.id)) + "/refund"
	var r refundEntity
	err = a.api.PostKeyed(ctx, call.Request{What: what, Path: path, NamesPayment: true}, key,
		map[string]any{"amount": jsontext.Value(asked.String()), "notes": note}, whole{&r})
	switch {
	case err != nil:
		return err
	case r.paymentID != attempt.id || !r.amount.Equal(asked):
		return a.api.Unreadable(what, "is about another payment or amount")
	case r.status.S == "failed":
		return a.api.Refused(what, "the refund has failed")
	}
	return nil
}

// refundable chooses the attempt, or tells that the key has done its work already.
func (a *Adapter) refundable(ctx context.Context, what string, p *page, amount payment.Amount, key string) (chosen *paymentEntity, done bool, err error) {
	captured := p.captured()
	slices.SortFunc(captured, func(a, b paymentEntity) int {
		return cmp.Or(a.createdAt.Compare(b.createdAt.Time), cmp.Compare(a.id, b.id))
	})
	for i, attempt := range captured {
		refunds, err := a.refunds(ctx, what, attempt)
		if err != nil {
			return nil, false, err
		}
		left := attempt.amount.Amount
		for _, r := range refunds {
			failed := r.status.S == "failed"
			switch {
			case string(r.notes.refundKey) == key && failed:
				return nil, false, a.api.Refused(what, "the refund under this key has failed")
			case string(r.notes.refundKey) == key:
				return nil, true, nil
			case !failed:
				left = left.Sub(r.amount.Amount)
			}
		}
		if chosen == nil && attempt.currency.S == p.currency && left.Cmp(amount) >= 0 {
			chosen = &captured[i]
		}
	}
	if chosen == nil {
		return nil, false, a.api.Refused(what, "no captured payment has so much left")
	}
	return chosen, false, nil
}

// headerKey turns any key into letters, digits, hyphens and underscores.
func headerKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
