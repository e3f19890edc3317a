package stripe_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"onceshop/payment"
	"onceshop/providers/stripe"
)

// answering makes one answer to everything.
type answering struct {
	status int
	body   string
}

func (s answering) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	w.Header().Set("Location", "https://elsewhere.example/canary")
	w.WriteHeader(s.status)
	io.WriteString(w, s.body)
	return w.Result(), nil
}

func clientOf(t http.RoundTripper) *http.Client { return &http.Client{Transport: t} }

func TestStatusesHaveKinds(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]error{
		400: payment.ErrRefused, 401: payment.ErrUnauthorised, 402: payment.ErrRefused, 403: payment.ErrUnauthorised, 404: payment.ErrNotFound,
		409: payment.ErrLater, 429: payment.ErrLater, 500: payment.ErrLater, 503: payment.ErrLater, 204: payment.ErrLater, 302: payment.ErrLater,
	} {
		synctest.Test(t, func(t *testing.T) {
			a := adapter(t, stripe.Config{APIKey: apiKey, HTTP: clientOf(answering{status, `{"error":{"code":"charge_already_refunded","message":"canary","type":"invalid_request_error"}}`})})
			for name, ask := range calls(a) {
				want := want
				if want == payment.ErrNotFound && (name == "create" || name == "list") {
					want = payment.ErrRefused // no payment was named: the address is wrong
				}
				err := ask(t.Context())
				if !errors.Is(err, want) {
					t.Errorf("%s, status %d: got %v, want %v", name, status, err, want)
				}
				if status >= 400 && status != 409 && !strings.Contains(err.Error(), "charge_already_refunded") {
					t.Errorf("the reason is missing in %v", err)
				}
				checkQuiet(t, err)
			}
		})
	}
}

func TestReasonsThatAreNoCodesAreDropped(t *testing.T) {
	t.Parallel()
	for body, reason := range map[string]string{
		`{"error":{"type":"idempotency_error","message":"canary"}}`:                      "idempotency_error",
		`{"error":{"type":"card_error","code":"card_declined","decline_code":"canary"}}`: "card_declined",
		`{"error":{"code":"Canary"}}`:                                                    "",
		`{"error":{"code":"canary canary"}}`:                                             "",
		`{"error":{"code":"` + apiKey + `"}}`:                                            "",
		`{"error":{"code":"sk_test_canary"}}`:                                            "",
		`{"error":{"code":"rk_canary"}}`:                                                 "",
		`{"error":{"code":"whsec_canary"}}`:                                              "",
		`{"error":"canary"}`:                                                             "",
		`{"code":"canary"}`:                                                              "",
		`canary`:                                                                         "",
	} {
		a := adapter(t, stripe.Config{APIKey: apiKey, HTTP: clientOf(answering{400, body})})
		_, err := a.Fetch(t.Context(), "cs_test_1")
		if !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "status 400"+strings.TrimRight(" "+reason, " ")+":") {
			t.Errorf("%s: %v", body, err)
		}
		checkQuiet(t, err)
	}
}

func TestUnreadableAnswersAreForLater(t *testing.T) {
	t.Parallel()
	session := paidSession("0", false)
	for _, answer := range []string{
		``, `canary`, `null`, `[]`, `{}`, `"canary"`, `<html>canary</html>`, session + session, `{"id":"cs_test_1"}`, `{"object":"list","data":[{}],"has_more":false}`,
		`{"data":[1],"has_more":false}`, `{"data":["canary"`, `{"data":[null],"has_more":false}`, `{"data":[],"has_more":"false"}`,
	} {
		a := adapter(t, stripe.Config{APIKey: apiKey, HTTP: clientOf(answering{200, answer})})
		for name, ask := range calls(a) {
			err := ask(t.Context())
			if !errors.Is(err, payment.ErrLater) {
				t.Errorf("%s, answer %s: %v", name, answer, err)
			}
			checkQuiet(t, err)
		}
	}
}

