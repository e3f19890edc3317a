package webhooks_test

import (
	"context"
	"errors"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// queue is a plain provider that waits with all its events while one is refused.
type queue struct{ *shoptest.Plain }

func (queue) Accepted() string { return "[taken]" }

func withPlain(t *testing.T, provider any) *shoptest.Shop {
	t.Helper()
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: provider}})
	s.Product("plain", "Plain product", "10000", "EUR")
	return s
}

func verdictOf(t *testing.T, s *shoptest.Shop, id string) string {
	t.Helper()
	e, err := s.DB.FindEvent(t.Context(), shoptest.PlainName, id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return e.Status + " " + store.Deref(e.Verdict)
}

func TestWhatAnEventDecidesByItselfAsksNobody(t *testing.T) {
	t.Parallel()
	plain := &shoptest.Plain{}
	s := withPlain(t, plain)
	_, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	plain.Change(ref, shoptest.Paid)
	for id, v := range map[string]payment.Verdict{"of test mode": payment.Ignored, "of no mode": payment.NeedsReview} {
		if a := s.Tell(shoptest.PlainName, shoptest.Told{ID: id, Payment: ref, Verdict: string(v), Note: "because"}); a.Status != 200 {
			t.Errorf("%s: answer %d", id, a.Status)
		}
		s.Settle()
		if got := verdictOf(t, s, id); got != "done "+string(v) {
			t.Errorf("%s is %s", id, got)
		}
	}
	if n := plain.Fetches(); n != 0 {
		t.Errorf("the provider was asked %d times", n)
	}
}

func TestAnUnsignedIDKnownWithAnotherContentIsAConflict(t *testing.T) {
	t.Parallel()
	s := withPlain(t, &shoptest.Plain{})
	first := shoptest.Told{ID: "hash-1", Alias: "header-1", Payment: "p"}
	for _, c := range []struct {
		name string
		told shoptest.Told
		want int
		rows int
	}{
		{"new", first, 200, 1},
		{"repeated", first, 200, 1},
		{"replayed under an invented id", shoptest.Told{ID: "hash-1", Alias: "invented", Payment: "p"}, 200, 1},
		{"another body under the known id", shoptest.Told{ID: "hash-2", Alias: "header-1", Payment: "p"}, 409, 1},
		{"another one without an id", shoptest.Told{ID: "hash-3", Payment: "p"}, 200, 2},
	} {
		if a := s.Tell(shoptest.PlainName, c.told); a.Status != c.want {
			t.Errorf("%s: answer %d, want %d", c.name, a.Status, c.want)
		}
		if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != c.rows {
			t.Errorf("%s: %d events, want %d", c.name, n, c.rows)
		}
	}
}

func TestTwentyBodiesUnderOneUnsignedIDAreOneEvent(t *testing.T) {
	t.Parallel()
	s := withPlain(t, &shoptest.Plain{})
	shoptest.Together(20, func(i int) {
		a := s.Tell(shoptest.PlainName, shoptest.Told{ID: string(rune('a' + i)), Alias: "same", Payment: "p"})
		if a.Status != 200 && a.Status != 409 {
			t.Errorf("answer %d %s", a.Status, a.Body)
		}
	})
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 1 {
		t.Errorf("%d events, want 1", n)
	}
}

func TestAConflictOfAProviderWithAQueueIsParkedForAPerson(t *testing.T) {
	t.Parallel()
	plain := &shoptest.Plain{}
	s := withPlain(t, queue{plain})
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	known := shoptest.Told{ID: "e1", Type: "paid", Payment: ref, Order: order.ID, Amount: "10000", Currency: "EUR"}
	other := known
	other.Amount = "1"
	for _, told := range []shoptest.Told{known, other, other, known} {
		if a := s.Tell(shoptest.PlainName, told); a.Status != 200 || a.Body != "[taken]" {
			t.Errorf("answer %d %s", a.Status, a.Body)
		}
	}
	s.Settle()
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE verdict = 'needs_review' AND amount = 1 AND deliveries = 2"); n != 1 {
		t.Errorf("%d parked events, want 1 that came twice", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 2 {
		t.Errorf("%d events, want the known one and the parked one", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_event_conflicts"); n != 1 {
		t.Errorf("%d conflicts are recorded", n)
	}
}

func TestEventsOfOneDeliveryAreStoredTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	s := withPlain(t, &shoptest.Plain{})
	long := make([]byte, 300)
	for i := range long {
		long[i] = 'x'
	}
	a := s.Tell(shoptest.PlainName, shoptest.Told{ID: "good", Payment: "p"}, shoptest.Told{ID: string(long), Payment: "p"})
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); a.Status != 503 || n != 0 {
		t.Errorf("answer %d with %d events, want 503 and none", a.Status, n)
	}
	a = s.Tell(shoptest.PlainName, shoptest.Told{ID: "good", Payment: "p"}, shoptest.Told{ID: "better", Payment: "p"})
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); a.Status != 200 || n != 2 {
		t.Errorf("answer %d with %d events, want 200 and both", a.Status, n)
	}
}

