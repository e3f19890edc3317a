package stripe

import (
	"testing"

	"onceshop/payment"
)

func TestEveryCurrencyOfTheTableIsMoneyOfOurs(t *testing.T) {
	t.Parallel()
	if len(units) < 130 {
		t.Errorf("%d currencies", len(units))
	}
	for code, decimals := range units {
		ours, known := payment.Exponent(code)
		// Where Stripe counts otherwise than ISO 4217, it is written down here too.
		if differs := code == "ISK" || code == "MGA"; !known || differs == (ours == decimals) {
			t.Errorf("%s: %d decimals, ours %d, known %v", code, decimals, ours, known)
		}
	}
}

func TestWhatIsAskedForComesBackTheSame(t *testing.T) {
	t.Parallel()
	for code := range units {
		m := payment.Money{Amount: payment.NewAmount(123400), Currency: code}
		asked, err := theirs(m)
		if code == "UGX" {
			if err == nil {
				t.Error("the decimals of UGX aren't certain")
			}
			continue
		}
		if code == "ISK" {
			m.Amount = payment.NewAmount(1234)
			asked, err = theirs(m)
		}
		if err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		if back, err := units.From(asked, code); err != nil || !back.Equal(m.Amount) {
			t.Errorf("%s: %v, asked %v, back %v, %v", code, m.Amount, asked, back, err)
		}
	}
}
