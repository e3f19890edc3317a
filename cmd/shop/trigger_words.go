package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"onceshop/providers/adyen"
	"onceshop/providers/checkoutcom"
	"onceshop/providers/payflow"
	"onceshop/providers/razorpay"
	"onceshop/providers/stablein"
	"onceshop/providers/standardwebhooks"
	"onceshop/providers/stripe"
	"onceshop/sandbox"
)

// wait is pay with money that waits to be confirmed.
const wait = "wait"

// words are types of events, and what makes a provider send them. A type that says
// nothing without its content, such as Stripe's charge.dispute.closed, isn't here.
var words = map[string]map[string]string{
	stablein.Name: {
		"payment.confirming": wait, "payment.paid": "pay", "payment.failed": "fail", "payment.expired": "expire",
		"refund.completed": "refund", "risk.updated": "risk",
	},
	stripe.Name: {
		"checkout.session.completed": "pay", "checkout.session.expired": "expire",
		"payment_intent.processing": wait, "payment_intent.amount_capturable_updated": "authorise", "payment_intent.succeeded": "pay",
		"payment_intent.payment_failed": "attempt_fail", "charge.failed": "attempt_fail", "charge.succeeded": "pay", "charge.captured": "capture",
		"charge.refunded": "refund", "refund.failed": "refund_fail", "charge.dispute.created": "dispute",
	},
	checkoutcom.Name: {
		"payment_approved": "authorise", "payment_captured": "pay", "payment_pending": wait, "payment_declined": "attempt_fail",
		"payment_expired": "expire", "payment_refunded": "refund",
		"dispute_evidence_required": "dispute", "dispute_won": "dispute_win", "dispute_lost": "dispute_lose",
	},
	adyen.Name: {
		"AUTHORISATION": "pay", "CAPTURE": "capture", "CAPTURE_FAILED": "capture_fail", "OFFER_CLOSED": "expire",
		"REFUND": "refund", "REFUND_FAILED": "refund_fail",
		"CHARGEBACK": "dispute", "CHARGEBACK_REVERSED": "dispute_win", "SECOND_CHARGEBACK": "dispute_lose",
	},
	razorpay.Name: {
		"payment.authorized": "authorise", "payment.captured": "pay", "payment_link.paid": "pay", "order.paid": "pay",
		"payment.failed": "attempt_fail", "payment_link.expired": "expire", "refund.processed": "refund", "refund.failed": "refund_fail",
		"payment.dispute.created": "dispute", "payment.dispute.won": "dispute_win", "payment.dispute.lost": "dispute_lose",
	},
	payflow.Name: {
		"payment.processing": wait, "payment.authorized": "authorise", "payment.success": "pay", "payment.failed": "attempt_fail",
		"payment.expired": "expire", "refund.success": "refund",
		"dispute.opened": "dispute", "dispute.won": "dispute_win", "dispute.lost": "dispute_lose",
	},
	standardwebhooks.Name: {
		"payment.confirming": wait, "payment.authorised": "authorise", "payment.paid": "pay", "payment.failed": "fail",
		"payment.expired": "expire", "payment.refunded": "refund", "payment.refund_failed": "refund_fail",
		"payment.disputed": "dispute", "payment.dispute_won": "dispute_win", "payment.dispute_lost": "dispute_lose",
	},
}

// action turns the word on the command line into one of the sandbox's actions: its
// own, or a type of the provider's events.
func (cmd *triggerCommand) action(provider string) (action string, ok bool) {
	switch action, ok = words[provider][cmd.Type]; {
	case !ok:
		return cmd.Type, slices.Contains(sandbox.Actions(), cmd.Type)
	case action == wait:
		if cmd.Confirmations == nil {
			few := 3
			cmd.Confirmations = &few
		}
		return "pay", true
	}
	return action, true
}

// unknown names what can be triggered instead. What of it the provider knows depends on
// how it is set up, which the sandbox tells of the order at path.
func (cmd *triggerCommand) unknown(ctx context.Context, api *sandboxClient, path, provider string) error {
	var order struct{ Actions []string }
	if err := api.call(ctx, "GET", path, nil, &order); err != nil {
		return err
	}
	return fmt.Errorf("%q can't be triggered at %s; there are %s, resend, and %s", cmd.Type, provider,
		strings.Join(order.Actions, ", "), strings.Join(slices.Sorted(maps.Keys(words[provider])), ", "))
}
