package stripe_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"onceshop/payment"
	"onceshop/providers/stripe"
)

func TestARepeatWithAnotherPendingWebhooksIsADuplicate(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	first := receive(t, a, paidBody)
	for name, d := range map[string]struct {
		body string
		same bool
	}{
		"pending_webhooks":      {strings.Replace(paidBody, `"pending_webhooks":1`, `"pending_webhooks":2`, 1), true},
		"a request besides":     {strings.Replace(paidBody, `"type"`, `"request":{"id":"req_1"},"type"`, 1), true},
		"white space":           {strings.ReplaceAll(paidBody, `,`, ",\n "), true},
		"another amount":        {strings.Replace(paidBody, `2500`, `2501`, 1), false},
		"a digit of a fraction": {strings.Replace(paidBody, `2500`, `2500,"fee":9007199254740993`, 1), false},
		"another time":          {strings.Replace(paidBody, `1767225600`, `1767225601`, 1), false},
		"another type":          {strings.Replace(paidBody, `completed`, `expired`, 1), false},
	} {
		again := receive(t, a, d.body)
		if again.ID != first.ID || (again.Fingerprint == first.Fingerprint) != d.same {
			t.Errorf("%s: same content %v", name, !d.same)
		}
	}
}

func TestFingerprintsTellNumbersApartDigitByDigit(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	one := receive(t, a, string(eventOf("customer.created", `"id":"cus_1","n":9007199254740993`)))
	two := receive(t, a, string(eventOf("customer.created", `"id":"cus_1","n":9007199254740992`)))
	if one.Fingerprint == two.Fingerprint {
		t.Error("rounded")
	}
}

func TestTheOtherModeIsIgnored(t *testing.T) {
	t.Parallel()
	test, live := adapter(t, stripe.Config{}), adapter(t, stripe.Config{Live: true})
	body := func(kind, livemode string) string {
		return strings.Replace(string(eventOf(kind, `"id":"pi_1","object":"payment_intent","amount":2500,"currency":"eur"`)), `"livemode":false`, livemode, 1)
	}
	for _, d := range []struct {
		a              *stripe.Adapter
		kind, livemode string
		verdict        payment.Verdict
		reason         string
	}{
		{test, "payment_intent.succeeded", `"livemode":false`, "", ""},
		{test, "payment_intent.succeeded", `"livemode":true`, payment.Ignored, "ignored_mode: "},
		{live, "payment_intent.succeeded", `"livemode":true`, "", ""},
		{live, "payment_intent.succeeded", `"livemode":false`, payment.Ignored, "ignored_mode: "},
		{live, "payment_intent.succeeded", `"z":1`, payment.NeedsReview, "live or a test"},
		{test, "payment_intent.succeeded", `"livemode":null`, payment.NeedsReview, "live or a test"},
		{live, "payment_intent.created", `"z":1`, payment.Ignored, "payment_intent.created changes nothing"},
		{live, "customer.created", `"z":1`, payment.Ignored, "not a type we act on"},
		{live, "customer.created", `"livemode":false`, payment.Ignored, "ignored_mode: "},
		{test, "customer.created", `"livemode":false`, payment.Ignored, "not a type we act on"},
		{test, "payment_intent.succeeded", `"livemode":false,"account":"acct_1"`, payment.Ignored, "foreign_account: "},
		{live, "payment_intent.succeeded", `"livemode":false,"account":"acct_1"`, payment.Ignored, "foreign_account: "},
		{test, "payment_intent.succeeded", `"livemode":false,"account":null`, "", ""},
	} {
		e := receive(t, d.a, body(d.kind, d.livemode))
		if e.Verdict != d.verdict || !strings.Contains(e.Reason, d.reason) || (d.reason == "") != (e.Reason == "") {
			t.Errorf("%s %s: %s, %s", d.kind, d.livemode, e.Verdict, e.Reason)
		}
	}
	text := `"livemode":"false"`
	raw := []byte(body("payment_intent.succeeded", text))
	if _, err := test.Parse(nil, raw); !errors.Is(err, payment.ErrMalformed) {
		t.Errorf("%s: %v", text, err)
	}
}

