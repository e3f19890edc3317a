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

// RefOf is the reference of ours that an event belongs to. One that a person caused at
// the provider may carry another one, or none, but names a payment that was told of
// under ours.
func (t Told) RefOf(ctx context.Context, e db.Event) (string, error) {
	if id, _ := checkout.ParseOrderRef(e.OrderRef); id != "" || e.PaymentRef == "" {
		return e.OrderRef, nil
	}
	names, err := t.DB.ListReferencesOfPayment(ctx, t.Provider, e.PaymentRef)
	for _, name := range names {
		if id, _ := checkout.ParseOrderRef(name); id != "" {
			return name, err
		}
	}
	return e.OrderRef, err
}

// Fetch folds all that was told under ref, our own reference.
func (t Told) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	events, err := t.Events(ctx, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	return t.Folder.Fold(ref, events)
}

// Events are all that was told under ref, but for what contradicts something known:
// a person looks at that.
func (t Told) Events(ctx context.Context, ref string) ([]payment.Event, error) {
	rows, err := t.DB.ListEventsOfReference(ctx, t.Provider, ref, t.Provider, ref)
	if err != nil {
		return nil, err
	}
	var events []payment.Event
	for _, r := range rows {
		if !store.IsParked(r.EventID) {
			events = append(events, told(r))
		}
	}
	return events, nil
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
