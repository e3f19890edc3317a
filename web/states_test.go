package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"onceshop/fulfillment"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// report lets the platform's record be what change makes of it, and settles the
// event that tells of it.
func report(s *shoptest.Pages, id, eventType string, change func(*shoptest.Order)) {
	s.Helper()
	if got := s.Report(eventType, s.Platform.Order(id).With(change)); got.Status != http.StatusOK {
		s.Fatalf("the event is answered %d: %s", got.Status, got.Body)
	}
	s.Settle()
}

func paid(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "paid" }

func TestTheOrderPageSaysWhereThePaymentStands(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	type state struct {
		make     func(o db.Order, id string)
		query    string
		headline string
		payment  string // pill
		delivery string // pill
		says     []string
		lacks    []string
		waits    bool // refreshes itself
		payable  string
	}
	for name, want := range map[string]state{
		"nothing has happened": {
			headline: "Waiting for payment", payment: "Waiting", delivery: "After payment", waits: true, payable: "a#pay",
			lacks: []string{"Confirming your payment", "license is below"},
		},
		"success in the address": {
			query: "?status=success", headline: "Waiting for payment", payment: "Waiting", delivery: "After payment", waits: true, payable: "a#pay",
			lacks: []string{"thank", "Delivered."},
		},
		"back from the payment page": {
			query: "?returned=" + since(time.Second), headline: "Confirming your payment", payment: "Confirming", delivery: "After payment", waits: true,
			says:  []string{"you do not need to pay again", "Back to the payment page", "Keep this page’s address"},
			lacks: []string{"thank", "Still confirming"},
		},
		"back for two minutes without news": {
			query: "?returned=" + since(121*time.Second), headline: "Confirming your payment", payment: "Confirming", delivery: "After payment", waits: true,
			says: []string{"Still confirming – you do not need to pay again; we will mail you"},
		},
		"a nonsensical return": {
			query: "?returned=yesterday", headline: "Waiting for payment", payment: "Waiting", delivery: "After payment", waits: true, payable: "a#pay",
		},
		"seen on the chain": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.confirming", func(o *shoptest.Order) { o.Revision, o.PaymentStatus, o.Confirmations = "2", "confirming", 0 })
			},
			headline: "Confirming your payment", payment: "Confirming", delivery: "After payment", waits: true,
			says: []string{"The payment was seen"}, lacks: []string{"Still confirming", "failed"},
		},
		"confirmations": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.confirming", func(o *shoptest.Order) { o.Revision, o.PaymentStatus, o.Confirmations = "2", "confirming", 2 })
			},
			headline: "Confirming your payment", payment: "Confirming", delivery: "After payment", waits: true,
			says: []string{"2 confirmations so far"},
		},
		"confirming for more than two minutes": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.confirming", func(o *shoptest.Order) { o.Revision, o.PaymentStatus, o.Confirmations = "2", "confirming", 1 })
				s.Exec("UPDATE shop_payments SET updated_at = NOW(6) - INTERVAL 121 SECOND WHERE provider_ref = ?", id)
			},
			headline: "Confirming your payment", payment: "Confirming", delivery: "After payment", waits: true,
			says: []string{"Still confirming – you do not need to pay again; we will mail you"}, lacks: []string{"failed"},
		},
		"partly paid": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.pending", func(o *shoptest.Order) { o.Revision, o.ReceivedAmount = "2", "20000" })
			},
			headline: "Partly paid: 0.02 USDC of 0.05 USDC received", payment: "Partly paid", delivery: "After payment", waits: true, payable: "a#pay",
			says: []string{"The rest is still missing"},
		},
		"paid, not yet delivered": {
			make: func(_ db.Order, id string) {
				s.Report("payment.paid", s.Platform.Order(id).With(paid))
				if _, err := s.Processor.RunOnce(s.Context()); err != nil {
					t.Fatal(err)
				}
			},
			headline: "Your key is being prepared", payment: "Paid", delivery: "In preparation", waits: true,
		},
		"delivered": {
			make:     func(_ db.Order, id string) { report(s, id, "payment.paid", paid) },
			headline: "Paid", payment: "Paid", delivery: "Delivered", says: []string{"Delivered: your license is below", "Show key", "License file"},
		},
		"the wrong amount": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.paid", func(o *shoptest.Order) { paid(o); o.Amount = "10" })
			},
			headline: "Payment under review", payment: "Under review", delivery: "After payment",
			says:  []string{"Review: does not hold. is not the amount that was asked for must be none"},
			lacks: []string{"thank", "Show key", "amount_mismatch"},
		},
		"the wrong currency": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.paid", func(o *shoptest.Order) { paid(o); o.Currency = "EURC" })
			},
			headline: "Payment under review", payment: "Under review", delivery: "After payment",
			says: []string{"not the currency that was asked for"},
		},
		"withheld for risk": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.paid", func(o *shoptest.Order) { paid(o); o.FulfillmentDecision = "review" })
			},
			headline: "Payment under review", payment: "Paid", delivery: "Held back",
			says: []string{"held back", "Decision", "must be allow"}, lacks: []string{"Show key"},
		},
		"partially refunded": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.paid", paid)
				report(s, id, "refund.completed", func(o *shoptest.Order) { o.Revision, o.RefundStatus, o.RefundedAmount = "3", "partial", "20000" })
			},
			headline: "Partially refunded", payment: "Partially refunded", delivery: "Delivered",
			says: []string{"Your license stays valid", "Refunded 0.02 USDC", "is 0.02 USDC must be less than 0.05 USDC", "Show key", "License file"},
		},
		"refunded": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.paid", paid)
				report(s, id, "refund.completed", func(o *shoptest.Order) { o.Revision, o.RefundStatus, o.RefundedAmount = "3", "full", "50000" })
			},
			headline: "Refunded", payment: "Refunded", delivery: "Revoked",
			says: []string{"no longer valid", "Refunded 0.05 USDC", "It ended with the full refund."}, lacks: []string{"License file"},
		},
		"refunded before delivery": {
			make: func(_ db.Order, id string) {
				report(s, id, "refund.completed", func(o *shoptest.Order) { paid(o); o.RefundStatus, o.RefundedAmount = "full", "50000" })
			},
			headline: "Refunded", payment: "Refunded", delivery: "Not delivered", says: []string{"Nothing will be delivered"}, lacks: []string{"Show key"},
		},
		"expired": {
			make: func(o db.Order, _ string) {
				s.Exec("UPDATE shop_orders SET expires_at = NOW(6) - INTERVAL 1 SECOND WHERE id = ?", o.ID)
				if _, err := s.Shop.Shop.ExpireOnce(s.Context()); err != nil {
					t.Fatal(err)
				}
			},
			headline: "Payment expired", payment: "Expired", delivery: "After payment", payable: "#pay-again", says: []string{"pay again"},
		},
		"failed": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.failed", func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "failed" })
			},
			headline: "Payment failed", payment: "Failed", delivery: "After payment", payable: "#pay-again", says: []string{"nothing was taken"},
		},
		"cancelled": {
			make: func(o db.Order, _ string) {
				s.Shop.Cancel(o.ID)
			},
			headline: "Order cancelled", payment: "Cancelled", delivery: "Not delivered", lacks: []string{"Pay again"},
		},
		"paid after it was cancelled": {
			make: func(o db.Order, id string) {
				s.Shop.Cancel(o.ID)
				report(s, id, "payment.paid", paid)
			},
			headline: "Payment under review", payment: "Under review", delivery: "Not delivered",
			says: []string{"money arrived after the order was cancelled"}, lacks: []string{"Show key"},
		},
		"paid too much": {
			make: func(_ db.Order, id string) {
				report(s, id, "payment.paid", func(o *shoptest.Order) { paid(o); o.ReceivedAmount = "57100" })
			},
			headline: "Paid", payment: "Paid", delivery: "Delivered",
			says: []string{"Received 0.0571 USDC", "Paid too much", "0.0071 USDC", "We owe you this"},
		},
		"the mail was refused": {
			make: func(_ db.Order, id string) {
				s.Sent.Fail(fulfillment.ErrRefused)
				defer s.Sent.Fail(nil)
				report(s, id, "payment.paid", paid)
			},
			headline: "Paid", payment: "Paid", delivery: "Delivered", says: []string{"We could not reach b•••@example.com", "Show key"},
		},
	} {
		o, id := s.Buy(1)
		if want.make != nil {
			want.make(o, id)
		}
		page := b.Get(pathOf(s, o.Number) + want.query)
		wantStatus(t, page, http.StatusOK)
		doc := parse(t, page)
		if got := words(doc, "#state-heading"); got != want.headline {
			t.Errorf("%s: the headline is %q, want %q", name, got, want.headline)
		}
		if got := words(doc, "title"); got != want.headline+" – Order "+o.Number+" – Test Shop" {
			t.Errorf("%s: the title is %q", name, got)
		}
		pills := doc.Find(".state .facts .pill").Map(func(_ int, e *goquery.Selection) string { return e.Text() })
		if len(pills) != 2 || pills[0] != want.payment || pills[1] != want.delivery {
			t.Errorf("%s: the pills are %q, want %q and %q", name, pills, want.payment, want.delivery)
		}
		text := words(doc, "main")
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
		if got := strings.Contains(page.Body, `<noscript><meta http-equiv="refresh" content="4"`); got != want.waits {
			t.Errorf("%s: that the page refreshes itself is %t", name, got)
		}
		for _, way := range []string{"a#pay.primary", "#pay-again"} {
			want := want.payable != "" && strings.HasPrefix(way, want.payable)
			if got := doc.Find(way).Length() == 1; got != want {
				t.Errorf("%s: that the page asks to pay by %s is %t", name, way, got)
			}
		}
	}
}

// since is the moment of a return that long ago, as the return page writes it.
func since(ago time.Duration) string { return unix(time.Now().Add(-ago)) }
