package main

import (
	"strings"
	"testing"
	"time"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/stripe"
)

func TestARefundThatIsNotToldYetIsShownAndNotAskedForTwice(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{adyen.Name})
	tr.offer("EUR", 4900)
	number := tr.sell("EUR", adyen.Name)
	refund := func(more ...string) result {
		return shop(t, tr.environ, append([]string{"orders", "refund", number, "--as", "ada"}, more...)...)
	}
	const later = "the provider will tell by webhook when it is given back"
	first := refund("--amount", "10")
	wantCode(t, first, exitDone, "10.00 EUR asked for; "+later)
	wantCode(t, refund("--amount", "10"), exitDone, "10.00 EUR asked for, the same refund as was asked for at ", later)
	wantCode(t, shop(t, tr.environ, "orders", "show", number), exitDone, "refund asked for", "10.00 EUR of payment 1, not told yet as given back (since ")
	wantCode(t, refund("--amount", "40"), exitFailed, "Only 39.00 EUR of this payment can be given back: 10.00 EUR were asked for at ", "aren't told yet as given back.")
	wantCode(t, refund("--all"), exitDone, "39.00 EUR asked for; "+later)
	wantCode(t, refund("--all"), exitDone, "39.00 EUR asked for, the same refund as was asked for at ")
	asked := tr.order(number).Asked
	if len(asked) != 2 || asked[0].Amount.String() != "1000" || asked[1].Amount.String() != "3900" || !asked[1].Taken || asked[1].Attempt != 1 {
		t.Errorf("asked for: %+v", asked)
	}

	tr.settle()
	if o := tr.order(number); o.Refunded.String() != "4900" || len(o.Refunds) != 2 || len(o.Asked) != 0 {
		t.Errorf("refunded %s by %+v, asked for %+v", o.Refunded, o.Refunds, o.Asked)
	}
	if r := shop(t, tr.environ, "orders", "show", number); strings.Contains(r.stdout, "asked for") {
		t.Errorf("what is told is still asked for:\n%s", r.stdout)
	}
	wantCode(t, refund("--all"), exitFailed, "This payment holds nothing that could be given back.")
}

// An answer gets lost, the webhook tells of the refund, and somebody tries again.
func TestARefundThatWasToldOfBeforeItWasDecidedAgainIsGivenBack(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{stripe.Name})
	tr.offer("USD", 4900)
	number := tr.sell("USD", stripe.Name)
	mustShop(t, tr.environ, "orders", "refund", number, "--amount", "10.50")
	o, err := tr.app.DB.FindOrderByNumber(t.Context(), number)
	must(t, err)
	var cmd ordersRefund
	p, err := cmd.payment(t.Context(), tr.app.DB, o)
	must(t, err)
	done := checkout.Decided{Order: o, Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	said, err := cmd.outcome(t.Context(), tr.app.DB, clock{time.UTC}, done, p, payment.NewAmount(1050), nil)
	if want := "10.50 USD given back, the same refund as was asked for at 2026-01-02 03:04:05 UTC, 38.50 USD of the payment left"; err != nil || said != want {
		t.Errorf("said %q, %v; want %q", said, err, want)
	}
}
