package webhooks_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/shoptest"
	"onceshop/store"
)

func TestOtherContentUnderAKnownIDIsRefusedAndRecorded(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := shoptest.New(t, shoptest.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	s.Platform.NextID(exampleRef)
	order, _ := s.Buy(1)
	happens(s, exPaid)
	before := s.Order(order.ID)

	other := strings.Replace(exPaid.body, `"amount":"50000"`, `"amount":"99"`, 1)
	for range 2 {
		if a := s.Do(request(s, exPaid.id, "", other)); a.Status != 409 || !strings.Contains(a.Body, "EVENT_ID_CONFLICT") {
			t.Errorf("answer %d %s", a.Status, a.Body)
		}
	}
	s.Settle()
	if after := s.Order(order.ID); after.Revision != before.Revision {
		t.Errorf("the order moved to revision %d", after.Revision)
	}
	conflicts, err := s.DB.ListConflictsOfOrder(t.Context(), &order.ID)
	if err != nil || len(conflicts) != 1 || conflicts[0].Seen != 2 {
		t.Errorf("conflicts %+v, %v", conflicts, err)
	}
	if got := log.String(); !strings.Contains(got, "security=true") || strings.Contains(got, "merchantRisk") ||
		strings.Contains(got, shoptest.Secret) || strings.Contains(got, "v1=") {
		t.Errorf("the log has no security line, or says too much:\n%s", got)
	}
	if a := s.Do(request(s, exPaid.id, exPaid.signature, exPaid.body)); a.Status != 200 {
		t.Errorf("the genuine repeat is answered %d", a.Status)
	}
}

func TestTwoContentsUnderOneIDAtOnceStoreOneOfThem(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	other := strings.Replace(exPaid.body, "payment.paid", "payment.new", 1)
	answers := make([]int, 20)
	shoptest.Together(20, func(i int) {
		body := exPaid.body
		if i%2 == 1 {
			body = other
		}
		answers[i] = s.Do(request(s, exPaid.id, "", body)).Status
	})
	for i := range answers {
		if answers[i] != answers[i%2] {
			t.Fatalf("one content got different answers: %v", answers)
		}
	}
	if answers[0]+answers[1] != 200+409 {
		t.Errorf("answers %v, want one content stored and the other refused", answers[:2])
	}
	if n := s.Event(exPaid.id).Deliveries; n != 10 {
		t.Errorf("%d deliveries counted, want 10", n)
	}
}

func TestIDsThatDifferInCaseAreTwoEvents(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	for _, id := range []string{"evt_1AbC", "evt_1aBC"} {
		body := strings.Replace(exPaid.body, exPaid.id, id, 1)
		if a := s.Do(request(s, id, "", body)); a.Status != 200 {
			t.Errorf("%s: %d", id, a.Status)
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 2 {
		t.Errorf("%d events, want 2", n)
	}
	for _, id := range []string{"evt ", " evt", "e\\u0000vt"} {
		body := strings.Replace(exPaid.body, exPaid.id, id, 1)
		if a := s.Do(request(s, strings.TrimSpace(id), "", body)); a.Status != 400 && a.Status != 401 {
			t.Errorf("%q: answer %d", id, a.Status)
		}
	}
}

func TestBothSecretsVerifyDuringARotation(t *testing.T) {
	t.Parallel()
	until := time.Unix(shoptest.Clock+60, 0)
	s := shoptest.New(t, shoptest.Options{Secrets: []signing.Secret{
		{ID: "2026-12", Key: shoptest.Secret}, {ID: "2026-06", Key: shoptest.PreviousSecret, ValidUntil: until},
	}})
	s.Platform.NextID(exampleRef)
	order, _ := s.Buy(1)
	s.Platform.Set(exPaid.order)

	const signedWithPrevious = "v1=688fd9a9a329cc7a41c9e444f70db25b5858a3254274d864d9a581f879454539"
	copies := []string{exPaid.signature, signedWithPrevious}
	shoptest.Together(2, func(i int) {
		if a := s.Do(request(s, exPaid.id, copies[i], exPaid.body)); a.Status != 200 {
			t.Errorf("copy %d: %d", i, a.Status)
		}
	})
	s.Settle()
	if e := s.Event(exPaid.id); e.Deliveries != 2 || e.KeyID != "2026-12" && e.KeyID != "2026-06" {
		t.Errorf("deliveries %d, key %q", e.Deliveries, e.KeyID)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 2 {
		t.Errorf("%d licenses and mails, want one of each", n)
	}

	s.Handler.Now = func() time.Time { return until.Add(time.Second) }
	if a := s.Do(request(s, exPaid.id, signedWithPrevious, exPaid.body)); a.Status != 401 {
		t.Errorf("a second after its end the old secret gets %d", a.Status)
	}
	if a := s.Do(request(s, exPaid.id, exPaid.signature, exPaid.body)); a.Status != 200 {
		t.Errorf("the current secret gets %d", a.Status)
	}
}

func TestAStaleTimestampIsToldToItsSenderOnly(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	for offset, want := range map[int64]string{300: "received", 301: "STALE_TIMESTAMP", -300: "received", -301: "STALE_TIMESTAMP"} {
		s.Handler.Now = func() time.Time { return time.Unix(shoptest.Clock+offset, 0) }
		if a := s.Do(request(s, exPaid.id, exPaid.signature, exPaid.body)); !strings.Contains(a.Body, want) {
			t.Errorf("%d s off: %d %s, want %s", offset, a.Status, a.Body, want)
		}
	}
	if a := s.Do(request(s, exPaid.id, exFull.signature, exPaid.body)); a.Status != 401 {
		t.Errorf("stale and wrongly signed: %d, want 401", a.Status)
	}
}

func TestEventsThatAreNotOursAreKeptAndAnswered(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	foreign := shoptest.Order{ID: "11111111-0000-4000-8000-000000000001", Revision: "2", PaymentStatus: "paid"}
	named := shoptest.Order{ID: "11111111-0000-4000-8000-000000000002", Revision: "2", PaymentStatus: "paid", MerchantOrderID: "invoice 7"}
	unpaid := shoptest.Order{ID: "11111111-0000-4000-8000-000000000003", Revision: "2", PaymentStatus: "failed"}
	for _, o := range []shoptest.Order{foreign, named, unpaid} {
		if a := s.Report("payment.paid", o); a.Status != 200 {
			t.Errorf("%s: %d", o.ID, a.Status)
		}
	}
	s.Settle()
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE verdict = 'unattributed'"); n != 3 {
		t.Errorf("%d unattributed events, want 3", n)
	}
	orphans, err := s.DB.ListPaymentsWithoutOrder(t.Context(), 10)
	if err != nil || len(orphans) != 2 {
		t.Fatalf("%d paid payments without an order, want 2; %v", len(orphans), err)
	}
	if p := orphans[0]; p.Amount.String() != "50000" || p.Currency != "USDC" || p.Status != payment.Paid {
		t.Errorf("orphan %+v", p)
	}
}

func TestAnEventWaitsForAnOrderOfOursThatIsNotVisibleYet(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	e := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{
		ID: "22222222-0000-4000-8000-000000000001", Revision: "2", PaymentStatus: "paid", MerchantOrderID: store.NewID()})}
	s.Deliver(e)
	s.Settle()
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE status = 'pending' AND attempts = 1"); n != 1 {
		t.Fatalf("%d events wait, want 1", n)
	}
	for range 3 {
		s.MakeDue()
		s.Settle()
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE verdict = 'unattributed'"); n != 1 {
		t.Error("an order that never appears should end as unattributed")
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_payments WHERE order_id IS NULL AND status = 'paid'"); n != 1 {
		t.Errorf("%d payments without an order are listed, want its money", n)
	}
}

