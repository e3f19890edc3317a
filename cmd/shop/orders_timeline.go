package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

type ordersTimeline struct {
	format
	Number string `arg:"" help:"The order's number: OS-XXXXX-XXXXX."`
}

// momentJSON is one line of an order's history: a revision, or an event that made
// none, or other content that was refused under an event's id.
type momentJSON struct {
	At               time.Time        `json:"at"`
	What             string           `json:"what"` // revision, event, conflict
	Revision         uint64           `json:"revision,omitzero"`
	Kind             string           `json:"kind"`
	Source           string           `json:"source"`
	Actor            string           `json:"actor"`
	Event            string           `json:"event"`
	ProviderRevision string           `json:"provider_revision"`
	Reason           string           `json:"reason"`
	Changes          []payment.Change `json:"changes"` // amounts in minor units
}

func (cmd *ordersTimeline) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		o, err := s.findOrder(d, cmd.Number)
		if err != nil {
			return err
		}
		moments, err := s.timeline(d, o)
		if err != nil {
			return err
		}
		if done, err := cmd.json(s, moments); done {
			return err
		}
		at := clockOf(c)
		for _, m := range moments {
			m.print(s, at, o.Currency)
		}
		return nil
	})
}

// timeline merges revisions with what left none, newest first.
func (s *session) timeline(d *store.DB, o db.Order) ([]momentJSON, error) {
	moments := []momentJSON{}
	revisions, err := d.ListOrderRevisions(s.ctx, o.ID)
	if err != nil {
		return nil, err
	}
	caused := map[string]bool{}
	for _, r := range revisions {
		m := momentJSON{At: r.CreatedAt, What: "revision", Revision: r.Revision, Kind: r.Kind, Source: r.Source, Actor: r.Actor,
			Event: r.EventID, Changes: []payment.Change{}}
		if r.ProviderRevision != nil {
			m.ProviderRevision = r.ProviderRevision.String()
		}
		if err := json.Unmarshal(r.Changes, &m.Changes); err != nil {
			return nil, fmt.Errorf("revision %d: %w", r.Revision, err)
		}
		caused[r.EventProvider+" "+r.EventID] = true
		moments = append(moments, m)
	}
	events, err := d.ListEventsOfOrder(s.ctx, &o.ID)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if caused[e.Provider+" "+e.EventID] {
			continue
		}
		m := momentJSON{At: e.ReceivedAt, What: "event", Kind: e.EventType, Source: "webhook", Actor: e.Provider, Event: e.EventID,
			Reason: store.Deref(e.Verdict), Changes: []payment.Change{}}
		if e.EventRevision != nil {
			m.ProviderRevision = e.EventRevision.String()
		}
		switch {
		case e.Verdict == nil:
			m.Reason = e.Status
		case e.Reason != nil:
			m.Reason += ": " + *e.Reason
		}
		moments = append(moments, m)
	}
	conflicts, err := d.ListConflictsOfOrder(s.ctx, &o.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range conflicts {
		moments = append(moments, momentJSON{At: c.FirstSeenAt, What: "conflict", Kind: "refused", Source: "webhook", Actor: c.Provider,
			Event: c.EventID, Reason: fmt.Sprintf("other content under a known id, %d times", c.Seen), Changes: []payment.Change{}})
	}
	slices.SortStableFunc(moments, func(a, b momentJSON) int { return b.At.Compare(a.At) })
	return moments, nil
}

func (m momentJSON) print(s *session, at clock, currency string) {
	head := m.What
	if m.Revision > 0 {
		head = fmt.Sprintf("revision %d", m.Revision)
	}
	fmt.Fprintf(s.stdout, "%s  %-11s  %s, by %s (%s)\n", at.at(m.At), head, printable(m.Kind), printable(m.Actor), m.Source)
	if m.Event != "" {
		fmt.Fprintf(s.stdout, "    event %s, provider revision %s\n", printable(m.Event), printable(m.ProviderRevision))
	}
	if m.Reason != "" {
		fmt.Fprintf(s.stdout, "    %s\n", printable(m.Reason))
	}
	for _, c := range payment.InMoney(m.Changes, currency, payment.Money.String) {
		fmt.Fprintf(s.stdout, "    %s: %s → %s\n", c.Field, printable(c.Before), printable(c.After))
	}
}
