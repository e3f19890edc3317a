package stablein_test

import (
	"errors"
	"strings"
	"testing"

	"onceshop/payment"
)

const (
	orderID = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001"
	paidID  = "e0000000-0000-4000-8000-000000000002"

	paidBody = `{"id":"e0000000-0000-4000-8000-000000000002","type":"payment.paid","order":{"id":"7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001","paymentStatus":"paid","refundStatus":"none","amount":"50000","refundedAmount":"0","currency":"USDC","revision":"2","fulfillmentDecision":"allow","merchantRisk":{"serviceStatus":"enabled","chainEnforcement":"allowed"}}}`

	paidByCurrent  = "v1=c1ec2598492e24ca8b5bf267c1eb7be1b8504f01827f6ff92e19cff2837e9f4d"
	paidByPrevious = "v1=688fd9a9a329cc7a41c9e444f70db25b5858a3254274d864d9a581f879454539"
)

func TestFixtureEventsVerifyAndNameTheirPayment(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	for _, d := range []struct{ id, kind, revision, status, refund, refunded, signature string }{
		{"e0000000-0000-4000-8000-000000000001", "payment.confirming", "1", "confirming", "none", "0", "v1=b98f9f792a7932f1e21013b6df7100e212c5680c24297cc29d53479a378ca4c6"},
		{paidID, "payment.paid", "2", "paid", "none", "0", paidByCurrent},
		{"e0000000-0000-4000-8000-000000000003", "refund.completed", "3", "paid", "partial", "20000", "v1=9069bfb45311a4f260ead8b17b1df2bb47c9a43b808faf122c9cf4b355f8da66"},
		{"e0000000-0000-4000-8000-000000000004", "refund.completed", "4", "paid", "full", "50000", "v1=986f996876a5cd1d8145e40ce940dd4e62391c132be07da09dce7be14fa9e5c3"},
	} {
		body := strings.NewReplacer(paidID, d.id, `"payment.paid"`, `"`+d.kind+`"`, `"paymentStatus":"paid"`, `"paymentStatus":"`+d.status+`"`,
			`"none"`, `"`+d.refund+`"`, `"refundedAmount":"0"`, `"refundedAmount":"`+d.refunded+`"`, `"revision":"2"`, `"revision":"`+d.revision+`"`).Replace(paidBody)
		e, err := receive(a, headers(d.id, clock, d.signature), body, now)
		if err != nil {
			t.Errorf("%s: %v", d.id, err)
			continue
		}
		if e.ID != d.id || e.Type != d.kind || e.PaymentRef != orderID || e.Revision.String() != d.revision || e.KeyID != "current" {
			t.Errorf("%s: read as %+v", d.id, e)
		}
	}
}