func TestARecordThatDoesNotShowTheMoneyYetIsWaitedFor(t *testing.T) {
	t.Parallel()
	plain := &shoptest.Plain{}
	s := withPlain(t, plain)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "paid", Payment: ref, Order: order.ID, Status: payment.Paid})
	s.Settle()
	if got := verdictOf(t, s, "paid"); got != "pending " {
		t.Errorf("while the record is behind, the event is %s", got)
	}
	plain.Change(ref, shoptest.Paid)
	s.MakeDue()
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || verdictOf(t, s, "paid") != "done applied" {
		t.Errorf("%s, the event is %s", o.PaymentStatus, verdictOf(t, s, "paid"))
	}
}

func TestARecordThatNeverShowsTheMoneyCountsInTheEnd(t *testing.T) {
	t.Parallel()
	plain := &shoptest.Plain{}
	s := withPlain(t, plain)
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "paid", Payment: ref, Status: payment.Paid})
	for range 4 {
		s.MakeDue()
		s.Settle()
	}
	if got := verdictOf(t, s, "paid"); got != "done applied" {
		t.Errorf("the event is %s", got)
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Pending {
		t.Errorf("the order is %s without money", o.PaymentStatus)
	}
}

// told folds: paid once it was told of as many units as were asked for.
type told struct{ *shoptest.Plain }

var _ payment.Folder = told{}

func (told) Fetch(context.Context, string) (payment.Snapshot, error) {
	return payment.Snapshot{}, errors.New("it can't be asked")
}

func (told) Fold(ref string, events []payment.Event) (payment.Snapshot, error) {
	s := payment.Snapshot{
		Ref: "plain-" + ref, OrderRef: ref, Status: payment.Pending, RefundStatus: payment.NotRefunded, Amount: payment.NewAmount(10000),
		Currency: "EUR", Risk: payment.NotAssessed(), Revision: payment.NewAmount(int64(len(events))),
	}
	for _, e := range events {
		s.Received = s.Received.Add(*e.Amount)
	}
	if s.Received.Cmp(s.Amount) >= 0 {
		s.Status = payment.Paid
	}
	return s, nil
}

// Began takes the first reference that nobody has typed by hand.
func (told) Began(_ string, events []payment.Event) (string, bool, error) {
	for _, e := range events {
		if e.OrderRef != "" && e.OrderRef != "by hand" {
			return e.OrderRef, true, nil
		}
	}
	return "", false, nil
}

func TestWhatIsToldUnderAnotherReferenceBelongsToThePaymentThatItNames(t *testing.T) {
	t.Parallel()
	s := withPlain(t, told{&shoptest.Plain{}})
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	for _, event := range []shoptest.Told{
		{ID: "1", Payment: ref, Order: "by hand", Amount: "4000"}, // before anybody named the payment with ours
		{ID: "2", Payment: ref, Order: order.ID, Amount: "3000"},
		{ID: "3", Payment: ref, Amount: "3000"},
		{ID: "4", Payment: "another", Order: "by hand", Amount: "10000"},
	} {
		s.Tell(shoptest.PlainName, event)
		s.Settle()
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.ReceivedAmount.String() != "10000" {
		t.Errorf("%s with %s", o.PaymentStatus, o.ReceivedAmount)
	}
	for id, want := range map[string]string{"1": "done unattributed", "3": "done applied", "4": "done unattributed"} {
		if got := verdictOf(t, s, id); got != want {
			t.Errorf("event %s is %s, want %s", id, got, want)
		}
	}
}

func TestAProviderThatCannotBeAskedIsKnownByAllThatItTold(t *testing.T) {
	t.Parallel()
	s := withPlain(t, told{&shoptest.Plain{}})
	order, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	part := func(id, amount string) shoptest.Told {
		return shoptest.Told{ID: id, Type: "part", Payment: ref, Order: order.ID, Amount: amount, Currency: "EUR"}
	}
	s.Tell(shoptest.PlainName, part("1", "4000"))
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Pending || o.ReceivedAmount.String() != "4000" {
		t.Fatalf("%s with %s", o.PaymentStatus, o.ReceivedAmount)
	}
	s.Exec("DELETE FROM shop_event_payloads") // as retention does in the end
	shoptest.Together(20, func(i int) {
		s.Tell(shoptest.PlainName, part(string(rune('a'+i)), "300"))
		if _, err := s.Processor.RunOnce(t.Context()); err != nil {
			t.Error(err)
		}
	})
	s.MakeDue()
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.ReviewReason != nil || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, review %q, %d licenses", o.PaymentStatus, store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments WHERE provider_revision = 21"); n != 1 {
		t.Errorf("%d payments know all that was told", n)
	}
}
