package razorpay_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
)

// shopful are three orders with three attempts each, the last of them captured.
func shopful() *fake {
	f := &fake{}
	for i := range 3 {
		name := fmt.Sprintf("order_%d", i)
		f.orders = append(f.orders, order(2500).with(record{"id": name, "receipt": fmt.Sprintf("ORD-%d", i), "notes": []any{}}))
		f.links = append(f.links, link("paid", 2500).with(record{"id": fmt.Sprintf("plink_%d", i), "order_id": name, "reference_id": fmt.Sprintf("ORD-%d", i)}))
		for j, status := range []string{"failed", "failed", "captured"} {
			f.payments = append(f.payments, attempt(fmt.Sprintf("pay_%d%d", i, j), status).with(record{"order_id": name, "created_at": born + 1000*i + j}))
		}
	}
	return f
}

// listed reads all pages.
func listed(t *testing.T, f *fake, since time.Time, limit int) (refs []string, pages int) {
	t.Helper()
	a := f.adapter(t)
	for cursor := ""; ; pages++ {
		payments, next, err := a.List(t.Context(), since, cursor, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range payments {
			if s.Status != payment.Paid || !s.Received.Equal(paise(2500)) {
				t.Errorf("%+v", s)
			}
			refs = append(refs, s.Ref)
		}
		if next == "" {
			return refs, pages + 1
		}
		if pages > 50 {
			t.Fatal("there is no end")
		}
		cursor = next
	}
}

func TestAListedOrderIsOneSnapshot(t *testing.T) {
	t.Parallel()
	refs, pages := listed(t, shopful(), time.Time{}, 100)
	if !slices.Equal(refs, []string{"ORD-2", "ORD-1", "ORD-0"}) || pages != 3 {
		t.Errorf("%v on %d pages", refs, pages)
	}
}

func TestPagesTogetherHoldEveryPayment(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, 2, 4, 9, 10} {
		refs, _ := listed(t, shopful(), time.Time{}, limit)
		slices.Sort(refs)
		if !slices.Equal(slices.Compact(refs), []string{"ORD-0", "ORD-1", "ORD-2"}) {
			t.Errorf("by %d: %v", limit, refs)
		}
	}
}

func TestAnOldPaymentIsListedForItsRefundOrDispute(t *testing.T) {
	t.Parallel()
	f := shopful()
	f.refunds = []record{refund("rfnd_1", "pay_02", 100, "processed").with(record{"created_at": born + 3000})}
	f.disputes = []record{dispute("disp_1", "pay_12", "chargeback", "open", 0).with(record{"created_at": born + 3000})}
	for since, want := range map[int64][]string{born + 1500: {"ORD-2", "ORD-0", "ORD-1"}, born + 2500: {"ORD-0", "ORD-1"}, born + 3300: nil} {
		if refs, _ := listed(t, f, time.Unix(since, 0), 10); !slices.Equal(refs, want) {
			t.Errorf("since %d: %v", since, refs)
		}
	}
}

// New payments come first and push the others to the next page.
func TestPaymentsThatComeWhileReadingMoveNoPage(t *testing.T) {
	t.Parallel()
	f := shopful()
	a := f.adapter(t)
	first, next, err := a.List(t.Context(), time.Time{}, "", 3)
	if err != nil || len(first) != 1 || first[0].Ref != "ORD-2" {
		t.Fatalf("%+v, %v", first, err)
	}
	f.payments = append(f.payments, attempt("pay_new", "captured").with(record{"order_id": "order_0", "created_at": int(now.Unix()) + 1}))
	second, _, err := a.List(t.Context(), time.Time{}, next, 3)
	if err != nil || len(second) != 1 || second[0].Ref != "ORD-1" {
		t.Errorf("%+v, %v", second, err)
	}
}

func TestCursorsOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	a := shopful().adapter(t)
	for _, cursor := range []string{"x", "1.2", "1.3.0", "1.-1.0", "1.0.-1", "1.0.0.0", "x.0.0", "1.x.0", "1.0.x"} {
		if _, _, err := a.List(t.Context(), time.Time{}, cursor, 1); !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", cursor, err)
		}
	}
}

func TestAPageHoldsAllOrIsAnError(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fake){
		"a payment of an unknown status":   func(f *fake) { f.payments[8]["status"] = "dancing" },
		"a payment of an unknown order":    func(f *fake) { f.payments[8]["order_id"] = "order_9" },
		"a payment without id":             func(f *fake) { f.payments[8]["id"] = nil },
		"a list that counts more payments": func(f *fake) { f.links[0]["amount_paid"] = 2501 },
	} {
		f := shopful()
		change(f)
		payments, next, err := f.adapter(t).List(t.Context(), time.Time{}, "", 10)
		if err == nil || payments != nil || next != "" {
			t.Errorf("%s: %v %q", name, payments, next)
		}
		quiet(t, err)
	}
}

func TestTheWindowAndTheLimitAreAskedFor(t *testing.T) {
	t.Parallel()
	f := shopful()
	a := f.adapter(t)
	if _, _, err := a.List(t.Context(), time.Unix(born, 0), "", 1000); err != nil {
		t.Fatal(err)
	}
	if want := "GET /v1/payments?count=100&from=1767225600&skip=0&to=1767229205"; f.asked[0] != want {
		t.Errorf("asked %s", f.asked[0])
	}
	if n := len(slices.DeleteFunc(slices.Clone(f.asked), func(s string) bool { return !strings.Contains(s, "/disputes") })); n != 1 {
		t.Errorf("asked for disputes %d times", n)
	}
}
