package payment_test

import (
	"testing"

	"onceshop/payment"
)

func TestProvidersCountInMinorUnitsOfTheirOwn(t *testing.T) {
	t.Parallel()
	u := payment.Units{"ISK": 2, "JPY": 0, "KWD": 3, "EUR": 2, "CVE": 0}
	for _, c := range []struct {
		currency     string
		ours, theirs int64
	}{{"ISK", 500, 50000}, {"JPY", 5800, 5800}, {"KWD", 2950, 2950}, {"EUR", 4900, 4900}, {"CVE", 500, 5}} {
		there, err := u.To(payment.Money{Amount: payment.NewAmount(c.ours), Currency: c.currency})
		if err != nil || !there.Equal(payment.NewAmount(c.theirs)) {
			t.Errorf("%d %s is %s of theirs (%v), want %d", c.ours, c.currency, there, err, c.theirs)
		}
		back, err := u.From(payment.NewAmount(c.theirs), c.currency)
		if err != nil || !back.Equal(payment.NewAmount(c.ours)) {
			t.Errorf("%d of theirs is %s %s (%v), want %d", c.theirs, back, c.currency, err, c.ours)
		}
	}
	for name, err := range map[string]error{
		"a currency it doesn't take":       second(u.To(payment.Money{Amount: payment.NewAmount(1), Currency: "USD"})),
		"decimals it doesn't have":         second(u.To(payment.Money{Amount: payment.NewAmount(501), Currency: "CVE"})),
		"decimals that we don't have":      second(u.From(payment.NewAmount(50050), "ISK")),
		"an answer in an unknown currency": second(u.From(payment.NewAmount(1), "XXX")),
	} {
		if err == nil {
			t.Errorf("%s was counted", name)
		}
	}
}

func second(_ payment.Amount, err error) error { return err }

func TestAProviderIsAskedForWhatItTakesToTheLastDigit(t *testing.T) {
	t.Parallel()
	u := payment.Units{"EUR": 2, "KWD": 3, "CVE": 0}
	cards := payment.Limits{Digits: 4, ZeroThird: true}
	for _, c := range []struct {
		minor    int64
		currency string
		limits   payment.Limits
		want     string // "": it can't be asked for
	}{
		{1, "EUR", cards, "1"}, {9999, "EUR", cards, "9999"}, {10000, "EUR", cards, ""}, {10000, "EUR", payment.Limits{}, "10000"},
		{0, "EUR", cards, ""}, {-1, "EUR", cards, ""}, {-1, "EUR", payment.Limits{}, ""}, {1, "USD", cards, ""},
		{2950, "KWD", cards, "2950"}, {2951, "KWD", cards, ""}, {2951, "KWD", payment.Limits{Digits: 4}, "2951"},
		{999900, "CVE", cards, "9999"}, {1000000, "CVE", cards, ""}, {501, "CVE", cards, ""}, {2951, "EUR", cards, "2951"},
	} {
		got, err := u.Ask(payment.Money{Amount: payment.NewAmount(c.minor), Currency: c.currency}, c.limits)
		if (err == nil) != (c.want != "") || err == nil && got.String() != c.want || err != nil && got.Sign() != 0 {
			t.Errorf("%d %s of %+v: %s, %v, want %q", c.minor, c.currency, c.limits, got, err, c.want)
		}
	}
}
