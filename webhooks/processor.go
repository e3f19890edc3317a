package webhooks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"golang.org/x/sync/errgroup"

	"onceshop/checkout"
	"onceshop/lease"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

const (
	claimed = 16 // events that one pass takes, and works on at once
	// waitForOrder is how often an event is tried before the order that it names
	// counts as not ours: an order is committed before its payment is asked for,
	// so only a restored or lagging database can be behind.
	waitForOrder = 4
	// waitForRecord is how often a record is asked for that doesn't show the money yet
	// which an event has announced.
	waitForRecord = 4
)

// Processor turns stored events into applied snapshots.
type Processor struct {
	DB        *store.DB
	Queue     *lease.Queue // store.DB.Events
	Providers map[string]payment.Fetcher
	Folders   map[string]payment.Folder // of the providers that can't be asked
	Booked    func()                    // called after a commit that may have made jobs due; must not block
	Log       *slog.Logger
	Metrics   *Metrics
}

// RunOnce takes the events that are due, works on each payment's events together,
// and returns how many it took.
func (p *Processor) RunOnce(ctx context.Context) (int, error) {
	leases, err := p.Queue.Claim(ctx, claimed)
	if err != nil || len(leases) == 0 {
		return 0, err
	}
	bySeq := make(map[uint64]lease.Lease, len(leases))
	seqs := make([]uint64, len(leases))
	for i, l := range leases {
		seqs[i], bySeq[l.Seq] = l.Seq, l
	}
	events, err := p.DB.GetEvents(ctx, seqs)
	if err != nil {
		return 0, err // the leases expire
	}
	var g errgroup.Group
	for _, group := range byPayment(events) {
		held := make([]lease.Lease, len(group))
		for i, e := range group {
			held[i] = bySeq[e.Seq]
		}
		g.Go(func() error {
			p.Queue.Run(ctx, held, func(ctx context.Context) error { return p.process(ctx, group, held) })
			return nil
		})
	}
	return len(leases), g.Wait()
}

