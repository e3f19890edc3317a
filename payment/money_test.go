package payment_test

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onceshop/payment"
)

func TestPeopleReadAmountsInTheirOwnWriting(t *testing.T) {
	t.Parallel()
	const nb = "\u00a0"
	for _, c := range []struct{ minor, code, locale, want string }{
		{"5800", "JPY", "en", "¥5,800"},
		{"5800", "JPY", "de", "5.800" + nb + "¥"},
		{"0", "JPY", "en", "¥0"},
		{"4900", "EUR", "en", "€49.00"},
		{"4900", "EUR", "de", "49,00" + nb + "€"},
		{"4900", "EUR", "de_DE", "49,00" + nb + "€"},
		{"4900", "EUR", "", "€49.00"},
		{"4900", "EUR", "no such locale", "€49.00"},
		{"4900", "GBP", "en", "£49.00"},
		{"-4900", "EUR", "en", "-€49.00"},
		{"123456789000", "INR", "hi", "₹1,23,45,67,890.00"},
		{"2950", "KWD", "en", "2.950" + nb + "KWD"},
		{"1234500", "KWD", "en", "1,234.500" + nb + "KWD"},
		{"1234500", "KWD", "fr", "1\u202f234,500" + nb + "KWD"},
		{"50000000", "USDC", "en", "50.00" + nb + "USDC"},
		{"50000000", "USDC", "de", "50,00" + nb + "USDC"},
		{"50000", "USDC", "en", "0.05" + nb + "USDC"},
		{"50123400", "USDT", "en", "50.1234" + nb + "USDT"},
		{"-5", "USDC", "en", "-0.000005" + nb + "USDC"},
		{"1", "DAI", "en", "0.000000000000000001" + nb + "DAI"},
		{"1000000000000000000000000", "DAI", "en", "1,000,000.00" + nb + "DAI"},
		{"1000000000000000000000000", "JPY", "en", "¥1,000,000,000,000,000,000,000,000"},
		{"1000000000000000000000001", "EUR", "en", "€10,000,000,000,000,000,000,000.01"},
		{"500", "GOLD", "en", "500" + nb + "GOLD"},
	} {
		m := payment.Money{Amount: amount(t, c.minor), Currency: c.code}
		if got := m.Format(c.locale); got != c.want {
			t.Errorf("%s %s in %q: got %q, want %q", c.minor, c.code, c.locale, got, c.want)
		}
	}
}

func TestWhatTheFormatterCantHoldIsPrintedPlainlyNotWrongly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ minor, code, want string }{
		{strings.Repeat("9", 39), "EUR", "9" + strings.Repeat(".999", 12) + ",99\u00a0€"},
		{strings.Repeat("9", 40), "EUR", strings.Repeat("9", 38) + ".99\u00a0EUR"},
		{strings.Repeat("9", 65), "EUR", strings.Repeat("9", 63) + ".99\u00a0EUR"},
		{"1000000000000", "DAI", "0,000001\u00a0DAI"},
		{"100000000000", "DAI", "0.000000100000000000\u00a0DAI"},
		{"-1", "DAI", "-0.000000000000000001\u00a0DAI"},
	} {
		m := payment.Money{Amount: amount(t, c.minor), Currency: c.code}
		if got := m.Format("de"); got != c.want {
			t.Errorf("%s minor units of %s: got %q, want %q", c.minor, c.code, got, c.want)
		}
	}
}

func TestFormattedDigitsAreTheAmountsOwn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := payment.Money{Amount: anyAmount(t), Currency: anyCurrency().Draw(t, "currency")}
		locale := rapid.SampledFrom([]string{"en", "en-GB", "ja", "hi", "de-CH"}).Draw(t, "locale")
		printed := m.Format(locale)
		plain := strings.Map(func(r rune) rune {
			if r == '-' || r == '.' || '0' <= r && r <= '9' {
				return r
			}
			return -1
		}, printed)
		back, err := payment.ParseMajor(m.Currency, plain)
		if m.Currency == "GOLD" {
			back, err = payment.ParseAmount(plain)
		}
		if err != nil || !back.Equal(m.Amount) {
			t.Fatalf("%s printed as %q reads back as %s, %v", m, printed, back, err)
		}
	})
}

func TestTypedAmountsAreReadExactly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, typed, want string }{
		{"KWD", "2.950", "2950"},
		{"KWD", "2.95", "2950"},
		{"KWD", "2", "2000"},
		{"JPY", "5800", "5800"},
		{"EUR", " 49.00\n", "4900"},
		{"EUR", "0049", "4900"},
		{"EUR", "0.05", "5"},
		{"EUR", "0", "0"},
		{"EUR", "-0.00", "0"},
		{"EUR", "-3.1", "-310"},
		{"USDC", "0.000001", "1"},
		{"ETH", "1.000000000000000001", "1000000000000000001"},
	} {
		got, err := payment.ParseMajor(c.code, c.typed)
		if err != nil || got.String() != c.want {
			t.Errorf("%q %s: got %s, %v; want %s", c.typed, c.code, got, err, c.want)
		}
	}
}

func TestTypedAmountsThatNeedAGuessAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, typed, says string }{
		{"JPY", "10.5", "JPY has no decimals"},
		{"JPY", "10.0", "JPY has no decimals"},
		{"KWD", "2.9505", "KWD has at most 3 decimals"},
		{"EUR", "49,00", "write a point before the decimals"},
		{"EUR", "1,234.50", "nothing between thousands"},
		{"EUR", "", "write digits, like 15.05"},
		{"EUR", "ten", "write digits"},
		{"EUR", "1e3", "write digits"},
		{"EUR", "+1", "write digits"},
		{"EUR", "--1", "write digits"},
		{"EUR", "1.", "write digits"},
		{"EUR", ".5", "write digits"},
		{"EUR", "1.2.3", "write digits"},
		{"EUR", "1 000", "write digits"},
		{"EUR", "٤٩", "write digits"},
		{"GOLD", "1", "not a currency we know"},
		{"eur", "1", "not a currency we know"},
		{"", "1", "not a currency we know"},
		{"EUR", strings.Repeat("9", 64), "longer than 65 digits"},
	} {
		got, err := payment.ParseMajor(c.code, c.typed)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q %s: got %s and error %v, want one that says %q", c.typed, c.code, got, err, c.says)
		}
	}
}

func TestMajorUnitsPrintAndReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := payment.Money{Amount: anyAmount(t), Currency: anyCurrency().Draw(t, "currency")}
		if m.Currency == "GOLD" {
			return
		}
		back, err := payment.ParseMajor(m.Currency, m.Major())
		if err != nil || !back.Equal(m.Amount) {
			t.Fatalf("%s minor units print as %q and read back as %s, %v", m.Amount, m.Major(), back, err)
		}
	})
}

func TestEachCurrencyIsCountedInItsOwnDecimals(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]int{
		"JPY": 0, "KRW": 0, "EUR": 2, "USD": 2, "GBP": 2, "CNY": 2, "KWD": 3, "BHD": 3,
		"USDC": 6, "USDT": 6, "DAI": 18, "ETH": 18,
		// A price tag shows none of theirs, providers count them.
		"RSD": 2, "ALL": 2, "HUF": 2,
	} {
		if got, ok := payment.Exponent(code); got != want || !ok {
			t.Errorf("%s: got %d, %v; want %d", code, got, ok, want)
		}
	}
	for _, code := range []string{"", "GOLD", "eur", "EUR "} {
		if got, ok := payment.Exponent(code); ok {
			t.Errorf("%q has %d decimals, but is no currency", code, got)
		}
	}
}

func FuzzParseMajor(f *testing.F) {
	for _, s := range []string{"2.950", "10.5", "-0", "1,5", "00.0", "9e9", "\u0664", "1.-1"} {
		f.Add("KWD", s)
		f.Add("JPY", s)
	}
	f.Fuzz(func(t *testing.T, code, typed string) {
		a, err := payment.ParseMajor(code, typed)
		if err != nil {
			return
		}
		m := payment.Money{Amount: a, Currency: code}
		back, err := payment.ParseMajor(code, m.Major())
		if err != nil || !back.Equal(a) {
			t.Errorf("%q in %q is %s minor units, prints as %q and reads back as %s, %v", typed, code, a, m.Major(), back, err)
		}
		if s := m.Format("en"); strings.Contains(s, "NaN") || strings.Contains(s, "E-") {
			t.Errorf("%s is shown as %q", m, s)
		}
	})
}

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	Helper()
	Fatal(args ...any)
}

func amount(t tester, s string) payment.Amount {
	t.Helper()
	a, err := payment.ParseAmount(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func anyCurrency() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"EUR", "JPY", "KWD", "USDC", "DAI", "CLF", "GOLD"})
}

// anyAmount draws amounts of all lengths: most bugs sit at both ends.
func anyAmount(t *rapid.T) payment.Amount {
	if rapid.Bool().Draw(t, "small") {
		return payment.NewAmount(rapid.Int64Range(math.MinInt32, math.MaxInt32).Draw(t, "amount"))
	}
	a, err := payment.ParseAmount(rapid.StringMatching(`-?[1-9][0-9]{0,64}`).Draw(t, "amount"))
	if err != nil {
		t.Fatal(err)
	}
	return a
}
