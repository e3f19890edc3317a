package webhooks

import (
	"context"

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

// RefOf is the reference of ours that an event belongs to: the one under which its
// payment began. An event that a person caused at the provider may carry another
// order's, or none, so its own counts only while nothing tells of the beginning.
func (t Told) RefOf(ctx context.Context, e db.Event) (string, error) {
	if e.PaymentRef == "" {
		return e.OrderRef, nil
	}
	events, err := unparked(t.DB.ListEventsOfPayment(ctx, t.Provider, e.PaymentRef))
	if err != nil {
		return "", err
	}
	if began, told, err := t.Folder.Began(e.PaymentRef, events); told || err != nil {
		return began, err
	}
	return e.OrderRef, nil
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
