package main

import (
	"fmt"
	"strings"
	"time"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

type eventsCommand struct {
	List   eventsList   `cmd:"" help:"List events, newest first."`
	Show   eventsShow   `cmd:"" help:"Show an event, its verdict, and what was refused under its id."`
	Replay eventsReplay `cmd:"" help:"Process an event again, through the same gate as live traffic."`
}

// eventJSON is an event as scripts read it. Its body is for events show --body.
type eventJSON struct {
	Provider      string     `json:"provider"`
	ID            string     `json:"event_id"`
	Type          string     `json:"type"`
	Revision      string     `json:"revision"`
	PaymentRef    string     `json:"payment_ref"`
	OrderRef      string     `json:"order_ref"`
	Amount        string     `json:"amount"` // as the event says it, in minor units; "" if it doesn't
	Currency      string     `json:"currency"`
	Order         string     `json:"order"`
	KeyID         string     `json:"key_id"`
	Deliveries    int        `json:"deliveries"`
	Status        string     `json:"status"`
	Attempts      int        `json:"attempts"`
	Verdict       string     `json:"verdict"`
	Reason        string     `json:"reason"`
	Parked        bool       `json:"parked"` // other content under a known id, kept for a person
	LastError     string     `json:"last_error"`
	ReceivedAt    time.Time  `json:"received_at"`
	ProcessedAt   *time.Time `json:"processed_at"`
	NextAttemptAt time.Time  `json:"next_attempt_at"`
}

func eventOf(e db.Event, order string) eventJSON {
	out := eventJSON{
		Provider: e.Provider, ID: e.EventID, Type: e.EventType, PaymentRef: e.PaymentRef, OrderRef: e.OrderRef, Currency: e.Currency,
		Parked: store.IsParked(e.EventID), Order: order, KeyID: e.KeyID,
		Deliveries: e.Deliveries, Status: e.Status, Attempts: e.Attempts, Verdict: store.Deref(e.Verdict), Reason: store.Deref(e.Reason),
		LastError: store.Deref(e.LastError), ReceivedAt: e.ReceivedAt, ProcessedAt: e.ProcessedAt, NextAttemptAt: e.NextAttemptAt,
	}
	if e.EventRevision != nil {
		out.Revision = e.EventRevision.String()
	}
	if e.Amount != nil {
		out.Amount = e.Amount.String()
	}
	return out
}

// money is the event's amount for people.
func (e eventJSON) money() string {
	a, err := payment.ParseAmount(e.Amount)
	if err != nil {
		return "" // it names none
	}
	return strings.TrimSpace(payment.Money{Amount: a, Currency: e.Currency}.String())
}

type eventsList struct {
	format
	Provider string `help:"Only events of this provider."`
	Status   string `help:"Only events that are pending, leased, done or dead." enum:",pending,leased,done,dead" default:""`
	Verdict  string `help:"Only events with this verdict: applied, unchanged, stale, ignored, unattributed, needs_review." enum:",applied,unchanged,stale,ignored,unattributed,needs_review" default:""`
	Order    string `help:"Only events of this order." placeholder:"NUMBER"`
	Limit    int32  `help:"How many." default:"50"`
}

func (cmd *eventsList) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		orderID, err := s.orderID(d, cmd.Order)
		if err != nil {
			return err
		}
		rows, err := d.ListEvents(s.ctx, db.ListEventsParams{
			Provider: cmd.Provider, Status: cmd.Status, Verdict: &cmd.Verdict, OrderID: &orderID, Limit: cmd.Limit,
		})
		if err != nil {
			return err
		}
		list := make([]eventJSON, len(rows))
		for i, r := range rows {
			list[i] = eventOf(r.Event, r.OrderNumber)
		}
		if done, err := cmd.json(s, list); done {
			return err
		}
		t := s.table("no such events", "RECEIVED", "PROVIDER", "TYPE", "AMOUNT", "EVENT", "ORDER", "SENT", "STATUS", "VERDICT", "REASON")
		for _, e := range list {
			t.row(clockOf(c).at(e.ReceivedAt), e.Provider, e.Type, e.money(), e.ID, e.Order, fmt.Sprintf("%d×", e.Deliveries), e.Status, e.Verdict, e.Reason+e.LastError)
		}
		return t.flush()
	})
}

// findEvent wants the provider named where two gave an event the same id.
func (s *session) findEvent(d *store.DB, id, provider string) (db.Event, error) {
	events, err := d.FindEventsByID(s.ctx, id)
	if err != nil {
		return db.Event{}, err
	}
	var found []db.Event
	for _, e := range events {
		if provider == "" || e.Provider == provider {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 0:
		return db.Event{}, fmt.Errorf("there is no event %s", id)
	case 1:
		return found[0], nil
	}
	return db.Event{}, fmt.Errorf("%d providers have an event %s; name one with --provider", len(found), id)
}
