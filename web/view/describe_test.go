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
		{"reserved", view.Facts{Payment: "authorised"}, "Payment reserved", "Reserved", "After payment", true, false},
		{"back while it is reserved", view.Facts{Payment: "authorised", Returned: true}, "Payment reserved", "Reserved", "After payment", true, false},
		{"a part of what is reserved is taken", view.Facts{Payment: "authorised", Received: "10790", Total: "13790"}, "Payment reserved", "Reserved", "After payment", true, false},
		{"a part arrived", view.Facts{Payment: "pending", Received: "10790", Total: "13790"}, "Partly paid: 10790 of 13790 received", "Partly paid", "After payment", true, true},
		{"a part arrived and time ran out", view.Facts{Payment: "expired", Received: "10790", Total: "13790"}, "Partly paid: 10790 of 13790 received", "Partly paid", "After payment", false, false},
		{"wrong amount", view.Facts{Payment: "paid", Review: true}, "Payment under review", "Under review", "After payment", false, false},
		{"paid, key on its way", view.Facts{Payment: "paid", Delivery: view.DeliveryPreparing}, "Your key is being prepared", "Paid", "In preparation", true, false},
		{"paid, not seen by the worker", view.Facts{Payment: "paid", Delivery: view.DeliveryWaiting}, "Your key is being prepared", "Paid", "After payment", true, false},
		{"paid and held back", view.Facts{Payment: "paid", Delivery: view.DeliveryWithheld}, "Payment under review", "Paid", "Held back", false, false},
		{"paid and delivered", view.Facts{Payment: "paid", Delivery: view.DeliveryDone}, "Paid", "Paid", "Delivered", false, false},
		{"partially refunded", view.Facts{Payment: "paid", Refund: "partial", Delivery: view.DeliveryDone}, "Partially refunded", "Partially refunded", "Delivered", false, false},
		{"refunded", view.Facts{Payment: "paid", Refund: "full", Delivery: view.DeliveryRevoked}, "Refunded", "Refunded", "Revoked", false, false},
		{"refunded before delivery", view.Facts{Payment: "paid", Refund: "full", Delivery: view.DeliveryCancelled}, "Refunded", "Refunded", "Not delivered", false, false},
		{"disputed", view.Facts{Payment: "paid", Dispute: "open", Delivery: view.DeliverySuspended}, "Payment disputed", "Disputed", "Suspended", false, false},
		{"disputed before delivery", view.Facts{Payment: "paid", Dispute: "open", Delivery: view.DeliveryWithheld}, "Payment disputed", "Disputed", "Held back", false, false},
		{"disputed and partially refunded", view.Facts{Payment: "paid", Refund: "partial", Dispute: "open", Delivery: view.DeliverySuspended}, "Payment disputed", "Disputed", "Suspended", false, false},
		{"disputed and in doubt", view.Facts{Payment: "paid", Review: true, Dispute: "open", Delivery: view.DeliverySuspended}, "Payment disputed", "Disputed", "Suspended", false, false},
		{"the payment stands", view.Facts{Payment: "paid", Dispute: "won", Delivery: view.DeliveryDone}, "Paid", "Paid", "Delivered", false, false},
		{"charged back", view.Facts{Payment: "paid", Dispute: "lost", Delivery: view.DeliveryRevoked}, "Payment charged back", "Charged back", "Revoked", false, false},
		{"a part charged back", view.Facts{Payment: "paid", Dispute: "lost", ChargedBack: "$10.00", Delivery: view.DeliveryRevoked}, "Payment partly charged back", "Charged back", "Revoked", false, false},
		{"charged back before delivery", view.Facts{Payment: "paid", Dispute: "lost", Delivery: view.DeliveryCancelled}, "Payment charged back", "Charged back", "Not delivered", false, false},
		{"refunded after a dispute", view.Facts{Payment: "paid", Refund: "full", Dispute: "won", Delivery: view.DeliveryRevoked}, "Refunded", "Refunded", "Revoked", false, false},
		{"taken back", view.Facts{Payment: "failed", TakenBack: true, Delivery: view.DeliveryRevoked}, "Payment taken back", "Taken back", "Revoked", false, false},
		{"taken back before delivery", view.Facts{Payment: "failed", TakenBack: true, Delivery: view.DeliveryWaiting}, "Payment taken back", "Taken back", "After payment", false, false},
		{"taken back, to be paid again", view.Facts{Payment: "pending", TakenBack: true, Delivery: view.DeliveryRevoked}, "Waiting for payment", "Waiting", "Revoked", true, true},
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
	for _, payment := range []string{"pending", "confirming", "authorised", "failed", "expired", "cancelled", "something new"} {
		for _, delivery := range []string{"", view.DeliveryWaiting, view.DeliveryPreparing, view.DeliveryDone, view.DeliverySuspended, view.DeliveryRevoked} {
			steps := view.Describe(view.Facts{Payment: payment, Delivery: delivery, Returned: true}).Steps
			for _, s := range steps[1:] {
				if s.State == view.StepDone {
					t.Errorf("%s: step %s is done", payment, s.Label)
				}
			}
		}
	}
}