func TestSessionsThatContradictThemselvesAreForLater(t *testing.T) {
	t.Parallel()
	good := paidSession("0", false)
	for name, answer := range map[string]string{
		"another session":     strings.Replace(good, "cs_test_1", "cs_test_2", 1),
		"no id":               strings.Replace(good, `"id":"cs_test_1",`, ``, 1),
		"another object":      strings.Replace(good, `"checkout.session"`, `"payment_link"`, 1),
		"the other mode":      strings.Replace(good, `false`, `true`, 1),
		"no amount":           strings.Replace(good, `"amount_total":2500`, `"amount_total":null`, 1),
		"an amount as a text": strings.Replace(good, `2500`, `"2500"`, 1),
		"a fraction":          strings.Replace(good, `2500`, `25.00`, 1),
		"no currency":         strings.Replace(good, `"eur"`, `null`, 1),
		"an unknown currency": strings.ReplaceAll(good, `"eur"`, `"xyz"`),
		"half a króna":        strings.NewReplacer(`"eur"`, `"isk"`, `2500`, `2550`).Replace(good),
		"intent in another one": strings.Replace(good, `"cancellation_reason":null,
		"currency":"eur"`, `"currency":"usd"`, 1),
		"no status":                strings.Replace(good, `"status":"complete"`, `"status":null`, 1),
		"no payment_status":        strings.Replace(good, `"payment_status":"paid",`, ``, 1),
		"an intent's id only":      sessionJSON("complete", "paid", `"pi_1"`),
		"no amount_received":       strings.Replace(good, `"amount_received":2500,`, ``, 1),
		"an intent without status": strings.Replace(good, `"status":"succeeded"}`, `"z":1}`, 2),
		"paid without an intent":   sessionJSON("complete", "paid", `null`),
		"paid, the intent not":     sessionJSON("complete", "paid", intentJSON("requires_action", "0", `null`)),
		"an intent as an array":    sessionJSON("complete", "paid", `[]`),
		"a name in another case":   strings.Replace(good, `"amount_received"`, `"Amount_received"`, 1),
		"a long word":              strings.Replace(good, `"complete"`, `"`+strings.Repeat("c", 33)+`"`, 1),
	} {
		if answer == good {
			t.Errorf("%s: isn't a change", name)
		}
		a, _ := asking(t, with(paid(), getSession, answer, getByIntent, listOf(answer)))
		refs := []string{"cs_test_1", "pi_1"}
		if name == "another session" {
			refs = refs[:1]
		}
		for _, ref := range refs {
			got, err := a.Fetch(t.Context(), ref)
			if !errors.Is(err, payment.ErrLater) || got.Ref != "" {
				t.Errorf("%s by %s: %+v, %v", name, ref, got, err)
			}
			checkQuiet(t, err)
		}
	}
}

func TestAnswersAboutSomethingElseAreForLater(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]struct {
		ref     string
		changes []string
	}{
		"another intent's session": {"pi_1", []string{getByIntent, listOf(strings.Replace(paidSession("0", false), `{"id":"pi_1"`, `{"id":"pi_2"`, 1))}},
		"a session without it":     {"pi_1", []string{getByIntent, listOf(sessionJSON("open", "unpaid", `null`))}},
		"two sessions":             {"pi_1", []string{getByIntent, listOf(paidSession("0", false), paidSession("0", false))}},
		"more sessions":            {"pi_1", []string{getByIntent, more(paidSession("0", false))}},
		"another intent":           {"pi_1", []string{getByIntent, listOf(), getIntent, strings.Replace(intentJSON("succeeded", "2500", `null`), "pi_1", "pi_2", 1)}},
		"an intent of no object":   {"pi_1", []string{getByIntent, listOf(), getIntent, strings.Replace(intentJSON("succeeded", "2500", `null`), "payment_intent", "setup_intent", 1)}},
		"another charge":           {"ch_1", []string{getCharge, strings.Replace(chargeJSON("0", false), "ch_1", "ch_2", 1)}},
		"another refund":           {"re_1", []string{getRefund, refundJSON("re_2", "1000", "failed")}},
		"another dispute":          {"dp_1", []string{getDispute, disputeJSON("dp_2", "won")}},
	} {
		a, _ := asking(t, with(paid(), d.changes...))
		if got, err := a.Fetch(t.Context(), d.ref); !errors.Is(err, payment.ErrLater) || got.Ref != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestALiveShopReadsLiveAnswersOnly(t *testing.T) {
	t.Parallel()
	live := strings.ReplaceAll(paidSession("0", false), `"livemode":false`, `"livemode":true`)
	for answer, want := range map[string]error{live: nil, paidSession("0", false): payment.ErrLater} {
		s := &standIn{answers: with(paid(), getSession, answer)}
		a := adapter(t, stripe.Config{APIKey: "sk_live_canary51Key", Live: true, HTTP: clientOf(s)})
		if _, err := a.Fetch(t.Context(), "cs_test_1"); !errors.Is(err, want) {
			t.Errorf("%s: %v", answer, err)
		}
	}
}

func TestAFailureIsTriedAgainWithTheSameKeyAndForm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failing{}
		a := adapter(t, stripe.Config{APIKey: apiKey, HTTP: clientOf(s), Now: time.Now})
		_, err := a.Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || len(s.sent) != 2 || s.sent[0] != s.sent[1] || !strings.Contains(s.sent[0], "our-1") {
			t.Errorf("sent %q, %v", s.sent, err)
		}
	})
}

type failing struct{ sent []string }

func (f *failing) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	f.sent = append(f.sent, r.Header.Get("Idempotency-Key")+string(body))
	w := httptest.NewRecorder()
	w.WriteHeader(http.StatusInternalServerError)
	return w.Result(), err
}

func TestAKeyThatCameWithOtherValuesIsNoRefusal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status  int
		body    string
		keyUsed bool
	}{
		{400, `{"error":{"type":"idempotency_error","message":"canary"}}`, true},
		{400, `{"error":{"type":"idempotency_error","code":"parameter_invalid"}}`, true},
		{409, `{"error":{"type":"idempotency_error","code":"idempotency_key_in_use"}}`, false}, // under way
	} {
		a := adapter(t, stripe.Config{APIKey: apiKey, HTTP: clientOf(answering{c.status, c.body})})
		_, err := a.Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || errors.Is(err, payment.ErrKeyUsed) != c.keyUsed {
			t.Errorf("%s: %v", c.body, err)
		}
		checkQuiet(t, err)
	}
}
