package main

import (
	"strings"
	"testing"
	"time"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/stripe"
	"onceshop/store/db"
)

func TestARefundIsGivenBackOnceAndWrittenDown(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{stripe.Name})
	tr.offer("USD", 4900)
	number := tr.sell("USD", stripe.Name)

	wantCode(t, shop(t, tr.environ, "orders", "refund", number, "--amount", "0.98", "--reason", "kindness", "--as", "ada"), exitDone,
		"order "+number+": 0.98 USD given back, 48.02 USD of the payment left", "it is paid, refund partial, delivery delivered")
	tr.settle() // the provider tells of it as well
	if o := tr.order(number); o.Refunded.String() != "98" || len(o.Refunds) != 1 || o.Refunds[0].Status != "done" || o.Refunds[0].Attempt != 1 {
		t.Errorf("refunded %s by %+v, want 98 once", o.Refunded, o.Refunds)
	}
	wantCode(t, shop(t, tr.environ, "orders", "refund", number, "--amount", "0.98", "--as", "ada"), exitDone, "47.04 USD of the payment left")
	wantCode(t, shop(t, tr.environ, "orders", "refund", number, "--all", "--payment", "1", "--as", "ada"), exitDone, "47.04 USD given back, 0.00 USD of the payment left", "delivery revoked")
	tr.settle()
	if o := tr.order(number); o.Refunded.String() != "4900" || o.RefundStatus != "full" || len(o.Refunds) != 3 {
		t.Errorf("refunded %s (%s) by %+v", o.Refunded, o.RefundStatus, o.Refunds)
	}
	wantCode(t, shop(t, tr.environ, "orders", "timeline", number), exitDone, "refund_requested, by ada (staff)", "refund_asked: - → 0.98 USD", "reason: - → kindness",
		"received_amount: 0.00 USD → 49.00 USD", "refunded_amount: 1.96 USD → 49.00 USD")
	exact := mustShop(t, tr.environ, "orders", "timeline", number, "--format", "json").stdout
	if !strings.Contains(exact, `"after": "4900"`) || strings.Contains(exact, "USD") {
		t.Errorf("scripts want minor units:\n%s", exact)
	}
	wants := []string{"47.04 USD given back, 0.00", "0.98 USD given back, 47.04", "0.98 USD given back, 48.02"}
	list := deeds(t, tr.environ, "--order", number)
	if len(list) != len(wants) {
		t.Fatalf("the audit is %+v", list)
	}
	for i, want := range wants {
		if d := list[i]; d.Actor != "ada" || d.Action != "refund order" || !strings.HasPrefix(d.Result, want) {
			t.Errorf("no %q in the audit's %+v", want, d)
		}
	}
}

// Who asks for money right after the payment has looked the order up before it was paid.
func TestARefundOfAnOrderThatIsPaidMeanwhileIsToldAsDone(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{stripe.Name})
	tr.offer("USD", 4900)
	number := tr.sell("USD", stripe.Name)
	mustShop(t, tr.environ, "orders", "refund", number, "--amount", "10.50", "--as", "ada")
	after, err := tr.app.DB.FindOrderByNumber(t.Context(), number)
	must(t, err)
	said, err := new(ordersRefund).outcome(t.Context(), tr.app.DB, clock{time.UTC}, checkout.Decided{Order: after}, db.Payment{}, payment.NewAmount(1050), nil)
	if want := "10.50 USD given back, 38.50 USD of the payment left"; err != nil || said != want {
		t.Errorf("said %q, %v; want %q", said, err, want)
	}
}

func TestAProviderThatCannotBeAskedTellsOfTheRefundLater(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{adyen.Name})
	tr.offer("EUR", 4900)
	number := tr.sell("EUR", adyen.Name)
	const asked = "10.50 EUR asked for; the provider will tell by webhook when it is given back"
	wantCode(t, shop(t, tr.environ, "orders", "refund", number, "--amount", "10.50", "--as", "ada"), exitDone, asked, "it is paid, refund none, delivery delivered")
	if got := deeds(t, tr.environ, "--order", number); len(got) != 1 || got[0].Actor != "ada" || got[0].Result != asked {
		t.Errorf("the audit is %+v", got)
	}
	tr.settle()
	wantCode(t, shop(t, tr.environ, "orders", "show", number), exitDone, "partial: 10.50 EUR given back", "done: 10.50 EUR of payment 1")
}

func TestARefundThatIsNotClearlySaidIsRefused(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{stripe.Name})
	tr.offer("JPY", 5800)
	number := tr.sell("JPY", stripe.Name)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, exitUsage, "say how much to give back"},
		{[]string{"--amount", ""}, exitUsage, "say how much to give back"},
		{[]string{"--amount", "1000", "--all"}, exitUsage, "can't be used together"},
		{[]string{"--amount", "10.5"}, exitFailed, "JPY has no decimals"},
		{[]string{"--amount", "1,000"}, exitFailed, "nothing between thousands"},
		{[]string{"--amount", "0"}, exitFailed, "more than 0"},
		{[]string{"--amount=-5"}, exitFailed, "more than 0"},
		{[]string{"--amount", "5801"}, exitFailed, "Only 5800 JPY of this payment can be given back"},
		{[]string{"--amount", "1", "--payment", "2"}, exitFailed, "no payment 2"},
	} {
		wantCode(t, shop(t, tr.environ, append([]string{"orders", "refund", number}, c.args...)...), c.code, c.says)
	}
	if o := tr.order(number); o.Refunded.Sign() != 0 || len(o.Refunds) != 0 {
		t.Errorf("given back all the same: %+v", o.Refunds)
	}
	wantCode(t, shop(t, tr.environ, "orders", "refund", number, "--all"), exitDone, "5800 JPY given back")
	wantCode(t, shop(t, tr.environ, "orders", "refund", number, "--all"), exitFailed, "holds nothing that could be given back")
	wantCode(t, shop(t, tr.environ, "orders", "refund", tr.place("JPY", stripe.Name), "--all"), exitFailed, "This order isn't paid")
	wantCode(t, shop(t, tr.environ, "orders", "refund", "OS-AAAAA-AAAAA", "--all"), exitFailed, "there is no order")
}

func TestAnOrderShowsWhereItsMoneyIs(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{stripe.Name})
	tr.offer("USD", 4900)
	number := tr.sell("USD", stripe.Name)
	mustShop(t, tr.environ, "orders", "refund", number, "--amount", "10")
	mustShop(t, tr.environ, "trigger", "refund_fail", "--order", number)
	mustShop(t, tr.environ, "trigger", "charge.dispute.created", "--order", number)
	tr.settle()
	wantCode(t, shop(t, tr.environ, "orders", "show", number), exitDone, "payment 1 stripe", "49.00 USD of 49.00 USD received, 10.00 USD of refunds came back, dispute open",
		"Refunded amount: has 0.00 USD, wants less than 49.00 USD", "failed: 10.00 USD of payment 1", "open: 49.00 USD of payment 1, ", "suspended")
	wantCode(t, shop(t, tr.environ, "orders", "list", "--delivery", "suspended"), exitDone, number)
	wantCode(t, shop(t, tr.environ, "events", "list", "--verdict", "ignored"), exitDone, "charge.succeeded", "49.00 USD", "changes nothing")
	wantCode(t, shop(t, tr.environ, "events", "list", "--order", number), exitDone, "charge.dispute.created", "stripe")
}
