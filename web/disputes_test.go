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
		"lost":        {snapshots{disputed(payment.DisputeLost)}, http.StatusGone, []string{"This license has ended", "your bank took money back", "revoked"}},
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