func TestDecodedAndEncodedBodyIsRefused(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	const id = "e0000000-0000-4000-8000-000000000028"
	const body = `{"id":"` + id + `", "note":"café 🚀"}`
	h := headers(id, clock, "v1=4fe12050b29bc7857049302cdcbafe0c79e377491405e7d054a7a1fc04131930")
	if e, err := receive(a, h, body, now); err != nil || e.ID != id || e.PaymentRef != "" {
		t.Errorf("the exact bytes: %+v, %v", e, err)
	}
	for name, changed := range map[string]string{
		"without the blank": strings.Replace(body, ", ", ",", 1),
		"escaped":           strings.Replace(body, "é", `\u00e9`, 1),
		"not UTF-8":         "\xff\xfe\xfa",
	} {
		if _, err := receive(a, h, changed, now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := receive(a, signed(id, "\xff\xfe\xfa"), "\xff\xfe\xfa", now); !errors.Is(err, payment.ErrMalformed) {
		t.Errorf("signed bytes that aren't UTF-8: %v", err)
	}
}

func TestNewlineMarkAndSecondDocumentAreBytesLikeOthers(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	for name, d := range map[string]struct {
		body, signature string
		want            error
	}{
		"newline, signed without":     {paidBody + "\n", paidByCurrent, payment.ErrSignature},
		"newline, signed with":        {paidBody + "\n", "v1=e231d1fc3812b952bad4b3f218a9ba03dee09df934c66fc237625d07223ecc94", nil},
		"byte order mark, signed":     {"\ufeff" + paidBody, "v1=2003331ec8faae9aabea118bdceafc37334eed7a925c809d06c4c54907694056", payment.ErrMalformed},
		"two documents, signed":       {paidBody + paidBody, "v1=01283b0a08f25beeb339ef0d33831b011903eb4b2e308b0ca0ad05137676c834", payment.ErrMalformed},
		"byte order mark, not signed": {"\ufeff" + paidBody, paidByCurrent, payment.ErrSignature},
	} {
		if _, err := receive(a, headers(paidID, clock, d.signature), d.body, now); !errors.Is(err, d.want) {
			t.Errorf("%s: got %v, want %v", name, err, d.want)
		}
	}
}

func TestNamesInAnotherCaseOrTwiceAreRefused(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	const id = "e0000000-0000-4000-8000-000000000037"
	twice := strings.Replace(strings.Replace(paidBody, paidID, id, 1), `"50000"`, `"50000","Amount":"1"`, 1)
	h := headers(id, clock, "v1=159893aa8e264597962462f2ee64c263f386a4b33a8df532209459689510a1e9")
	if _, err := receive(a, h, twice, now); !errors.Is(err, payment.ErrMalformed) {
		t.Errorf("the published example: %v", err)
	}
	for _, change := range [][2]string{
		{`"amount":"50000"`, `"Amount":"1","amount":"50000"`},
		{`"amount":"50000"`, `"amount":"50000","amount":"1"`},
		{`"amount":"50000"`, `"amount":"50000","\u0061mount":"50000"`},
		{`"amount":"50000"`, `"AMOUNT":"50000"`},
		{`"serviceStatus"`, `"ſerviceStatus"`}, // the long s folds to s
		{`"serviceStatus"`, `"servicestatus"`},
		{`"merchantRisk"`, `"MerchantRisk"`},
		{`"type"`, `"Type"`},
		{`"type"`, `"x":{"a":1,"a":2},"type"`},
		{`"type"`, `"data":{"orderid":"` + orderID + `"},"type"`},
		{`"order"`, `"Order":{},"order"`},
	} {
		body := strings.Replace(paidBody, change[0], change[1], 1)
		if _, err := receive(a, signed(paidID, body), body, now); !errors.Is(err, payment.ErrMalformed) {
			t.Errorf("%s: %v", change[1], err)
		}
	}
}

func TestIDsAreExactInCaseAndBlanks(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	read := func(header, body string) error {
		text := `{"id":` + body + `,"type":"payment.paid"}`
		_, err := receive(a, signed(header, text), text, now)
		return err
	}
	for _, id := range []string{"evt_1AbC", "evt_1aBC", "a b", strings.Repeat("x", 255), "支付"} {
		if err := read(id, `"`+id+`"`); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	if err := read("evt_1AbC", `"evt_1aBC"`); !errors.Is(err, payment.ErrSignature) {
		t.Errorf("another id in the header: %v", err)
	}
	for _, id := range []string{`" evt"`, `"evt "`, `"evt\u00a0"`, `"e\u0000t"`, `"e\nvt"`, `"evt\u007f"`, `""`, `"\ud800"`, `"\udc00\ud800"`, `null`, `1`, `["evt"]`, `"` + strings.Repeat("x", 256) + `"`} {
		if err := read("evt", id); !errors.Is(err, payment.ErrMalformed) {
			t.Errorf("%s: %v", id, err)
		}
	}
	for _, id := range []string{" evt", "evt\t", "e\x00vt", "", strings.Repeat("x", 256)} {
		if _, err := a.Verify(signed(id, "{}"), []byte("{}"), now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("header %q: %v", id, err)
		}
	}
}
