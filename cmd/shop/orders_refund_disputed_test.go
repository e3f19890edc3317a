package main

import (
	"testing"

	"onceshop/providers/stripe"
)

func TestWhatABankDisputesIsNotGivenBackBesides(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{stripe.Name})
	tr.offer("USD", 4900)
	refund := func(number string) result {
		return shop(t, tr.environ, "orders", "refund", number, "--all", "--as", "ada")
	}
	then := func(number string, words ...string) {
		mustShop(t, tr.environ, append([]string{"trigger"}, append(words, "--order", number)...)...)
		tr.settle()
	}

	number := tr.sell("USD", stripe.Name)
	then(number, "charge.dispute.created")
	wantCode(t, refund(number), exitFailed, "This payment holds nothing that could be given back: 49.00 USD are disputed (dp_", "accept the dispute at the provider, or wait until it is settled.")
	then(number, "dispute_lose")
	wantCode(t, refund(number), exitFailed, "49.00 USD were taken back by the buyer's bank")
	if o := tr.order(number); o.Refunded.Sign() != 0 || len(o.Refunds) != 0 {
		t.Errorf("given back besides: %+v", o.Refunds)
	}

	number = tr.sell("USD", stripe.Name)
	then(number, "charge.dispute.created", "--amount", "10.00")
	wantCode(t, shop(t, tr.environ, "orders", "refund", number, "--amount", "40"), exitFailed, "Only 39.00 USD of this payment can be given back: 10.00 USD are disputed (dp_")
	then(number, "dispute_lose")
	wantCode(t, refund(number), exitDone, "39.00 USD given back, 0.00 USD of the payment left; 10.00 USD were taken back by the buyer's bank (dispute dp_")
	wantCode(t, refund(number), exitFailed, "holds nothing that could be given back: 10.00 USD were taken back")
}
