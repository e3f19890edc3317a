package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/checkout"
	"onceshop/license"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// tell applies what a provider with refunds and disputes of their own says of the
// order's last payment, and settles what follows.
func tell(s *shoptest.Pages, orderID string, change func(*payment.Snapshot)) {
	s.Helper()
	payments, err := s.DB.ListPaymentsOfOrder(s.Context(), &orderID)
	if err != nil {
		s.Fatal(err)
	}
	p := payments[len(payments)-1]
	snapshot := payment.Snapshot{
		Ref: store.Deref(p.ProviderRef), OrderRef: orderID, Status: payment.Paid, RefundStatus: payment.NotRefunded, Amount: p.Amount,
		Received: p.Amount, Revision: p.ProviderRevision.Add(payment.NewAmount(1)), Currency: p.Currency, Risk: payment.NotAssessed(),
	}
	change(&snapshot)
	for i := range snapshot.Refunds {
		snapshot.Refunds[i].Ref += "-" + p.ID // no two payments have the same refund
	}
	for i := range snapshot.Disputes {
		snapshot.Disputes[i].Ref += "-" + p.ID
	}
	err = s.DB.InTx(s.Context(), func(tx *store.Tx) error {
		_, err := checkout.ApplyTx(s.Context(), tx, checkout.Application{
			Provider: p.Provider, Snapshot: snapshot, Source: store.FromWebhook, Actor: p.Provider,
		})
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	s.Settle()
}

func reserved(p *payment.Snapshot) { p.Status, p.Received = payment.Authorised, payment.Amount{} }

func arrived(*payment.Snapshot) {}

func disputed(status payment.DisputeStatus) func(*payment.Snapshot) {
	return func(p *payment.Snapshot) {
		p.Disputes = []payment.Dispute{{Ref: "dp_1", Amount: p.Amount, Reason: "fraudulent", Status: status}}
	}
}

func takenBack(p *payment.Snapshot) {
	p.Status, p.Received, p.TakenBack = payment.Failed, payment.Amount{}, p.Amount
}

func refunded(status payment.RefundStatus, refunds ...payment.Refund) func(*payment.Snapshot) {
	return func(p *payment.Snapshot) {
		p.RefundStatus, p.Refunds = status, slices.Clone(refunds)
		for _, f := range refunds {
			if f.Status != payment.RefundFailed {
				p.Refunded = p.Refunded.Add(f.Amount)
			}
		}
	}
}

func refund(ref string, amount int64, status payment.RefundState) payment.Refund {
	return payment.Refund{Ref: ref, Amount: payment.NewAmount(amount), Status: status}
}

// returned is a refund that had counted and came back.
func returned(p *payment.Snapshot) {
	p.Refunds = []payment.Refund{refund("re_1", 20000, payment.RefundFailed)}
	p.Reversed = payment.NewAmount(20000)
}

type snapshots = []func(*payment.Snapshot)

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
			says: []string{"Your bank took this payment back. Your license is no longer valid.", "It ended when your bank took the payment back.",
				"Charged back 0.05 USDC", "Why it has ended", "is charged back must be none open or lost"},
			lacks:   []string{"Show key", "License file", "Pay again"},
			history: "Your bank took the payment back.", changes: []string{"Dispute open charged back", "Licenses revoked 0 1"},
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

func TestALicenseThatRestsOrHasEndedIsNeitherShownNorDownloaded(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	for name, c := range map[string]struct {
		told   snapshots
		status int
		says   []string
	}{
		"disputed":    {snapshots{disputed(payment.DisputeOpen)}, http.StatusForbidden, []string{"This license rests", "It rests while your bank disputes the payment.", "again once that is settled"}},
		"won":         {snapshots{disputed(payment.DisputeOpen), disputed(payment.DisputeWon)}, http.StatusOK, nil},
		"lost":        {snapshots{disputed(payment.DisputeLost)}, http.StatusGone, []string{"This license has ended", "your bank took the payment back", "revoked"}},
		"lost, won":   {snapshots{disputed(payment.DisputeLost), disputed(payment.DisputeWon)}, http.StatusOK, nil},
		"taken back":  {snapshots{takenBack}, http.StatusGone, []string{"This license has ended", "the payment was taken back"}},
		"refunded":    {snapshots{refunded(payment.FullyRefunded, refund("re_1", 50000, payment.RefundDone))}, http.StatusGone, []string{"full refund"}},
		"part refund": {snapshots{refunded(payment.PartiallyRefunded, refund("re_1", 20000, payment.RefundDone))}, http.StatusOK, nil},
	} {
		o, _ := s.Buy(1)
		tell(s, o.ID, arrived)
		for _, change := range c.told {
			tell(s, o.ID, change)
		}
		id, page := s.Licenses(o.ID)[0].ID, pathOf(s, o.Number)
		shown := strings.Contains(b.Get(page+"?show="+id).Body, license.Key(s.Keys.Secret, id))
		if shown != (c.status == http.StatusOK) {
			t.Errorf("%s: that the key is shown is %t", name, shown)
		}
		file := b.Get(page + "/licenses/" + id + ".license")
		if given := strings.Contains(file.Body, "BEGIN ONCESHOP LICENSE"); file.Status != c.status || given != (c.status == http.StatusOK) {
			t.Errorf("%s: the file is answered %d, given %t", name, file.Status, given)
		}
		for _, want := range c.says {
			if text := words(parse(t, file), "main"); !strings.Contains(text, want) {
				t.Errorf("%s: the answer doesn't say %q: %s", name, want, text)
			}
		}
	}
}

func TestAnOrderWhoseMoneyWasTakenBackIsPaidAnewWithAnotherProvider(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	o, _ := s.Buy(1)
	tell(s, o.ID, arrived)
	before := s.Licenses(o.ID)[0].ID
	tell(s, o.ID, takenBack)
	doc := parse(t, b.Get(pathOf(s, o.Number)))
	form := doc.Find("form.others")
	wantStatus(t, b.Post(form.AttrOr("action", ""), map[string][]string{"way": {"card"}}), http.StatusSeeOther)
	wantWords(t, words(parse(t, b.Get(pathOf(s, o.Number))), ".state"), "The earlier payment was taken back. Your license is valid again as soon as the new one arrives.")
	tell(s, o.ID, func(p *payment.Snapshot) { p.OrderRef += "/2" })
	text := words(parse(t, b.Get(pathOf(s, o.Number))), "main")
	wantWords(t, text, "Delivered: your license is below", "Show key")
	if list := s.Licenses(o.ID); len(list) != 1 || list[0].ID != before {
		t.Errorf("the licenses are %+v", list)
	}
}

// Whatever the verdict, an event of the order is told or left out on purpose.
func TestEventsThatAreNotActedOnStandInTheHistory(t *testing.T) {
	t.Parallel()
	s := open(t)
	o, _ := s.Buy(1)
	insert := func(id, verdict, reason string) {
		s.Exec(`INSERT INTO shop_events (provider, event_id, event_type, payment_ref, order_ref, order_id, payload_hash, key_id, status, verdict, reason, event_status, currency)
			VALUES ('card', ?, 'payment.noted', '', '', ?, UNHEX(SHA2(?, 256)), 'current', 'done', ?, ?, '', '')`, id, o.ID, id, verdict, reason)
	}
	insert("evt-ignored", string(payment.Ignored), "payment.noted changes nothing")
	insert("evt-odd", string(payment.NeedsReview), "livemode is missing")
	insert("evt-known", string(payment.NeedsReview), payment.CurrencyMismatch)
	insert("evt-none", string(payment.Unattributed), "nobody's")
	var told []string
	for _, e := range entries(parse(t, s.Browser().Get(pathOf(s, o.Number)))) {
		told = append(told, e.sentence+" "+e.reason+" "+e.cause)
	}
	all := strings.Join(told, "\n")
	wantWords(t, all,
		"Ignored An event was stored and not acted on. payment.noted changes nothing webhook Card payment.noted evt-ignored",
		"so a person looks at it. livemode is missing", "so a person looks at it. not the currency that was asked for")
	lackWords(t, all, "evt-none", "nobody's")
}

// spaced is the text of a page with a blank between any two elements.
func spaced(e *goquery.Selection) string {
	var parts []string
	e.Find("*").AddSelection(e).Contents().Each(func(_ int, n *goquery.Selection) {
		if goquery.NodeName(n) == "#text" {
			parts = append(parts, n.Text())
		}
	})
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

func TestWhatTheBankTookBackOfAPaymentTooManyIsNotPromisedOnceMore(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, first := s.Buy(1)
	s.Exec("UPDATE shop_orders SET expires_at = NOW(6) - INTERVAL 1 SECOND")
	if _, err := s.Shop.Shop.ExpireOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Shop.Shop.PayAgain(t.Context(), o.ID, ""); err != nil {
		t.Fatal(err)
	}
	report(s, first, "payment.paid", paid)
	tell(s, o.ID, arrived)
	b := s.Browser()
	if text := words(parse(t, b.Get(pathOf(s, o.Number))), "main"); !strings.Contains(text, "We owe you this") {
		t.Errorf("paid twice, and the page says %s", text)
	}
	tell(s, o.ID, disputed(payment.DisputeLost))
	text := words(parse(t, b.Get(pathOf(s, o.Number))), "main")
	if strings.Contains(text, "We owe you this") || strings.Contains(text, "sent back") || !strings.Contains(text, "Charged back") ||
		!strings.Contains(text, "What was paid too much went back.") {
		t.Errorf("charged back, and the page says %s", text)
	}
}