// byPayment puts the events of one payment together: one snapshot answers them
// all. Events that name no payment stand alone.
func byPayment(events []db.Event) [][]db.Event {
	var groups [][]db.Event
	at := map[[2]string]int{}
	for _, e := range events {
		key := [2]string{e.Provider, e.PaymentRef}
		i, known := at[key]
		if !known || e.PaymentRef == "" {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// process asks for the payment's snapshot, with no transaction open, and applies
// it and settles the events in one.
func (p *Processor) process(ctx context.Context, events []db.Event, held []lease.Lease) error {
	first := events[0]
	source, ref, err := p.source(ctx, first)
	if err != nil {
		return err
	}
	if ref == "" {
		return p.settleAll(ctx, events, held, payment.Unattributed, "the event names no payment")
	}
	q := checkout.Question{Provider: first.Provider, Ref: ref, OrderRef: first.OrderRef, Counted: first.EventRevision != nil || p.Folders[first.Provider] != nil}
	err = checkout.Refresh(ctx, p.DB, q, source, func(s payment.Snapshot, seen checkout.Seen) error {
		return p.answer(ctx, events, held, s, seen)
	})
	if id, _ := checkout.ParseOrderRef(first.OrderRef); errors.Is(err, payment.ErrNotFound) && (id == "" || waitedEnough(held)) {
		if _, known := p.DB.FindPayment(ctx, first.Provider, &ref); store.IsNotFound(known) {
			return p.settleAll(ctx, events, held, payment.Unattributed, "the provider doesn't know this payment under our account")
		}
	}
	return err
}

// source is where the snapshot of an event's payment comes from, and what the payment
// is called there: the provider's API by the provider's reference, or what was told,
// by ours.
func (p *Processor) source(ctx context.Context, e db.Event) (from payment.Fetcher, ref string, err error) {
	if folder, ok := p.Folders[e.Provider]; ok {
		told := Told{DB: p.DB, Provider: e.Provider, Folder: folder}
		ref, err = told.RefOf(ctx, e)
		return told, ref, err
	}
	if fetcher, ok := p.Providers[e.Provider]; ok {
		return fetcher, e.PaymentRef, nil
	}
	return nil, "", fmt.Errorf("provider %q isn't configured any more", e.Provider)
}

// answer applies a snapshot for the events that it answers and lets the others wait.
func (p *Processor) answer(ctx context.Context, events []db.Event, held []lease.Lease, s payment.Snapshot, seen checkout.Seen) error {
	first, work := events[0], sortOut(events, held, s)
	a := checkout.Application{
		Provider: first.Provider, Snapshot: s, Source: store.FromWebhook, Actor: first.Provider, EventSeq: cause(work.ready, s), Seen: seen,
	}
	err := p.apply(ctx, a, work)
	if errors.Is(err, checkout.ErrOrderMissing) && waitedEnough(work.readyHeld) {
		a.Foreign = true
		err = p.apply(ctx, a, work)
	}
	if err != nil {
		return err
	}
	return p.postpone(ctx, s, work)
}

// apply applies the snapshot and settles the events that it answers, in one
// transaction.
func (p *Processor) apply(ctx context.Context, a checkout.Application, w work) error {
	if len(w.ready) == 0 {
		return nil
	}
	var out checkout.Outcome
	verdicts, reasons := make([]payment.Verdict, len(w.ready)), make([]string, len(w.ready))
	err := p.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		out, err = checkout.ApplyTx(ctx, tx, a)
		if err != nil {
			return err
		}
		if mayBeBehind(w.ready, a.Snapshot) {
			if err := tx.NotePaymentTold(ctx, a.Provider, &a.Snapshot.Ref); err != nil {
				return err
			}
		}
		for i, e := range w.ready {
			verdicts[i], reasons[i] = verdictOf(e, a, out)
			if err := settleEvent(ctx, tx, e, w.readyHeld[i], verdicts[i], reasons[i], orderID(out)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.report(w.ready, verdicts, reasons, out.Order)
	if out.Booked && p.Booked != nil {
		p.Booked()
	}
	return nil
}

func orderID(out checkout.Outcome) *string {
	if out.Order == nil {
		return nil
	}
	return &out.Order.ID
}

// postpone lets events wait for a snapshot that has caught up with them. The
// order that they belong to shows them meanwhile.
func (p *Processor) postpone(ctx context.Context, s payment.Snapshot, w work) error {
	if len(w.ahead) == 0 {
		return nil
	}
	return p.DB.InTx(ctx, func(tx *store.Tx) error {
		known, err := tx.FindPayment(ctx, w.ahead[0].Provider, &s.Ref)
		if err != nil && !store.IsNotFound(err) {
			return err
		}
		for i, e := range w.ahead {
			if err := tx.AttributeEvent(ctx, known.OrderID, e.Seq); err != nil {
				return err
			}
			if err := p.Queue.RetryTx(ctx, tx, w.aheadHeld[i], behind(e, s)); err != nil {
				return err
			}
		}
		return nil
	})
}

// settleAll gives all of the events the same verdict, without an order.
func (p *Processor) settleAll(ctx context.Context, events []db.Event, held []lease.Lease, v payment.Verdict, reason string) error {
	err := p.DB.InTx(ctx, func(tx *store.Tx) error {
		for i, l := range held {
			if err := settleEvent(ctx, tx, events[i], l, v, reason, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		p.report(events, slices.Repeat([]payment.Verdict{v}, len(events)), slices.Repeat([]string{reason}, len(events)), nil)
	}
	return err
}

// settleEvent finishes the lease and writes the verdict in one statement; zero
// rows means that the lease is lost, and the whole transaction goes with it
// (promise 9). An event that was applied once stays so, however often it is
// replayed: the history names it as a cause.
func settleEvent(ctx context.Context, tx *store.Tx, e db.Event, l lease.Lease, v payment.Verdict, reason string, orderID *string) error {
	if store.Deref(e.Verdict) == string(payment.Applied) {
		v, reason = payment.Applied, ""
	}
	verdict := string(v)
	rows, err := tx.SettleEvent(ctx, db.SettleEventParams{
		Verdict: &verdict, Reason: store.Ref(reason), OrderID: orderID, Seq: l.Seq, LeaseVersion: l.Version,
	})
	if err == nil && rows != 1 {
		return lease.ErrLost
	}
	return err
}

// report counts and logs what became of each event.
func (p *Processor) report(events []db.Event, verdicts []payment.Verdict, reasons []string, o *db.Order) {
	for i, e := range events {
		p.Metrics.settled(e.Provider, string(verdicts[i]))
		level := slog.LevelInfo
		if verdicts[i] == payment.NeedsReview || verdicts[i] == payment.Unattributed {
			level = slog.LevelWarn
		}
		attrs := []any{"provider", e.Provider, "event_id", e.EventID, "event_type", e.EventType, "verdict", verdicts[i], "reason", reasons[i]}
		if o != nil {
			attrs = append(attrs, "order", o.Number, "revision", o.Revision)
		}
		p.Log.Log(context.Background(), level, "event processed", attrs...)
	}
}