func TestAReplayedEventGoesThroughTheSameGateAndChangesNothing(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	happens(s, exPaid)
	before := s.Order(order.ID)
	if n, err := s.DB.ReplayEvent(t.Context(), "stablein", exPaid.id); err != nil || n != 1 {
		t.Fatalf("%d rows, %v", n, err)
	}
	s.Settle()
	if e := s.Event(exPaid.id); e.Status != "done" || store.Deref(e.Verdict) != "applied" {
		t.Errorf("event is %s, %s", e.Status, store.Deref(e.Verdict))
	}
	if after := s.Order(order.ID); after.Revision != before.Revision {
		t.Errorf("the order moved from revision %d to %d", before.Revision, after.Revision)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox"); n != 2 {
		t.Errorf("%d jobs, want the license's and the mail's", n)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 2 {
		t.Errorf("%d licenses and mails", n)
	}
}

func TestMoneyWithoutAnOrderFindsItsOrderWhenItIsReplayed(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	other := shoptest.Order{ID: "33333333-0000-4000-8000-000000000001", Revision: "2", PaymentStatus: "paid"}
	e := shoptest.Event{ID: "e-orphan", Type: "payment.paid", Order: s.Platform.Set(other)}
	s.Deliver(e)
	s.Settle()
	// The platform's merchant reference was missing; support has it corrected.
	other.MerchantOrderID = order.ID
	s.Platform.Set(other)
	if _, err := s.DB.ReplayEvent(t.Context(), "stablein", e.ID); err != nil {
		t.Fatal(err)
	}
	s.Settle()
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, %d licenses", o.PaymentStatus, len(s.Licenses(order.ID)))
	}
	if v := store.Deref(s.Event(e.ID).Verdict); v != "applied" {
		t.Errorf("verdict %s", v)
	}
}
