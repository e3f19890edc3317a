package payment_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestPeopleReadTheAmountsOfChangesAsMoney(t *testing.T) {
	t.Parallel()
	kept := []payment.Change{{"payment_status", "pending", "paid"}, {"received", "0", "4900"}, {"refund_asked", "", "98"}, {"provider_revision", "0", "7"}}
	got := payment.InMoney(kept, "USD", payment.Money.String)
	want := []payment.Change{{"payment_status", "pending", "paid"}, {"received", "0.00 USD", "49.00 USD"}, {"refund_asked", "", "0.98 USD"}, {"provider_revision", "0", "7"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if kept[1].After != "4900" {
		t.Error("the history itself was changed")
	}
}

// 4900 yen are no 49.00 of them, whatever was asked for in dollars.
func TestWhatWasClaimedInAnotherCurrencyIsReadInThatOne(t *testing.T) {
	t.Parallel()
	d := payment.Next(asked(), report(2, payment.Paid, asking(4900, "JPY"), received(4900)))
	got := payment.InMoney(d.Refused, "USDC", payment.Money.String)[:4]
	want := []payment.Change{{"amount", "0.050000 USDC", "4900 JPY"}, {"currency", "USDC", "JPY"}, {"payment_status", "pending", "paid"}, {"received", "0.000000 USDC", "4900 JPY"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
