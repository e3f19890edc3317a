package wire_test

import (
	"strings"
	"testing"

	"onceshop/providers/wire"
)

func TestWhatOthersMayHaveChosenIsNoneWhereItCannotBeKept(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`"our-1"`: "our-1", `"not as described"`: "not as described", `"` + strings.Repeat("x", wire.MaxRef) + `"`: strings.Repeat("x", wire.MaxRef),
		`""`: "", `" padded"`: "", `"two\nlines"`: "", `"` + strings.Repeat("x", wire.MaxRef+1) + `"`: "",
		`null`: "", `7`: "", `true`: "", `["our-1"]`: "", `{"our-1":"our-1"}`: "",
	} {
		var text wire.LenientText
		err := wire.ReadDocument([]byte(`{"text":`+value+`}`), wire.Members{"text": &text})
		if err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", value, text, err)
		}
	}
	for _, value := range []string{`"\ud800"`, `{"a":1,"a":2}`, `01`} {
		var text wire.LenientText
		if err := wire.ReadDocument([]byte(`{"text":`+value+`}`), wire.Members{"text": &text}); err == nil {
			t.Errorf("%s is taken for JSON", value)
		}
	}
}

func TestNamesOfTheMerchantsOwnAreReadExactlyAndNeverRefused(t *testing.T) {
	t.Parallel()
	for labels, want := range map[string]string{
		`{"order_ref":"our-1"}`: "our-1", `{"Order_Ref":"our-2","order_ref":"our-1","ORDER_REF":[{}]}`: "our-1", `{"Order_Ref":"our-1"}`: "",
		`{"order_ref":7}`: "", `{}`: "", `[]`: "", `""`: "", `null`: "", `["order_ref"]`: "",
	} {
		var ours wire.LenientText
		err := wire.ReadDocument([]byte(`{"notes":`+labels+`}`), wire.Members{"notes": wire.Labels{"order_ref": &ours}})
		if err != nil || string(ours) != want {
			t.Errorf("%s: %q, %v", labels, ours, err)
		}
	}
	for _, labels := range []string{`{"a":1,"a":2}`, `{"order_ref":"our-1","order_ref":"our-2"}`, `{"a":"\ud800"}`} {
		var ours wire.LenientText
		if err := wire.ReadDocument([]byte(`{"notes":`+labels+`}`), wire.Members{"notes": wire.Labels{"order_ref": &ours}}); err == nil {
			t.Errorf("%s is taken for JSON", labels)
		}
	}
}