func TestAnEventNamesThePaymentThatFetchTakes(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	for _, d := range []struct{ kind, members, ref, order string }{
		{"checkout.session.completed", `"id":"cs_1","payment_intent":"pi_1","payment_status":"paid","client_reference_id":"our-1"`, "pi_1", "our-1"},
		{"checkout.session.completed", `"id":"cs_1","payment_intent":{"id":"pi_1","object":"payment_intent","amount":"x"},"payment_status":"paid"`, "pi_1", ""},
		{"checkout.session.expired", `"id":"cs_1","payment_intent":null,"metadata":{"order_ref":"our-1"}`, "cs_1", "our-1"},
		{"checkout.session.expired", `"id":"cs_1","client_reference_id":"our-1","metadata":{"order_ref":"our-2"}`, "cs_1", "our-1"},
		{"checkout.session.expired", `"id":"cs_1","client_reference_id":" ","metadata":{"order_ref":"our-2"}`, "cs_1", "our-2"},
		{"checkout.session.expired", `"id":"cs_1","client_reference_id":null,"metadata":null`, "cs_1", ""},
		{"payment_intent.succeeded", `"id":"pi_1","latest_charge":{"id":"ch_1"},"metadata":{"order_ref":"our-1"}`, "pi_1", "our-1"},
		{"charge.refunded", `"id":"ch_1","payment_intent":"pi_1","metadata":{"Order_Ref":"our-2","order_ref":"our-1"}`, "pi_1", "our-1"},
		{"charge.refunded", `"id":"ch_1","payment_intent":null,"metadata":{"order_ref":""}`, "ch_1", ""},
		{"charge.refunded", `"id":"py_1","metadata":{"order_ref":"` + strings.Repeat("x", 500) + `"}`, "py_1", ""},
		{"refund.failed", `"id":"re_1","charge":"ch_1","payment_intent":{"id":"pi_1"}`, "pi_1", ""},
		{"refund.failed", `"id":"re_1","charge":{"id":"ch_1"},"payment_intent":null`, "ch_1", ""},
		{"refund.failed", `"id":"re_1","charge":null`, "re_1", ""},
		{"charge.dispute.created", `"id":"du_1","charge":"ch_1","payment_intent":"pi_1","status":"needs_response"`, "pi_1", ""},
		{"charge.dispute.created", `"id":"du_1","charge":"ch_1"`, "ch_1", ""},
	} {
		e := receive(t, a, string(eventOf(d.kind, d.members)))
		if e.PaymentRef != d.ref || e.OrderRef != d.order || e.Verdict != "" {
			t.Errorf("%s %s: payment %q, order %q, %s %s", d.kind, d.members, e.PaymentRef, e.OrderRef, e.Verdict, e.Reason)
		}
	}
	nameless := strings.Replace(string(eventOf("refund.failed", "")), `"data":{"object":{}}`, `"data":{}`, 1)
	if e := receive(t, a, nameless); e.Verdict != payment.NeedsReview || e.PaymentRef != "" {
		t.Errorf("without an object: %+v", e)
	}
}

func TestAnEventClaimsNoMoreThanItShows(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	for _, d := range []struct {
		kind, members string
		effect        payment.Effect
		status        payment.Status
	}{
		{"checkout.session.completed", `"payment_status":"no_payment_required","amount_total":0`, payment.EffectAdvance, payment.Paid},
		{"checkout.session.completed", `"payment_status":"no_payment_required","amount_total":2500`, payment.EffectFetch, ""},
		{"checkout.session.completed", `"payment_status":"new"`, payment.EffectFetch, ""},
		{"payment_intent.succeeded", `"amount":2500,"amount_received":1000`, payment.EffectFetch, ""},
		{"payment_intent.succeeded", `"amount":2500,"amount_received":2500`, payment.EffectAdvance, payment.Paid},
		{"charge.captured", `"amount":2500,"amount_captured":1000`, payment.EffectFetch, ""},
		{"charge.captured", `"amount":2500,"amount_captured":2500`, payment.EffectAdvance, payment.Paid},
		{"payment_intent.canceled", `"cancellation_reason":"automatic"`, payment.EffectAdvance, payment.Expired},
		{"payment_intent.canceled", `"cancellation_reason":"expired"`, payment.EffectAdvance, payment.Expired},
		{"payment_intent.canceled", `"cancellation_reason":null`, payment.EffectAdvance, payment.Failed},
		{"payment_intent.canceled", `"cancellation_reason":"fraudulent"`, payment.EffectAdvance, payment.Failed},
		{"refund.updated", `"status":"succeeded"`, payment.EffectFetch, ""},
		{"charge.dispute.closed", `"status":"warning_closed"`, payment.EffectDisputeWon, ""},
		{"charge.dispute.closed", `"status":"prevented"`, payment.EffectDisputeWon, ""},
		{"charge.dispute.closed", `"status":"new"`, payment.EffectFetch, ""},
	} {
		if e := receive(t, a, string(eventOf(d.kind, `"id":"x_1",`+d.members))); e.Effect != d.effect || e.Status != d.status {
			t.Errorf("%s %s: %s %s", d.kind, d.members, e.Effect, e.Status)
		}
	}
}

