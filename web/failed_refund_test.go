package web_test

import (
	"strings"
	"testing"

	"onceshop/payment"
)

// after lets something happen beside what has happened already.
func after(changes ...func(*payment.Snapshot)) func(*payment.Snapshot) {
	return func(p *payment.Snapshot) {
		for _, c := range changes {
			c(p)
		}
	}
}

func lostPart(p *payment.Snapshot) {
	p.Disputes = []payment.Dispute{{Ref: "dp_1", Amount: payment.NewAmount(10000), Status: payment.DisputeLost}}
}

// anew is a second refund, asked for when the first had come back.
func anew(status payment.RefundState) func(*payment.Snapshot) {
	return func(p *payment.Snapshot) {
		second := refund("re_2", 20000, status)
		p.Refunds = append(p.Refunds, second)
		if status != payment.RefundFailed {
			p.Refunded, p.RefundStatus = second.Amount, payment.PartiallyRefunded
		}
	}
}

// What the buyer reads and what the merchant is alerted of is the same: whoever reads
// that we get in touch waits for somebody who knows.
func TestWeGetInTouchAboutAFailedRefundWhileItsMoneyIsWithUs(t *testing.T) {
	t.Parallel()
	s := open(t)
	b := s.Browser()
	whole := refund("re_2", 50000, payment.RefundDone)
	for name, c := range map[string]struct {
		then func(*payment.Snapshot)
		owed bool
	}{
		"nothing more":        {func(*payment.Snapshot) {}, true},
		"asked anew":          {anew(payment.RefundPending), false},
		"sent anew":           {anew(payment.RefundDone), false},
		"failed once more":    {anew(payment.RefundFailed), true},
		"disputed":            {disputed(payment.DisputeOpen), false},
		"disputed and won":    {disputed(payment.DisputeWon), true},
		"charged back":        {disputed(payment.DisputeLost), false},
		"a part charged back": {lostPart, true},
		"taken back":          {takenBack, false},
		"the whole amount is sent": {func(p *payment.Snapshot) {
			p.Refunds = append(p.Refunds, whole)
			p.Refunded, p.RefundStatus = p.Amount, payment.FullyRefunded
		}, false},
	} {
		o, _ := s.Buy(1)
		for _, change := range (snapshots{arrived, refunded(payment.PartiallyRefunded, refund("re_1", 20000, payment.RefundPending)), returned}) {
			tell(s, o.ID, change)
		}
		before, err := s.DB.CountOrdersToLookAt(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tell(s, o.ID, after(returned, c.then))
		now, err := s.DB.CountOrdersToLookAt(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if counted := now.RefundFailed == before.RefundFailed; counted != c.owed {
			t.Errorf("%s: that it is counted is %t, want %t", name, counted, c.owed)
		}
		text := spaced(parse(t, b.Get(pathOf(s, o.Number))).Find("main"))
		if told := strings.Contains(text, "the money is with us. We will get in touch."); told != c.owed {
			t.Errorf("%s: that the buyer is told so is %t, want %t", name, told, c.owed)
		}
		if !strings.Contains(text, "0.02 USDC Did not arrive It could not be sent to where you paid from") {
			t.Errorf("%s: the failed refund isn't told: %s", name, text)
		}
	}
}
