package crashtest_test

import (
	"onceshop/payment"
	"onceshop/shoptest"
)

// queue is a plain provider that waits with all its events while one is refused.
type queue struct{ *shoptest.Plain }

const (
	queueName = "queue"
	plainID   = "plain-payment"
)

func (queue) Accepted() string { return "[taken]" }

// buyPlain places a second order, with the provider that counts no revisions.
func (s *story) buyPlain() {
	s.Helper()
	s.plain.Ref = plainID // the same in all stories, so that they can be compared
	s.order, _ = s.BuyWith(shoptest.PlainName, "product", 1)
	s.plain.Change(plainID, func(p *payment.Snapshot) {
		shoptest.Paid(p)
		p.Refunded = payment.NewAmount(100)
		p.Refunds = []payment.Refund{{Ref: "refund-1", Amount: p.Refunded, Status: payment.RefundDone}}
		p.Disputes = []payment.Dispute{{Ref: "dispute-1", Amount: p.Amount, Reason: "fraudulent", Status: payment.DisputeOpen}}
	})
}

func tellDisputed(s *story) shoptest.Answer {
	s.Helper()
	return s.Tell(shoptest.PlainName, shoptest.Told{ID: "event-disputed", Type: "disputed", Payment: plainID})
}
