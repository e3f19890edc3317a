package checkoutcom

import (
	"testing"

	"pgregory.net/rapid"

	"onceshop/payment"
)

func TestDecimalsAreThoseOfCheckoutAndNotOfISO(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{"EUR": 2, "USD": 2, "GBP": 2, "INR": 2, "JPY": 0, "ISK": 0, "UGX": 0, "KWD": 3, "IQD": 3, "HUF": 2, "MGA": 2} {
		if got, taken := units[code]; !taken || got != want {
			t.Errorf("%s: %d, %v", code, got, taken)
		}
	}
	for _, code := range []string{"CLP", "CLF", "UYI", "UYW", "USDC", "BTC", "XXX", "eur", ""} {
		if _, taken := units[code]; taken {
			t.Errorf("%s is taken", code)
		}
	}
	for code := range units {
		if _, known := payment.Exponent(code); !known {
			t.Errorf("%s is a currency that we can't count", code)
		}
	}
}

func TestWhatIsAskedForIsReadBackTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := payment.Money{
			Amount:   payment.NewAmount(rapid.Int64Range(-10, 2_000_000_000).Draw(t, "amount")),
			Currency: rapid.SampledFrom([]string{"EUR", "JPY", "KWD", "ISK", "CLP", "USDC"}).Draw(t, "currency"),
		}
		asked, err := theirs(m)
		if err != nil {
			return
		}
		ours, err := units.From(asked, m.Currency)
		if err != nil || !ours.Equal(m.Amount) || asked.Sign() <= 0 || len(asked.String()) > 9 {
			t.Fatalf("%v is asked for as %v and read as %v, %v", m, asked, ours, err)
		}
	})
}
