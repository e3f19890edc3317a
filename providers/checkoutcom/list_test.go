package checkoutcom_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/checkoutcom"
)

// all reads a list to its end.
func all(t *testing.T, a *checkoutcom.Adapter, since time.Time, limit int) (refs []string, pages int) {
	t.Helper()
	cursor := ""
	for {
		payments, next, err := a.List(t.Context(), since, cursor, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range payments {
			refs = append(refs, s.Ref+" "+string(s.Status))
		}
		if pages++; next == "" {
			return refs, pages
		}
		cursor = next
	}
}

func TestListedPaymentsAreWholeWhateverTheSearchSays(t *testing.T) {
	t.Parallel()
	other := captured("pay_3", 900)
	other.reference = "another"
	alone := attempted("pay_0", "Declined")
	alone.reference = ""
	p := &platform{payments: []*pay{attempted("pay_4", "Declined"), other, captured("pay_2", 2500), attempted("pay_1", "Declined"), alone}}
	refs, pages := all(t, serve(t, p), time.Time{}, 2)
	// The search goes page by page through attempts: one payment may come again.
	want := []string{ref + " paid", "another paid", ref + " paid", "pay_0 failed"}
	if !slices.Equal(refs, want) || pages != 3 {
		t.Errorf("%q on %d pages", refs, pages)
	}
	if body := p.bodies[0]; body != `{"from":"2022-06-01T00:00:00Z","limit":2,"to":"2026-01-01T01:00:06Z"}` {
		t.Error(body)
	}
}

func TestAttemptsOfOnePaymentOnOnePageAreListedOnce(t *testing.T) {
	t.Parallel()
	p := &platform{payments: []*pay{captured("pay_2", 2500), attempted("pay_1", "Declined")}}
	payments, next, err := serve(t, p).List(t.Context(), time.Time{}, "", 0)
	if err != nil || next != "" || len(payments) != 1 || payments[0].Status != payment.Paid || payments[0].OrderRef != ref {
		t.Errorf("%+v, next %q, %v", payments, next, err)
	}
}

func TestDisputesThatChangedBringTheirPayments(t *testing.T) {
	t.Parallel()
	p := &platform{}
	old := captured("pay_old", 2500)
	a := serve(t, p)
	since := now.Add(-time.Hour)
	if refs, _ := all(t, a, since, 1); refs != nil {
		t.Errorf("of nothing: %q", refs)
	}
	// The window's search doesn't find it: only the disputes tell of it.
	for i := range 3 {
		p.disputes = append(p.disputes, strings.Replace(dispute(fmt.Sprintf("dsp_%d", i), "pay_old", "lost"), ref, fmt.Sprintf("order-%d", i), 1))
	}
	p.disputes = append(p.disputes, strings.Replace(dispute("dsp_3", "pay_old", "won"), ref, "", 1))
	p.payments, p.unlisted = []*pay{old}, map[string]bool{"pay_old": true}
	cursor, found := "disputes:0", []string{}
	for cursor != "" {
		payments, next, err := a.List(t.Context(), since, cursor, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range payments {
			found = append(found, s.Ref)
		}
		cursor = next
	}
	if want := []string{"order-0", "order-1", "order-2", ref}; !slices.Equal(found, want) {
		t.Errorf("%q", found)
	}
	if i := slices.IndexFunc(p.asked, func(s string) bool {
		return strings.HasPrefix(s, "GET /disputes?from=2026-01-01T00%3A00%3A05Z&limit=1&skip=0")
	}); i < 0 {
		t.Errorf("asked %q", p.asked)
	}
}

func TestAPageIsWholeOrAnError(t *testing.T) {
	t.Parallel()
	pesos := captured("pay_1", 2500)
	pesos.currency = "CLP"
	p := &platform{payments: []*pay{captured("pay_2", 2500), pesos}}
	p.payments[0].reference = "another"
	if payments, next, err := serve(t, p).List(t.Context(), now, "", 0); !errors.Is(err, payment.ErrLater) || payments != nil || next != "" {
		t.Errorf("%+v, %q, %v", payments, next, err)
	}
}

func TestASearchIsFollowedAtItsOwnAddressOnly(t *testing.T) {
	t.Parallel()
	p := &platform{payments: []*pay{captured("pay_2", 2500), captured("pay_1", 2500)}}
	a := serve(t, p)
	_, next, err := a.List(t.Context(), now, "", 1)
	if err != nil || next != "nGd7-alt?token=1" {
		t.Fatalf("%q, %v", next, err)
	}
	if _, _, err := a.List(t.Context(), now, next, 1); err != nil || !slices.Contains(p.asked, "GET /payments/search/nGd7-alt?token=1") {
		t.Errorf("asked %q, %v", p.asked, err)
	}
	for _, cursor := range []string{"../x?token=1", "a/b?token=1", "?token=1", "a?token=%zz", "disputes:x", "disputes:-1", "disputes:", strings.Repeat("a", 300)} {
		before := len(p.asked)
		if _, _, err := a.List(t.Context(), now, cursor, 1); !errors.Is(err, payment.ErrRefused) || len(p.asked) != before {
			t.Errorf("%q: asked %q, %v", cursor, p.asked[before:], err)
		}
	}
}

func TestALinkThatCannotBeFollowedIsForLater(t *testing.T) {
	t.Parallel()
	for _, link := range []string{
		"https://api.example/payments/search/a", "https://api.example/other/a?token=1", "https://api.example/payments/search/a/b?token=1", "://", "https://api.example/payments/search/same?token=1",
	} {
		a := answering(t, text(`{"data":[],"_links":{"next":{"href":"`+link+`"}}}`))
		if _, _, err := a.List(t.Context(), now, "same?token=1", 1); !errors.Is(err, payment.ErrLater) {
			t.Errorf("%s: %v", link, err)
		}
	}
}