func TestTheSentenceSaysWhatBecomesOfTheLicense(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		facts view.Facts
		want  string
	}{
		{view.Facts{Payment: "authorised", Licenses: 1}, "Your payment is reserved. We send your key as soon as it is taken. You do not need to pay again."},
		{view.Facts{Payment: "authorised", Licenses: 2, Received: "$1.00", Total: "$3.00"}, "$1.00 of $3.00 is taken, the rest is reserved. We send your keys as soon as all of it is taken. You do not need to pay again."},
		{view.Facts{Payment: "paid", Dispute: "open", Delivery: view.DeliverySuspended, Licenses: 1}, "Your bank disputes this payment. Your license rests until that is settled."},
		{view.Facts{Payment: "paid", Dispute: "open", Delivery: view.DeliveryWithheld, Licenses: 1}, "Your bank disputes this payment. Nothing is delivered until that is settled."},
		{view.Facts{Payment: "paid", Dispute: "won", Delivery: view.DeliveryDone, Licenses: 1, Mail: view.MailSent}, "The dispute is settled and the payment stands: your license is valid, below and in your mail."},
		{view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 2, Mail: view.MailSent}, "Delivered: your licenses are below and in your mail."},
		{view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 1, Mail: view.MailComes}, "Delivered: your license is below, and a mail is on its way."},
		{view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 1}, "Delivered: your license is below."},
		{view.Facts{Payment: "paid", Dispute: "lost", Delivery: view.DeliveryRevoked, Licenses: 2}, "Your bank took this payment back. Your licenses are no longer valid."},
		{view.Facts{Payment: "paid", Dispute: "lost", Delivery: view.DeliveryCancelled, Licenses: 1}, "Your bank took this payment back. Nothing will be delivered."},
		{view.Facts{Payment: "paid", Dispute: "lost", ChargedBack: "$10.00", Delivery: view.DeliveryRevoked, Licenses: 1}, "Your bank took $10.00 of this payment back. Your license is no longer valid."},
		{view.Facts{Payment: "paid", Dispute: "lost", ChargedBack: "$10.00", Delivery: view.DeliveryCancelled, Licenses: 1}, "Your bank took $10.00 of this payment back. Nothing will be delivered."},
		{view.Facts{Payment: "failed", TakenBack: true, Delivery: view.DeliveryRevoked, Licenses: 1}, "The payment had arrived and was taken back, so your license has ended. Pay again, and the same license is valid again."},
		{view.Facts{Payment: "failed", TakenBack: true, Licenses: 1}, "The payment had arrived and was taken back before anything was delivered. You can pay again; it stays one order."},
		{view.Facts{Payment: "pending", TakenBack: true, Delivery: view.DeliveryRevoked, Licenses: 2}, "The earlier payment was taken back. Your licenses are valid again as soon as the new one arrives."},
		{view.Facts{Payment: "paid", Refund: "full", Delivery: view.DeliveryRevoked, Licenses: 1}, "The whole amount was sent back. Your license is no longer valid."},
	} {
		if got := view.Describe(c.facts).Sentence; got != c.want {
			t.Errorf("%+v:\n says %s\nwant %s", c.facts, got, c.want)
		}
	}
}
