package web_test

import (
	"strings"
	"testing"

	"onceshop/fulfillment"
	"onceshop/shoptest"
)

// untilTheMail delivers, and leaves the mail to be sent.
func untilTheMail(s *shoptest.Pages) {
	s.Helper()
	if _, err := s.Processor.RunOnce(s.Context()); err != nil {
		s.Fatal(err)
	}
	if _, err := s.Worker.RunOnce(s.Context()); err != nil {
		s.Fatal(err)
	}
}

func TestThePageSaysThatTheMailIsThereWhenItIs(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	o, id := s.Buy(1)
	page := pathOf(s, o.Number)
	says := func(when, lead, keep string) {
		t.Helper()
		doc := parse(t, b.Get(page))
		if got := words(doc, ".lead"); !strings.HasSuffix(got, lead) {
			t.Errorf("%s: the page says %q", when, got)
		}
		if got := words(doc, ".keep"); !strings.Contains(got, "it is your receipt."+keep+" Whoever") {
			t.Errorf("%s: below the receipt it says %q", when, got)
		}
	}
	says("waiting", "as soon as it does.", " We’ll mail it too.")
	s.Report("payment.paid", s.Platform.Order(id).With(paid))
	untilTheMail(s)
	says("delivered", "Delivered: your license is below, and a mail is on its way.", " We’ll mail it too.")
	events := follow(t, t.Context(), s.URL+page+"/events")
	events.until("a mail is on its way")
	s.Settle()
	says("mailed", "Delivered: your license is below and in your mail.", " It is in your mail, too.")
	events.until("below and in your mail") // although the order itself hasn't changed

	o, id = s.Buy(1)
	page = pathOf(s, o.Number)
	s.Sent.Fail(fulfillment.ErrRefused)
	report(s, id, "payment.paid", paid)
	says("refused", "Delivered: your license is below.", "")
	s.Sent.Fail(nil)

	o, _ = s.Buy(1)
	page = pathOf(s, o.Number)
	s.Shop.Cancel(o.ID)
	says("cancelled", "nothing needs to be paid.", "")

	o, id = s.Buy(1)
	page = pathOf(s, o.Number)
	report(s, id, "refund.completed", func(o *shoptest.Order) { paid(o); o.RefundStatus, o.RefundedAmount = "full", "50000" })
	says("refunded before the delivery", "Nothing will be delivered.", "")
}
