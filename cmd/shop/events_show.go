package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"onceshop/config"
	"onceshop/store"
)

type eventsShow struct {
	format
	ID       string `arg:"" help:"The provider's id of the event."`
	Provider string `help:"Whose event, where two providers use the same id."`
	Body     bool   `help:"Print the signed bytes as they came, and nothing else."`
}

type eventDetail struct {
	eventJSON
	SHA256    string         `json:"sha256"`
	Conflicts []conflictJSON `json:"conflicts"`
}

// conflictJSON is other content that came under the event's id and was refused.
type conflictJSON struct {
	SHA256      string    `json:"sha256"`
	KeyID       string    `json:"key_id"`
	Seen        int       `json:"seen"`
	FirstSeenAt time.Time `json:"first_seen_at"`
	LastSeenAt  time.Time `json:"last_seen_at"`
}

func (cmd *eventsShow) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		e, err := s.findEvent(d, cmd.ID, cmd.Provider)
		if err != nil {
			return err
		}
		if cmd.Body {
			body, err := d.GetEventPayload(s.ctx, e.Provider, e.EventID)
			if store.IsNotFound(err) {
				return errors.New("the event's body has been purged; its identity and hash stay")
			}
			if err == nil {
				_, err = s.stdout.Write(body)
			}
			return err
		}
		number := ""
		if e.OrderID != nil {
			o, err := d.GetOrder(s.ctx, *e.OrderID)
			if err != nil {
				return err
			}
			number = o.Order.Number
		}
		detail := eventDetail{eventOf(e, number), hex.EncodeToString(e.PayloadHash), []conflictJSON{}}
		conflicts, err := d.ListConflictsOfEvent(s.ctx, e.Provider, e.EventID)
		if err != nil {
			return err
		}
		for _, x := range conflicts {
			detail.Conflicts = append(detail.Conflicts, conflictJSON{hex.EncodeToString(x.PayloadHash), x.KeyID, x.Seen, x.FirstSeenAt, x.LastSeenAt})
		}
		if done, err := cmd.json(s, detail); done {
			return err
		}
		return s.printEvent(clockOf(c), detail)
	})
}

func (s *session) printEvent(at clock, e eventDetail) error {
	t := s.table("", "EVENT", printable(e.ID))
	t.row("type", e.Type)
	t.row("provider", e.Provider)
	t.row("order", e.Order)
	t.row("payment", e.PaymentRef)
	t.row("our reference", e.OrderRef)
	t.row("amount", e.money())
	t.row("revision", e.Revision)
	t.row("received", fmt.Sprintf("%s, %d times, signed with secret %s", at.at(e.ReceivedAt), e.Deliveries, e.KeyID))
	t.row("status", fmt.Sprintf("%s, attempt %d", e.Status, e.Attempts))
	t.row("verdict", e.Verdict)
	t.row("reason", e.Reason)
	if e.Parked {
		t.row("parked", "for a person: an event of this id, up to the last #, came before with other content")
	}
	t.row("last error", e.LastError)
	t.row("processed", at.maybe(e.ProcessedAt))
	t.row("sha256", e.SHA256)
	for _, x := range e.Conflicts {
		t.row("refused", fmt.Sprintf("sha256 %s, secret %s, %d times since %s", x.SHA256, x.KeyID, x.Seen, at.at(x.FirstSeenAt)))
	}
	return t.flush()
}
