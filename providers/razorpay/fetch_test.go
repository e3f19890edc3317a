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
		"a list that doesn't end":              func(f *fake) { f.disputes = many(2000, dispute("d", "pay_9", "fraud", "open", 0)) },
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

func TestARecordCostsAsManyCallsAsIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ref               string
		waiting, captured int
	}{{ours, 2, 4}, {"plink_A", 2, 4}, {"order_A", 3, 5}, {"pay_1", 4, 6}} {
		waiting, captured := paid(), paid()
		waiting.payments, waiting.links = []record{attempt("pay_1", "failed")}, []record{link("created", 0)}
		waiting.orders = []record{order(0)}
		for f, want := range map[*fake]int{waiting: c.waiting, captured: c.captured} {
			if fetch(t, f, c.ref); len(f.asked) != want {
				t.Errorf("%s: %d calls, want %d: %q", c.ref, len(f.asked), want, f.asked)
			}
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
