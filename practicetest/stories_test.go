package practicetest

import (
	"fmt"

	"onceshop/payment"
)

// step is something that happens at the provider, in the words of the practice API.
type step struct{ action, body string }

func (s step) String() string { return s.action }

var (
	pay           = step{action: "pay"}
	attemptFails  = step{action: "attempt_fail"}
	authorise     = step{action: "authorise"}
	capture       = step{action: "capture"}
	captureFails  = step{action: "capture_fail"}
	refundFails   = step{action: "refund_fail"}
	disputeOpens  = step{action: "dispute"}
	disputeWon    = step{action: "dispute_win"}
	disputeLost   = step{action: "dispute_lose"}
	part          = refundOf(payment.NewAmount(700))
	everythingBut = refundOf(payment.NewAmount(1800))
)

func refundOf(a payment.Amount) step {
	return step{"refund", fmt.Sprintf(`{"amount":"%s","reason":"asked for"}`, a)}
}

// stories are what may happen to a payment of 2500 at a provider.
func stories(p provider) [][]step {
	all := [][]step{
		{pay},
		{attemptFails, pay, part},
		{pay, part, everythingBut},
		{pay, disputeOpens, disputeWon},
		{pay, disputeOpens, disputeLost},
		{pay, part, disputeOpens, disputeWon},
	}
	if p.reserves {
		all = append(all, []step{authorise, capture, part}, []step{attemptFails, authorise, capture, disputeOpens, disputeWon})
	}
	if p.refundsFail {
		all = append(all, []step{pay, part, refundFails}, []step{pay, part, refundFails, everythingBut})
	}
	if p.takesBack {
		all = append(all, []step{pay, captureFails})
	}
	return all
}
