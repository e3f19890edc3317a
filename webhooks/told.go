package webhooks

import (
	"context"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// Told is what a provider that can't be asked has told: its snapshot is folded from
// its stored, verified events (promise 4). Events are never deleted, so a later fold
// knows all that an earlier one knew.
type Told struct {
	DB       *store.DB
	Provider string
	Folder   payment.Folder
}

// RefOf is what Fetch calls the payment that an event is of: our reference, under which
// the payment began. One that a person caused at the provider may carry another
// order's, or none, so its own counts only while nothing tells of the beginning. A
// payment of somebody else on the account is known as the provider knows it: whatever
// they call all of theirs, each is one.
func (t Told) RefOf(ctx context.Context, e db.Event) (string, error) {
	ref := e.OrderRef
	if e.PaymentRef != "" {
		events, err := unparked(t.DB.ListEventsOfPayment(ctx, t.Provider, e.PaymentRef))
		if err != nil {
			return "", err
		}
		began, told, err := t.Folder.Began(e.PaymentRef, events)
		if err != nil {
			return "", err
		}
		if told {
			ref = began
		}
	}
	if ours, err := t.isOurs(ctx, ref); ours || err != nil {
		return ref, err
	}
	return e.PaymentRef, nil
}

// isOurs tells whether ref is a reference of ours, by its form or because an order's
// payment goes by it.
func (t Told) isOurs(ctx context.Context, ref string) (bool, error) {
	if id, _ := checkout.ParseOrderRef(ref); id != "" || ref == "" {
		return id != "", nil
	}
	p, err := t.DB.FindPayment(ctx, t.Provider, &ref)
	if store.IsNotFound(err) {
		return false, nil
	}
	return p.OrderID != nil, err
}

// Fetch folds all that was told of the payment that RefOf calls ref.
func (t Told) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	events, err := t.Events(ctx, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	return t.Folder.Fold(ref, events)
}

// Events are all that was told of the payment that RefOf calls ref, but for what
// contradicts something known: a person looks at that.
func (t Told) Events(ctx context.Context, ref string) ([]payment.Event, error) {
	if id, _ := checkout.ParseOrderRef(ref); id == "" {
		events, err := unparked(t.DB.ListEventsOfPayment(ctx, t.Provider, ref))
		if len(events) > 0 || err != nil {
			return events, err
		}
	}
	return unparked(t.DB.ListEventsOfReference(ctx, t.Provider, ref, t.Provider, ref))
}

func unparked(rows []db.Event, err error) ([]payment.Event, error) {
	var events []payment.Event
	for _, r := range rows {
		if !store.IsParked(r.EventID) {
			events = append(events, told(r))
		}
	}
	return events, err
}

func told(r db.Event) payment.Event {
	e := payment.Event{
		Provider: r.Provider, ID: r.EventID, Type: r.EventType, PaymentRef: r.PaymentRef, OrderRef: r.OrderRef,
		Status: r.EventStatus, Effect: r.EventEffect, Amount: r.Amount, Currency: r.Currency, KeyID: r.KeyID,
	}
	if r.OccurredAt != nil {
		e.OccurredAt = *r.OccurredAt
	}
	return e
}
