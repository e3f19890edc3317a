package payflow_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
)

// many are payments that changed in these seconds after a time long ago.
func many(seconds ...int) *fake {
	f := &fake{}
	for i, s := range seconds {
		f.payments = append(f.payments, paid(fmt.Sprintf("ORD-%d", i)).with(record{"updatedAt": 1000 + s}))
	}
	return f
}

// listed reads all pages; between is called after each.
func listed(t *testing.T, f *fake, since time.Time, limit int, between func()) (refs []string) {
	t.Helper()
	a := f.adapter(t)
	cursor := ""
	for range 100 {
		payments, next, err := a.List(t.Context(), since, cursor, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range payments {
			refs = append(refs, s.Ref)
		}
		if next == "" {
			return refs
		}
		cursor = next
		between()
	}
	t.Fatal("there is no end")
	return nil
}

func TestPagesTogetherHoldEveryPayment(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{0, 1, 2, 3, 4, 7, 8, 1000} {
		f := many(1, 2, 2, 2, 2, 3, 9)
		refs := listed(t, f, time.Time{}, limit, func() {})
		slices.Sort(refs)
		if want := []string{"ORD-0", "ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5", "ORD-6"}; !slices.Equal(slices.Compact(refs), want) {
			t.Errorf("by %d: %v", limit, refs)
		}
	}
	if refs := listed(t, many(1, 2, 3), time.Unix(1002, 0), 10, func() {}); !slices.Equal(refs, []string{"ORD-1", "ORD-2"}) {
		t.Errorf("since the second: %v", refs)
	}
	if refs := listed(t, many(), time.Time{}, 10, func() {}); refs != nil {
		t.Errorf("of none: %v", refs)
	}
}

// What changes moves to the end of the list, and all behind it move up.
func TestAPaymentThatMovesMakesNoOtherBePassedOver(t *testing.T) {
	t.Parallel()
	f := many(1, 2, 3, 4, 5, 6)
	moved := false
	refs := listed(t, f, time.Time{}, 2, func() {
		f.Lock()
		defer f.Unlock()
		if !moved {
			f.payments[0]["updatedAt"], moved = 2000, true
		}
	})
	slices.Sort(refs)
	if want := []string{"ORD-0", "ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"}; !slices.Equal(slices.Compact(refs), want) {
		t.Errorf("%v", refs)
	}
}

func TestThePageIsAskedFor(t *testing.T) {
	t.Parallel()
	f := many(1)
	if _, _, err := f.adapter(t).List(t.Context(), time.Unix(900, 5), "", 1000); err != nil || f.asked[0] != "GET /v1/payments?count=100&from=900&skip=0" {
		t.Errorf("asked %q, %v", f.asked, err)
	}
}

func TestCursorsOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	a := many(1).adapter(t)
	for _, cursor := range []string{"x", "1", ".", "1.", ".1", "-1.0", "1.-1", "1.0.0"} {
		if _, _, err := a.List(t.Context(), time.Time{}, cursor, 1); !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", cursor, err)
		}
	}
}

func TestAPageHoldsAllOrIsAnError(t *testing.T) {
	t.Parallel()
	for name, items := range map[string]any{
		"not a list":          record{},
		"none":                nil,
		"a payment in doubt":  []any{paid("a"), paid("b").with(record{"status": "dancing"})},
		"a payment of null":   []any{paid("a"), nil},
		"without a time":      []any{paid("a").with(record{"updatedAt": nil})},
		"the newest first":    []any{paid("a"), paid("b").with(record{"updatedAt": 1})},
		"older than asked":    []any{paid("a").with(record{"updatedAt": 1})},
		"a text, not numbers": []any{paid("a").with(record{"amount": "1"})},
	} {
		body := record{"count": 0}
		if items != nil {
			body["items"] = items
		}
		f := &fake{before: func(w http.ResponseWriter, r *http.Request) bool { answer(w, body); return true }}
		payments, next, err := f.adapter(t).List(t.Context(), time.Unix(100, 0), "", 10)
		if !errors.Is(err, payment.ErrLater) || payments != nil || next != "" {
			t.Errorf("%s: %v %q %v", name, payments, next, err)
		}
		quiet(t, err)
	}
	f := &fake{before: func(w http.ResponseWriter, r *http.Request) bool { refuse(w, 400, "NO"); return true }}
	if _, _, err := f.adapter(t).List(t.Context(), time.Time{}, "", 10); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "list payments") {
		t.Error(err)
	}
}