func TestEventAmountsAreInOurUnits(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	for members, want := range map[string]string{
		`"amount":2500,"currency":"eur"`:  "2500 EUR",
		`"amount":2500,"currency":"jpy"`:  "2500 JPY",
		`"amount":2950,"currency":"kwd"`:  "2950 KWD",
		`"amount":50000,"currency":"isk"`: "500 ISK",
		`"amount":2500,"currency":"mga"`:  "250000 MGA",
		`"amount":50001,"currency":"isk"`: "nil ",
		`"amount":2500,"currency":"xyz"`:  "nil ",
		`"amount":2500`:                   "nil ",
		`"currency":"eur"`:                "nil ",
	} {
		e := receive(t, a, string(eventOf("charge.refunded", `"id":"ch_1",`+members)))
		got := "nil"
		if e.Amount != nil {
			got = e.Amount.String()
		}
		if got += " " + e.Currency; got != want {
			t.Errorf("%s: %s, want %s", members, got, want)
		}
	}
}

func TestOnlyEventsAreTakenForEvents(t *testing.T) {
	t.Parallel()
	a := adapter(t, stripe.Config{})
	for _, change := range [][2]string{
		{`"object":"event",`, ``}, {`"object":"event"`, `"object":"v2.core.event"`}, {`"object":"event"`, `"object":null`},
		{`"object":"checkout.session"`, `"object":"charge"`}, {`"id":"evt_1",`, ``}, {`"id":"evt_1"`, `"id":1`}, {`:2500`, `:"2500"`}, {`:2500`, `:25.00`}, {`:2500`, `:-2500`},
		{`"pi_1"`, `["pi_1"]`}, {`"pi_1"`, `{"id":" pi_1"}`}, {`"pi_1"`, `{"id":"pi_1","Id":"pi_2"}`}, {`"created":1767225600`, `"created":"1767225600"`},
		{`"data":{`, `"data":[{`}, {`"type":`, `"type":"x","type":`},
	} {
		body := strings.Replace(paidBody, change[0], change[1], 1)
		if events, err := a.Parse(nil, []byte(body)); !errors.Is(err, payment.ErrMalformed) || events != nil {
			t.Errorf("%s for %s: %v, %v", change[1], change[0], events, err)
		}
	}
}

// What Parse accepts, another decoder reads in the same way.
func FuzzParse(f *testing.F) {
	f.Add([]byte(paidBody))
	f.Add(eventOf("charge.refunded", `"id":"ch_1","payment_intent":{"id":"pi_1"},"amount":2500,"currency":"isk"`))
	f.Add(eventOf("refund.failed", `"id":"re_1","charge":"ch_1"`))
	f.Add([]byte(`{"id":"e1","Id":"e2","object":"event"}`))
	f.Add([]byte(`{"\u0069d":"\ud83d\ude80","object":"event"}`))
	f.Add([]byte(`[[[[`))
	a := adapter(f, stripe.Config{})
	f.Fuzz(func(t *testing.T, body []byte) {
		events, err := a.Parse(nil, body)
		if err != nil {
			if !errors.Is(err, payment.ErrMalformed) {
				t.Errorf("an error of no kind: %v", err)
			}
			return
		}
		var other struct {
			ID, Object, Type, Account string
			Created                   int64
			Livemode                  *bool
		}
		if err := json.Unmarshal(body, &other); err != nil || !utf8.Valid(body) {
			t.Fatalf("accepted what others refuse: %v", err)
		}
		e := events[0]
		if e.ID != other.ID || e.Type != other.Type || other.Object != "event" || other.Created != 0 && e.OccurredAt.Unix() != other.Created {
			t.Errorf("read %+v, others read %+v", e, other)
		}
		if e.Verdict == "" && (other.Account != "" || other.Livemode == nil || *other.Livemode || e.PaymentRef == "") {
			t.Errorf("let through: %+v, %+v", e, other)
		}
	})
}
