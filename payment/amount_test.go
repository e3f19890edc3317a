package payment_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"onceshop/payment"
)

func TestAmountsAreReadStrictly(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"0", "1", "-1", "10", strings.Repeat("9", 65), "-" + strings.Repeat("9", 65)} {
		if a, err := payment.ParseAmount(s); err != nil || a.String() != s {
			t.Errorf("%q: got %s, %v", s, a, err)
		}
	}
	for _, s := range []string{"", "-", "-0", "00", "01", "-01", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "1_000", "٣", "--1", strings.Repeat("9", 66), "1\x00"} {
		if a, err := payment.ParseAmount(s); err == nil {
			t.Errorf("%q was read as %s", s, a)
		}
	}
}

func TestTheZeroAmountIsZero(t *testing.T) {
	t.Parallel()
	var a payment.Amount
	if a.String() != "0" || a.Sign() != 0 || !a.Equal(payment.NewAmount(0)) || a.Add(a).Sign() != 0 || a.Times(7).Sign() != 0 {
		t.Errorf("got %s", a)
	}
}

func TestAmountsReckonBeyond64Bits(t *testing.T) {
	t.Parallel()
	vast := amount(t, "1000000000000000000000000")
	if got := vast.Sub(payment.NewAmount(1)).String(); got != "999999999999999999999999" {
		t.Errorf("one less is %s", got)
	}
	if got := vast.Times(3).Add(payment.NewAmount(1)).String(); got != "3000000000000000000000001" {
		t.Errorf("three times and one is %s", got)
	}
	if vast.String() != "1000000000000000000000000" {
		t.Errorf("reckoning changed the amount to %s", vast)
	}
}

func TestAmountsAreStringsInJSONAndTextInTheDatabase(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := anyAmount(t)
		raw, err := json.Marshal(a)
		if err != nil || string(raw) != `"`+a.String()+`"` {
			t.Fatalf("%s is %s in JSON, %v", a, raw, err)
		}
		var back payment.Amount
		if err := json.Unmarshal(raw, &back); err != nil || !back.Equal(a) {
			t.Fatalf("%s reads back as %s, %v", raw, back, err)
		}
		value, err := a.Value()
		if err != nil {
			t.Fatal(err)
		}
		for _, src := range []any{value, []byte(value.(string))} {
			if err := back.Scan(src); err != nil || !back.Equal(a) {
				t.Fatalf("%v from the database is %s, %v", src, back, err)
			}
		}
	})
	var a payment.Amount
	if err := a.Scan(int64(-7)); err != nil || a.String() != "-7" {
		t.Errorf("an integer column: %s, %v", a, err)
	}
	for _, src := range []any{nil, 1.5, "1.50", []byte("")} {
		if err := a.Scan(src); err == nil {
			t.Errorf("%v was read as %s", src, a)
		}
	}
}

func FuzzParseAmount(f *testing.F) {
	for _, s := range []string{"0", "-0", "1", "-1", "00", "+1", "1e9", strings.Repeat("9", 65)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if a, err := payment.ParseAmount(s); err == nil && a.String() != s {
			t.Errorf("%q was read as %s", s, a)
		}
	})
}
