package razorpay_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func fetch(t testing.TB, f *fake, ref string) payment.Snapshot {
	t.Helper()
	s, err := f.adapter(t).Fetch(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryReferenceLeadsToTheSameSnapshot(t *testing.T) {
	t.Parallel()
	want := payment.Snapshot{
		Ref: ours, OrderRef: ours, Status: payment.Paid, RefundStatus: payment.PartiallyRefunded, Amount: paise(2500), Received: paise(2500), Refunded: paise(1000),
		Reversed: paise(300), Currency: "INR", Risk: payment.NotAssessed(),
		Refunds: []payment.Refund{
			{Ref: "rfnd_2", Amount: paise(300), Status: payment.RefundFailed},
			{Ref: "rfnd_1", Amount: paise(1000), Status: payment.RefundDone},
		},
		Disputes: []payment.Dispute{{Ref: "disp_1", Amount: paise(2500), Reason: "goods_or_services_not_received", Status: payment.DisputeOpen}},
	}
	for _, ref := range []string{ours, "pay_2", "pay_1", "order_A", "plink_A"} {
		f := paid()
		f.payments[1] = f.payments[1].with(record{"amount_refunded": 1300, "refund_status": "partial"})
		f.refunds = []record{refund("rfnd_1", "pay_2", 1000, "processed"), refund("rfnd_2", "pay_2", 300, "failed"), refund("rfnd_3", "pay_9", 7, "processed")}
		f.disputes = []record{dispute("disp_1", "pay_2", "chargeback", "open", 0), dispute("disp_2", "pay_9", "chargeback", "lost", 2500)}
		if d := cmp.Diff(want, fetch(t, f, ref)); d != "" {
			t.Errorf("by %s:\n%s", ref, d)
		}
	}
}

func TestTheStatusIsTheBestOfAllAttempts(t *testing.T) {
	t.Parallel()
	const created, failed, authorised, captured = "created", "failed", "authorized", "captured"
	for _, c := range []struct {
		link     string
		attempts []string
		want     payment.Status
		received int64
	}{
		{"created", nil, payment.Pending, 0},
		{"created", []string{failed}, payment.Pending, 0},
		{"created", []string{created, failed}, payment.Pending, 0},
		{"created", []string{failed, authorised}, payment.Authorised, 0},
		{"created", []string{authorised, failed, created}, payment.Authorised, 0},
		{"paid", []string{failed, captured}, payment.Paid, 2500},
		{"paid", []string{captured, captured}, payment.Paid, 5000},
		{"paid", []string{captured, authorised}, payment.Paid, 2500},
		{"expired", nil, payment.Expired, 0},
		{"expired", []string{failed, created}, payment.Expired, 0},
		{"expired", []string{authorised}, payment.Authorised, 0},
		{"expired", []string{captured}, payment.Paid, 2500},
		{"cancelled", []string{failed}, payment.Failed, 0},
		{"cancelled", []string{captured}, payment.Paid, 2500},
	} {
		f := &fake{links: []record{link(c.link, 0)}, orders: []record{order(0)}}
		for i, status := range c.attempts {
			f.payments = append(f.payments, attempt(fmt.Sprintf("pay_%d", i), status))
		}
		s := fetch(t, f, ours)
		if s.Status != c.want || !s.Received.Equal(paise(c.received)) || s.RefundStatus != payment.NotRefunded {
			t.Errorf("link %s, attempts %v: %s with %s, want %s with %d", c.link, c.attempts, s.Status, s.Received, c.want, c.received)
		}
	}
}

func TestAPartIsNotPaid(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]payment.Status{"partially_paid": payment.Pending, "expired": payment.Expired} {
		f := &fake{links: []record{link(state, 1000)}, payments: []record{attempt("pay_1", "captured").with(record{"amount": 1000})}}
		if s := fetch(t, f, ours); s.Status != want || !s.Received.Equal(paise(1000)) || !s.Amount.Equal(paise(2500)) {
			t.Errorf("%s: %s with %s of %s", state, s.Status, s.Received, s.Amount)
		}
	}
}

func TestMoneyThatWasOnlyReservedIsNoRefund(t *testing.T) {
	t.Parallel()
	returned := attempt("pay_1", "refunded").with(record{"captured": false, "amount_refunded": 2500, "refund_status": "full"})
	for name, f := range map[string]*fake{
		"of a link":        {links: []record{link("created", 0)}, orders: []record{order(0)}},
		"of an order":      {orders: []record{order(0)}},
		"of an old link":   {links: []record{link("cancelled", 0)}, orders: []record{order(0)}},
		"after a failure":  {links: []record{link("created", 0)}, payments: []record{attempt("pay_0", "failed")}},
		"without an order": {},
	} {
		p := returned
		if name == "without an order" {
			p = p.with(record{"order_id": nil})
		}
		if name == "after a failure" {
			f.orders = []record{order(0)}
		}
		f.payments = append(f.payments, p)
		f.refunds = []record{refund("rfnd_1", "pay_1", 2500, "processed")}
		s := fetch(t, f, "pay_1")
		if s.Status != payment.Failed || s.Received.Sign() != 0 || s.Refunded.Sign() != 0 || s.RefundStatus != payment.NotRefunded || s.Refunds != nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestAFullRefundAndOneThatFailedAfterIt(t *testing.T) {
	t.Parallel()
	f := paid()
	f.payments[1] = f.payments[1].with(record{"status": "refunded", "captured": true, "amount_refunded": 2500, "refund_status": "full"})
	f.refunds = []record{refund("rfnd_1", "pay_2", 1500, "processed"), refund("rfnd_2", "pay_2", 1000, "pending")}
	before := fetch(t, f, ours)
	if before.Status != payment.Paid || before.RefundStatus != payment.FullyRefunded || !before.Refunded.Equal(paise(2500)) || before.Reversed.Sign() != 0 {
		t.Errorf("%+v", before)
	}
	// The payment goes on counting the refund that failed.
	f.refunds[1]["status"] = "failed"
	after := fetch(t, f, ours)
	if after.RefundStatus != payment.PartiallyRefunded || !after.Refunded.Equal(paise(1500)) || !after.Reversed.Equal(paise(1000)) {
		t.Errorf("%+v", after)
	}
	known := payment.Next(payment.Record{Amount: paise(2500), Currency: "INR"}, before).Record
	if d := payment.Next(known, after); d.Verdict != payment.Applied {
		t.Errorf("%s %s", d.Verdict, d.Reason)
	}
}

func TestDisputesCountByPhaseAndOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		phase, status string
		deducted      int
		want          payment.DisputeStatus
	}{
		{"chargeback", "open", 0, payment.DisputeOpen},
		{"chargeback", "under_review", 0, payment.DisputeOpen},
		{"pre_arbitration", "open", 0, payment.DisputeOpen},
		{"arbitration", "won", 0, payment.DisputeWon},
		{"chargeback", "lost", 2500, payment.DisputeLost},
		{"chargeback", "closed", 0, payment.DisputeWon},
		{"chargeback", "closed", 2500, payment.DisputeLost},
		{"retrieval", "open", 0, ""},
		{"fraud", "under_review", 0, ""},
		{"fraud", "won", 0, ""},
		{"retrieval", "closed", 0, ""},
		{"fraud", "closed", 2500, payment.DisputeLost},
		{"retrieval", "lost", 2500, payment.DisputeLost},
	} {
		f := paid()
		f.disputes = []record{dispute("disp_1", "pay_2", c.phase, c.status, c.deducted)}
		s := fetch(t, f, ours)
		if c.want == "" && len(s.Disputes) == 0 {
			continue
		}
		if len(s.Disputes) != 1 || s.Disputes[0].Status != c.want {
			t.Errorf("%+v: %+v", c, s.Disputes)
		}
	}
}

func TestADisputeInAnotherCurrencyHasNoAmount(t *testing.T) {
	t.Parallel()
	f := paid()
	f.disputes = []record{dispute("disp_1", "pay_2", "chargeback", "open", 0).with(record{"currency": "USD"})}
	if s := fetch(t, f, ours); len(s.Disputes) != 1 || s.Disputes[0].Amount.Sign() != 0 {
		t.Errorf("%+v", s.Disputes)
	}
}

func TestAllPagesOfDisputesAndRefundsAreRead(t *testing.T) {
	t.Parallel()
	f := paid()
	f.payments[1] = f.payments[1].with(record{"amount_refunded": 101, "refund_status": "partial"})
	f.disputes = append(f.disputes, dispute("disp_old", "pay_2", "chargeback", "lost", 2500))
	for i := range 250 {
		f.disputes = append(f.disputes, dispute(fmt.Sprintf("disp_%d", i), "pay_9", "chargeback", "open", 0))
	}
	for i := range 101 {
		f.refunds = append(f.refunds, refund(fmt.Sprintf("rfnd_%d", i), "pay_2", 1, "processed"))
	}
	s := fetch(t, f, ours)
	if len(s.Disputes) != 1 || s.Disputes[0].Ref != "disp_old" || !s.Refunded.Equal(paise(101)) || len(s.Refunds) != 101 {
		t.Errorf("%+v", s)
	}
}

func TestALinkThatNamesNoOrderMayHaveOne(t *testing.T) {
	t.Parallel()
	for _, ref := range []string{ours, "pay_2", "order_A", "plink_A"} {
		f := paid()
		f.links = []record{link("expired", 0)}
		delete(f.links[0], "order_id")
		if s := fetch(t, f, ref); s.Ref != ours || s.Status != payment.Paid || !s.Received.Equal(paise(2500)) {
			t.Errorf("by %s: %+v", ref, s)
		}
	}
}

func TestTheMerchantsReferenceIsFoundWhereverItIs(t *testing.T) {
	t.Parallel()
	none := func(f *fake) { f.orders[0]["notes"], f.orders[0]["receipt"] = []any{}, nil }
	for name, change := range map[string]func(*fake){
		"in the receipt":              func(f *fake) { f.orders[0]["notes"] = []any{} },
		"in the order's notes":        func(f *fake) { f.orders[0]["receipt"] = "Receipt No. 1" },
		"in another payment's notes":  func(f *fake) { none(f); f.payments[0]["notes"] = record{"order_ref": ours} },
		"in the link of that payment": func(f *fake) { none(f) },
	} {
		f := paid()
		change(f)
		if s := fetch(t, f, "pay_2"); s.Ref != ours || s.OrderRef != ours || s.Status != payment.Paid {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestPaymentsOfOthersHaveReferencesOfTheirOwn(t *testing.T) {
	t.Parallel()
	f := &fake{
		orders:   []record{order(2500).with(record{"id": "order_B", "receipt": nil, "notes": []any{}})},
		payments: []record{attempt("pay_1", "captured").with(record{"order_id": "order_B"}), attempt("pay_2", "captured").with(record{"order_id": nil}), attempt("pay_3", "failed").with(record{"order_id": ""})},
	}
	for ref, want := range map[string]string{"pay_1": "order_B", "order_B": "order_B", "pay_2": "pay_2"} {
		if s := fetch(t, f, ref); s.Ref != want || s.OrderRef != "" || s.Status != payment.Paid {
			t.Errorf("by %s: %+v", ref, s)
		}
	}
	if s := fetch(t, f, "pay_3"); s.Status != payment.Failed {
		t.Errorf("%+v", s)
	}
}

func TestMoneyBesideThePageIsAPaymentOfItsOwn(t *testing.T) {
	t.Parallel()
	f := paid()
	f.orders = append(f.orders, order(2500).with(record{"id": "order_B"}))
	f.payments = append(f.payments, attempt("pay_3", "captured").with(record{"order_id": "order_B"}))
	if s := fetch(t, f, "pay_3"); s.Ref != "order_B" || s.OrderRef != ours || !s.Received.Equal(paise(2500)) {
		t.Errorf("%+v", s)
	}
	if s := fetch(t, f, ours); s.Ref != ours || !s.Received.Equal(paise(2500)) {
		t.Errorf("%+v", s)
	}
}

func TestAnOrderWithoutALinkIsFoundByItsReceipt(t *testing.T) {
	t.Parallel()
	f := paid()
	f.links = nil
	for _, ref := range []string{ours, "pay_2"} {
		if s := fetch(t, f, ref); s.Ref != ours || s.Status != payment.Paid {
			t.Errorf("by %s: %+v", ref, s)
		}
	}
}

func TestAnotherCurrencyThanAskedForIsTold(t *testing.T) {
	t.Parallel()
	f := paid()
	f.payments[1] = f.payments[1].with(record{"currency": "USD"})
	f.links[0], f.orders[0] = link("created", 0), order(0)
	s := fetch(t, f, ours)
	if d := payment.Next(payment.Record{Amount: paise(2500), Currency: "INR"}, s); d.Verdict != payment.NeedsReview || d.Reason != payment.CurrencyMismatch {
		t.Errorf("%+v: %s %s", s, d.Verdict, d.Reason)
	}
}

func TestYenAndDinarAreCountedInTheirOwnUnits(t *testing.T) {
	t.Parallel()
	for currency, amount := range map[string]int{"JPY": 5800, "KWD": 2950} {
		f := paid()
		for _, r := range [][]record{f.links, f.orders, f.payments} {
			for _, record := range r {
				record["currency"], record["amount"] = currency, amount
			}
		}
		if s := fetch(t, f, ours); s.Currency != currency || !s.Amount.Equal(paise(int64(amount))) || s.Status != payment.Paid {
			t.Errorf("%s: %+v", currency, s)
		}
	}
}

func TestAnswersInDoubtAreForLater(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fake){
		"an unknown status of a payment": func(f *fake) { f.payments[0]["status"] = "dancing" },
		"an unknown status of a link":    func(f *fake) { f.links[0]["status"] = "dancing" },
		"an unknown status of a refund":  func(f *fake) { f.refunds = []record{refund("rfnd_1", "pay_2", 1, "dancing")} },
		"an unknown status of a dispute": func(f *fake) { f.disputes = []record{dispute("disp_1", "pay_2", "chargeback", "dancing", 0)} },
		"an unknown currency":            func(f *fake) { f.links[0]["currency"] = "XXX" },
		"a currency in small letters":    func(f *fake) { f.links[0]["currency"] = "inr" },
		"no amount":                      func(f *fake) { delete(f.links[0], "amount") },
		"an amount in a text":            func(f *fake) { f.payments[1]["amount"] = "2500" },
		"an amount with decimals":        func(f *fake) { f.payments[1]["amount"] = 2500.5 },
		"more counted than listed":       func(f *fake) { f.links[0]["amount_paid"] = 5000 },
		"paid without a payment":         func(f *fake) { f.payments, f.links[0]["amount_paid"] = nil, 0 },
		"more refunded than listed":      func(f *fake) { f.payments[1]["amount_refunded"] = 1 },
		"a refund in another currency": func(f *fake) {
			f.refunds = []record{refund("rfnd_1", "pay_2", 1, "processed").with(record{"currency": "USD"})}
		},
		"refunded, and captured isn't told":    func(f *fake) { f.payments[0]["status"], f.payments[0]["captured"] = "refunded", nil },
		"no time for the search of disputes":   func(f *fake) { delete(f.payments[1], "created_at") },
		"two links with one reference":         func(f *fake) { f.links = append(f.links, f.links[0].with(record{"id": "plink_B"})) },
		"a dispute without a payment":          func(f *fake) { f.disputes = []record{dispute("disp_1", "", "chargeback", "open", 0)} },
		"a payment that is null":               func(f *fake) { f.payments[1]["id"] = nil },
		"a list that doesn't end":              func(f *fake) { f.disputes = slices.Repeat([]record{dispute("d", "pay_9", "fraud", "open", 0)}, 2000) },
		"two orders with one receipt, no link": func(f *fake) { f.links, f.orders = nil, append(f.orders, f.orders[0].with(record{"id": "order_B"})) },
	} {
		f := paid()
		change(f)
		s, err := f.adapter(t).Fetch(t.Context(), ours)
		if !errors.Is(err, payment.ErrLater) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		quiet(t, err)
	}
}

func quiet(t testing.TB, err error) {
	t.Helper()
	for _, hidden := range []string{"canary", "dancing", secret} {
		if strings.Contains(fmt.Sprint(err), hidden) {
			t.Errorf("the error says too much: %v", err)
		}
	}
}

func TestUnknownReferencesAreNotFound(t *testing.T) {
	t.Parallel()
	a := paid().adapter(t)
	for _, ref := range []string{"", ".", "..", " x", strings.Repeat("x", 256), "pay_9", "pay_../../orders", "order_9", "plink_9", "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001/2", "a&payment_id=pay_2"} {
		if s, err := a.Fetch(t.Context(), ref); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %+v, %v", ref, s, err)
		}
	}
}

func TestFailuresOfEachCallHaveTheirKind(t *testing.T) {
	t.Parallel()
	f := paid()
	f.refunds = []record{refund("rfnd_1", "pay_9", 1, "processed")}
	fetch(t, f, "pay_2")
	if len(f.asked) != 6 {
		t.Errorf("asked %q", f.asked)
	}
	for _, address := range slices.Clone(f.asked) {
		for status, kind := range map[int]error{401: payment.ErrUnauthorised, 403: payment.ErrUnauthorised, 400: payment.ErrRefused, 302: payment.ErrLater} {
			broken := paid()
			broken.before = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method+" "+r.URL.RequestURI() != address {
					return false
				}
				refuse(w, status, "canary canary")
				return true
			}
			_, err := broken.adapter(t).Fetch(t.Context(), "pay_2")
			if !errors.Is(err, kind) {
				t.Errorf("%s, status %d: %v", address, status, err)
			}
			quiet(t, err)
		}
	}
}
