package view_test

import (
	"testing"

	"onceshop/web/view"
)

func TestFirstThingAReaderMustKnowIsTheHeadline(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                        string
		facts                       view.Facts
		headline, payment, delivery string
		waiting, asks               bool
	}{
		{"nothing yet", view.Facts{Payment: "pending"}, "Waiting for payment", "Waiting", "After payment", true, true},
		{"back from the payment page", view.Facts{Payment: "pending", Returned: true}, "Confirming your payment", "Confirming", "After payment", true, false},
		{"no news for long", view.Facts{Payment: "pending", Returned: true, Overdue: true}, "Confirming your payment", "Confirming", "After payment", true, false},
		{"confirming", view.Facts{Payment: "confirming", Confirmations: 1}, "Confirming your payment", "Confirming", "After payment", true, false},
		{"confirming for long", view.Facts{Payment: "confirming", Overdue: true}, "Confirming your payment", "Confirming", "After payment", true, false},
		{"a part arrived", view.Facts{Payment: "pending", Received: "10790", Total: "13790"}, "Partly paid: 10790 of 13790 received", "Partly paid", "After payment", true, true},
		{"a part arrived and time ran out", view.Facts{Payment: "expired", Received: "10790", Total: "13790"}, "Partly paid: 10790 of 13790 received", "Partly paid", "After payment", false, false},
		{"wrong amount", view.Facts{Payment: "paid", Review: true}, "Payment under review", "Under review", "After payment", false, false},
		{"paid, key on its way", view.Facts{Payment: "paid", Delivery: view.DeliveryPreparing}, "Your key is being prepared", "Paid", "In preparation", true, false},
		{"paid, not seen by the worker", view.Facts{Payment: "paid", Delivery: view.DeliveryWaiting}, "Your key is being prepared", "Paid", "After payment", true, false},
		{"paid and held back", view.Facts{Payment: "paid", Delivery: view.DeliveryWithheld}, "Payment under review", "Paid", "Held back", false, false},
		{"paid and delivered", view.Facts{Payment: "paid", Delivery: view.DeliveryDone}, "Paid", "Paid", "Delivered", false, false},
		{"partially refunded", view.Facts{Payment: "paid", Refund: "partial", Delivery: view.DeliveryDone}, "Partially refunded", "Partially refunded", "Delivered", false, false},
		{"refunded", view.Facts{Payment: "paid", Refund: "full", Delivery: view.DeliveryDone}, "Refunded", "Refunded", "Revoked", false, false},
		{"refunded before delivery", view.Facts{Payment: "paid", Refund: "full", Delivery: view.DeliveryCancelled}, "Refunded", "Refunded", "Not delivered", false, false},
		{"failed", view.Facts{Payment: "failed"}, "Payment failed", "Failed", "After payment", false, false},
		{"expired", view.Facts{Payment: "expired"}, "Payment expired", "Expired", "After payment", false, false},
		{"cancelled", view.Facts{Payment: "cancelled", Delivery: view.DeliveryCancelled}, "Order cancelled", "Cancelled", "Not delivered", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := view.Describe(c.facts)
			if s.Headline != c.headline || s.Payment.Word != c.payment || s.Delivery.Word != c.delivery {
				t.Errorf("says %q, %q, %q", s.Headline, s.Payment.Word, s.Delivery.Word)
			}
			if s.Waiting != c.waiting || s.AsksPay != c.asks {
				t.Errorf("waiting %v, asks to pay %v", s.Waiting, s.AsksPay)
			}
			if s.Sentence == "" || s.Tone == "" || len(s.Steps) != 4 {
				t.Errorf("incomplete: %+v", s)
			}
		})
	}
}

func TestStepsNeverRunAheadOfThePayment(t *testing.T) {
	t.Parallel()
	for _, payment := range []string{"pending", "confirming", "failed", "expired", "cancelled", "something new"} {
		for _, delivery := range []string{"", view.DeliveryWaiting, view.DeliveryPreparing, view.DeliveryDone} {
			steps := view.Describe(view.Facts{Payment: payment, Delivery: delivery, Returned: true}).Steps
			for _, s := range steps[1:] {
				if s.State == view.StepDone {
					t.Errorf("%s: step %s is done", payment, s.Label)
				}
			}
		}
	}
}
