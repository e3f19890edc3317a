package main

import (
	"encoding/json"
	"strings"
	"testing"

	"onceshop/providers/adyen"
	"onceshop/shoptest"
)

func TestEventsAreListedAndShown(t *testing.T) {
	t.Parallel()
	s, environ, number, ref := bought(t)
	s.Deliver(shoptest.Event{ID: "evt-foreign", Type: "payment.paid", Order: shoptest.Order{ID: "another-shops-payment"}})
	s.Settle()
	list := decode[[]eventJSON](t, mustShop(t, environ, "events", "list", "--order", number, "--format", "json"))
	if len(list) != 1 || list[0].Verdict != "applied" || list[0].PaymentRef != ref || list[0].KeyID != "current" || list[0].Order != number {
		t.Fatalf("%+v", list)
	}
	wantCode(t, shop(t, environ, "events", "list", "--verdict", "unattributed"), exitDone, "evt-foreign")
	wantCode(t, shop(t, environ, "events", "list", "--status", "dead"), exitDone, "no such events")
	wantCode(t, shop(t, environ, "events", "show", list[0].ID), exitDone, list[0].ID, "signed with secret current", "applied", number)
	wantCode(t, shop(t, environ, "events", "show", "evt-none"), exitFailed, "there is no event evt-none")

	body := mustShop(t, environ, "events", "show", list[0].ID, "--body").stdout
	var signed struct{ ID string }
	if err := json.Unmarshal([]byte(body), &signed); err != nil || signed.ID != list[0].ID {
		t.Errorf("the body isn't the event's: %v %s", err, body)
	}
}

func TestAParkedEventIsShownAsOne(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{adyen.Name})
	tr.offer("EUR", 4900)
	number := tr.place("EUR", adyen.Name)
	mustShop(t, tr.environ, "trigger", "AUTHORISATION", "--order", number, "--conflict")
	tr.settle()
	list := decode[[]eventJSON](t, mustShop(t, tr.environ, "events", "list", "--verdict", "needs_review", "--format", "json"))
	if len(list) != 1 || !list[0].Parked || list[0].Amount == "" || list[0].Currency != "EUR" {
		t.Fatalf("want one parked event, got %+v", list)
	}
	wantCode(t, shop(t, tr.environ, "events", "show", list[0].ID), exitDone, "parked", "came before with other content", "EUR", "needs_review")
	known, _, _ := strings.Cut(list[0].ID, "#")
	wantCode(t, shop(t, tr.environ, "events", "show", known), exitDone, "49.00 EUR", "AUTHORISATION")
}

func TestAReplayedEventChangesNothingAndIsWrittenDown(t *testing.T) {
	t.Parallel()
	s, environ, number, _ := bought(t)
	before := decode[orderDetail](t, mustShop(t, environ, "orders", "show", number, "--format", "json"))
	id := decode[[]eventJSON](t, mustShop(t, environ, "events", "list", "--format", "json"))[0].ID
	wantCode(t, shop(t, environ, "events", "replay", id, "--as", "ada", "--wait", "0"), exitDone, "is due again; it was done, applied")
	s.Settle()
	after := decode[orderDetail](t, mustShop(t, environ, "orders", "show", number, "--format", "json"))
	if after.Revision != before.Revision || len(after.Jobs) != len(before.Jobs) || len(after.Licenses) != 2 {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
	wantCode(t, shop(t, environ, "events", "show", id), exitDone, "applied")
	wantAudit(t, s, "stablein "+id, "ada", "replay event", "due again; it was done, applied")
}

func TestAnEventThatIsBeingWorkedOnIsNotReplayed(t *testing.T) {
	t.Parallel()
	s, environ, _, _ := bought(t)
	id := decode[[]eventJSON](t, mustShop(t, environ, "events", "list", "--format", "json"))[0].ID
	s.Exec("UPDATE shop_events SET status = 'leased', lease_until = NOW(6) + INTERVAL 1 HOUR")
	wantCode(t, shop(t, environ, "events", "replay", id, "--as", "ada"), exitFailed, "is being worked on right now")
	wantAudit(t, s, "stablein "+id, "ada", "replay event", "refused")
}

func TestAReplayWaitsForTheVerdict(t *testing.T) {
	t.Parallel()
	s, environ, _, _ := bought(t)
	id := decode[[]eventJSON](t, mustShop(t, environ, "events", "list", "--format", "json"))[0].ID
	done := make(chan struct{})
	go func() { // an instance that is running elsewhere
		defer close(done)
		for {
			if n, err := s.Processor.RunOnce(t.Context()); n > 0 || err != nil {
				return
			}
		}
	}()
	wantCode(t, shop(t, environ, "events", "replay", id, "--wait", "1m"), exitDone, "already applied")
	<-done
}
