package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/payment"
)

func TestTheOrderPageSaysWhatBecameOfTheMoney(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	for name, want := range map[string]struct {
		told     snapshots
		headline string
		payment  string // pill
		delivery string // pill
		says     []string
		lacks    []string
		history  string // sentence of the newest entry of the payment
		changes  []string
		waits    bool
	}{
		"reserved": {
			told: snapshots{reserved}, headline: "Payment reserved", payment: "Reserved", delivery: "After payment", waits: true,
			says:    []string{"Your payment is reserved. We send your key as soon as it is taken.", "Payment : does not hold. is authorised must be paid"},
			lacks:   []string{"Continue to payment", "Pay now", "or pay with", "Show key"},
			history: "The payment was reserved; it is not taken yet.", changes: []string{"Payment pending reserved"},
		},
		"reserved, then taken": {
			told: snapshots{reserved, arrived}, headline: "Paid", payment: "Paid", delivery: "Delivered", says: []string{"Show key"},
			history: "Paid in full.", changes: []string{"Payment reserved paid"},
		},
		"reserved, then failed": {
			told:     snapshots{reserved, func(p *payment.Snapshot) { reserved(p); p.Status = payment.Failed }},
			headline: "Payment failed", payment: "Failed", delivery: "After payment", says: []string{"nothing was taken", "Pay again", "or pay with"},
			history: "The payment failed.",
		},
		"disputed": {
			told: snapshots{arrived, disputed(payment.DisputeOpen)}, headline: "Payment disputed", payment: "Disputed", delivery: "Suspended",
			says: []string{"Your bank disputes this payment. Your license rests until that is settled.", "It rests while your bank disputes the payment.",
				"Why it rests", "Dispute : does not hold. is open must be none open or lost", "0.05 USDC Open Your bank asks for this amount back."},
			lacks:   []string{"Show key", "License file", "fraudulent", "Pay again"},
			history: "Your bank disputes the payment.", changes: []string{"Dispute none open", "Delivery delivered suspended", "Licenses suspended 0 1"},
		},
		"disputed before delivery": {
			told: snapshots{func(p *payment.Snapshot) { disputed(payment.DisputeOpen)(p) }}, headline: "Payment disputed", payment: "Disputed", delivery: "Held back",
			says: []string{"Nothing is delivered until that is settled.", "Why it is not delivered yet"}, lacks: []string{"Show key"},
		},
		"dispute won": {
			told: snapshots{arrived, disputed(payment.DisputeOpen), disputed(payment.DisputeWon)}, headline: "Paid", payment: "Paid", delivery: "Delivered",
			says:    []string{"The dispute is settled and the payment stands", "Show key", "License file", "0.05 USDC Settled It was decided that the payment stands."},
			history: "The dispute is settled: the payment stands.", changes: []string{"Dispute open settled, the payment stands", "Licenses valid again 0 1"},
		},
		"dispute lost": {
			told: snapshots{arrived, disputed(payment.DisputeOpen), disputed(payment.DisputeLost)}, headline: "Payment charged back", payment: "Charged back", delivery: "Revoked",
			says: []string{"Your bank took this payment back. Your license is no longer valid.", "It ended when your bank took money back.",
				"Charged back 0.05 USDC", "Why it has ended", "is charged back must be none open or lost"},
			lacks:   []string{"Show key", "License file", "Pay again"},
			history: "Your bank took money back.", changes: []string{"Dispute open charged back", "Licenses revoked 0 1"},
		},
		"a part of a dispute's money lost": {
			told: snapshots{arrived, lostPart}, headline: "Payment partly charged back", payment: "Charged back", delivery: "Revoked",
			says: []string{"Your bank took 0.01 USDC of this payment back. Your license is no longer valid.", "Charged back 0.01 USDC",
				"It ended when your bank took money back.", "has ended because your bank took money back"},
			lacks:   []string{"took this payment back", "took the payment back"},
			history: "Your bank took money back.",
		},
		"taken back": {
			told: snapshots{arrived, takenBack}, headline: "Payment taken back", payment: "Taken back", delivery: "Revoked",
			says: []string{"The payment had arrived and was taken back, so your license has ended.", "It ended when the payment was taken back.",
				"Taken back 0.05 USDC", "Pay again", "or pay with"},
			lacks:   []string{"Show key", "License file", "nothing was taken"},
			history: "The payment had arrived and was taken back.", changes: []string{"Payment paid failed", "Licenses revoked 0 1"},
		},
		"a refund on its way": {
			told:     snapshots{arrived, refunded(payment.PartiallyRefunded, refund("re_1", 20000, payment.RefundPending))},
			headline: "Partially refunded", payment: "Partially refunded", delivery: "Delivered",
			says:    []string{"0.02 USDC On its way", "Show key"},
			history: "Money was sent back.", changes: []string{"Refund none partial", "Refunded 0.00 USDC 0.02 USDC"},
		},
		"a refund that arrived": {
			told: snapshots{arrived, refunded(payment.PartiallyRefunded, refund("re_1", 20000, payment.RefundPending)),
				refunded(payment.PartiallyRefunded, refund("re_1", 20000, payment.RefundDone))},
			headline: "Partially refunded", payment: "Partially refunded", delivery: "Delivered", says: []string{"0.02 USDC Sent back"},
			history: "A refund moved on.", changes: []string{"Refund re_1-", "on its way sent back"},
		},
		"a refund that came back": {
			told:     snapshots{arrived, refunded(payment.PartiallyRefunded, refund("re_1", 20000, payment.RefundDone)), returned},
			headline: "Paid", payment: "Paid", delivery: "Delivered",
			says:    []string{"0.02 USDC Did not arrive", "the money is with us"},
			history: "A refund did not arrive and came back to us.", changes: []string{"Refunded 0.02 USDC 0.00 USDC"},
		},
		"refunded in two parts": {
			told:     snapshots{arrived, refunded(payment.FullyRefunded, refund("re_1", 20000, payment.RefundDone), refund("re_2", 30000, payment.RefundDone))},
			headline: "Refunded", payment: "Refunded", delivery: "Revoked",
			says: []string{"Refunds", "0.02 USDC Sent back", "0.03 USDC Sent back", "It ended with the full refund."}, lacks: []string{"Show key"},
			history: "Money was sent back.",
		},
	} {
		o, _ := s.Buy(1)
		for _, change := range want.told {
			tell(s, o.ID, change)
		}
		page := b.Get(pathOf(s, o.Number))
		wantStatus(t, page, http.StatusOK)
		doc := parse(t, page)
		pills := doc.Find(".state .facts .pill").Map(func(_ int, e *goquery.Selection) string { return e.Text() })
		if got := words(doc, "#state-heading"); got != want.headline || !slices.Equal(pills, []string{want.payment, want.delivery}) {
			t.Errorf("%s: the page says %q, %q", name, got, pills)
		}
		text := spaced(doc.Find("main"))
		for _, w := range want.says {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the page doesn't say %q:\n%s", name, w, text)
			}
		}
		for _, w := range want.lacks {
			if strings.Contains(strings.ToLower(text), strings.ToLower(w)) {
				t.Errorf("%s: the page says %q:\n%s", name, w, text)
			}
		}
		if got := strings.Contains(page.Body, `<noscript><meta http-equiv="refresh"`); got != want.waits {
			t.Errorf("%s: that the page refreshes itself is %t", name, got)
		}
		told := slices.IndexFunc(entries(doc), func(e entry) bool { return want.history == "" || e.sentence == want.history })
		if told < 0 {
			t.Errorf("%s: the history doesn't say %q: %+v", name, want.history, entries(doc))
			continue
		}
		for _, c := range want.changes {
			if got := entries(doc)[told].changes; !strings.Contains(got, c) {
				t.Errorf("%s: the history doesn't say %q but %q", name, c, got)
			}
		}
	}
}

func TestOnlyOrdersWithRefundsOrDisputesListThem(t *testing.T) {
	t.Parallel()
	s := open(t)
	o, _ := s.Buy(1)
	tell(s, o.ID, arrived)
	if doc := parse(t, s.Browser().Get(pathOf(s, o.Number))); doc.Find(".movements").Length() != 0 {
		t.Errorf("the page lists %q", words(doc, ".movements"))
	}
}
