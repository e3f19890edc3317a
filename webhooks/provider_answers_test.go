package webhooks_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/adyen"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
	"onceshop/providers/stripe"
	"onceshop/providers/vectortest"
	"onceshop/shoptest"
	"onceshop/store"
)

// routed is a shop with one real adapter behind its route, and the vectors' clock.
func routed(t *testing.T, name string, adapter payment.Verifier, now time.Time) *shoptest.Shop {
	t.Helper()
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{name: adapter}})
	s.Handler.Now = func() time.Time { return now }
	return s
}

func sendAs(t *testing.T, s *shoptest.Shop, provider string, header http.Header, body string) shoptest.Answer {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, s.Server.URL+"/webhooks/"+provider, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	return s.Do(r)
}

func TestEveryProvidersVectorsAreAnsweredAsStated(t *testing.T) {
	t.Parallel()
	for name, p := range vectorProviders {
		set := vectortest.Read(t, p.vectors, "../providers/"+name+"/testdata")
		for _, v := range set.Vectors {
			t.Run(name+": "+v.ID, func(t *testing.T) {
				t.Parallel()
				var secrets []signing.Secret
				for i, key := range v.Secrets {
					secrets = append(secrets, signing.Secret{ID: string(rune('a' + i)), Key: key})
				}
				of := set
				if v.ExpectedMerchantAccount != "" {
					of.Events.MerchantAccount = v.ExpectedMerchantAccount
				} else if own := account.FindStringSubmatch(v.Body); own != nil {
					of.Events.MerchantAccount = own[1] // others' fixtures are of others' accounts
				}
				adapter, err := p.new(of, secrets)
				if err != nil {
					if v.Accept() {
						t.Fatal(err)
					}
					return // no such shop would start
				}
				s := routed(t, name, adapter, v.Time())
				a := sendAs(t, s, name, v.Header(), v.Body)
				if accepted := a.Status == 200; accepted != v.Accept() {
					t.Errorf("answer %d %s, want %s: %s", a.Status, a.Body, v.Want, v.Reason)
				}
				if v.Answer != 0 && a.Status != v.Answer {
					t.Errorf("answer %d, want %d", a.Status, v.Answer)
				}
				if n := s.Count("SELECT COUNT(*) FROM shop_events"); (n > 0) != v.Accept() {
					t.Errorf("%d events stored", n)
				}
			})
		}
	}
}

var account = regexp.MustCompile(`"merchantAccountCode": ?"([^"]+)"`)

// sample is a published event of a provider.
func sample(t *testing.T, p vectorProvider, name, id string) (vectortest.Set, vectortest.Event) {
	t.Helper()
	set := vectortest.Read(t, p.vectors, "../providers/"+name+"/testdata")
	for _, e := range set.Events.Events {
		if e.ID == id {
			return set, e
		}
	}
	t.Fatalf("%s has no sample %s", name, id)
	return set, vectortest.Event{}
}

func TestStripesRepeatsAreCountedAndItsConflictsRefused(t *testing.T) {
	t.Parallel()
	set, paid := sample(t, vectorProviders[stripe.Name], stripe.Name, "paid-session")
	adapter, err := stripe.New(stripe.Config{Secrets: []signing.Secret{{ID: "current", Key: set.Events.Secret}, {ID: "next", Key: "whsec_the_next_one_of_stripe"}}})
	if err != nil {
		t.Fatal(err)
	}
	now := set.Events.Time()
	s := routed(t, stripe.Name, adapter, now)
	signed := func(body, secret string, at time.Time) http.Header {
		return http.Header{"Stripe-Signature": {stripe.Sign(secret, at.Unix(), []byte(body))}}
	}
	pending := strings.Replace(paid.Body, `"pending_webhooks": 1`, `"pending_webhooks": 0`, 1)
	amount := strings.Replace(paid.Body, `"amount_total": 2500`, `"amount_total": 2501`, 1)
	if pending == paid.Body || amount == paid.Body {
		t.Fatal("the sample isn't what it was")
	}
	both := signed(paid.Body, "whsec_the_next_one_of_stripe", now).Get("Stripe-Signature") + "," +
		strings.SplitN(signed(paid.Body, "whsec_of_somebody_else", now).Get("Stripe-Signature"), ",", 2)[1]
	for _, c := range []struct {
		name   string
		header http.Header
		body   string
		want   int
	}{
		{"more than 300 s in the future", signed(paid.Body, set.Events.Secret, now.Add(301*time.Second)), paid.Body, 400},
		{"new", paid.Header(), paid.Body, 200},
		{"repeated with another pending_webhooks", signed(pending, set.Events.Secret, now), pending, 200},
		{"repeated with two signatures", http.Header{"Stripe-Signature": {both}}, paid.Body, 200},
		{"another amount under the same id", signed(amount, set.Events.Secret, now), amount, 409},
	} {
		if a := sendAs(t, s, stripe.Name, c.header, c.body); a.Status != c.want {
			t.Errorf("%s: answer %d %s, want %d", c.name, a.Status, a.Body, c.want)
		}
	}
	e, err := s.DB.FindEvent(t.Context(), stripe.Name, paid.EventKey)
	if err != nil || e.Deliveries != 3 || e.KeyID != "current" {
		t.Errorf("%d deliveries, first signed with %q (%v)", e.Deliveries, e.KeyID, err)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_event_conflicts"); n != 1 {
		t.Errorf("%d conflicts are recorded, want 1", n)
	}
}

func TestATestEventOfStripeDoesNothingInALiveShop(t *testing.T) {
	t.Parallel()
	set, paid := sample(t, vectorProviders[stripe.Name], stripe.Name, "paid-session")
	adapter, err := stripe.New(stripe.Config{Secrets: []signing.Secret{{ID: "current", Key: set.Events.Secret}}, Live: true})
	if err != nil {
		t.Fatal(err)
	}
	s := routed(t, stripe.Name, adapter, set.Events.Time())
	sign := func(body string) http.Header {
		return http.Header{"Stripe-Signature": {stripe.Sign(set.Events.Secret, set.Events.Now, []byte(body))}}
	}
	nameless := strings.Replace(strings.Replace(paid.Body, "\n  \"livemode\": false,", "", 1), paid.EventKey, "evt_nameless", 1)
	customer := strings.Replace(strings.Replace(nameless, `"checkout.session.completed"`, `"customer.created"`, 1), "evt_nameless", "evt_customer", 1)
	for _, body := range []string{paid.Body, nameless, customer} {
		if a := sendAs(t, s, stripe.Name, sign(body), body); a.Status != 200 {
			t.Errorf("answer %d %s", a.Status, a.Body)
		}
	}
	s.Settle()
	for id, want := range map[string]string{paid.EventKey: "ignored", "evt_nameless": "needs_review", "evt_customer": "ignored"} {
		e, err := s.DB.FindEvent(t.Context(), stripe.Name, id)
		if err != nil || e.Status != "done" || store.Deref(e.Verdict) != want {
			t.Errorf("%s is %s %s (%s), want %s: %v", id, e.Status, store.Deref(e.Verdict), store.Deref(e.Reason), want, err)
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE event_id = ? AND reason LIKE 'ignored_mode%'", paid.EventKey); n != 1 {
		t.Error("the event of test mode doesn't say why it is ignored")
	}
}

func TestRazorpaysReplaysAreKnownByTheirBytes(t *testing.T) {
	t.Parallel()
	set, paid := sample(t, vectorProviders[razorpay.Name], razorpay.Name, "paid")
	adapter, err := razorpay.New(razorpay.Config{Secrets: []signing.Secret{{ID: "current", Key: set.Events.Secret}}})
	if err != nil {
		t.Fatal(err)
	}
	s := routed(t, razorpay.Name, adapter, set.Events.Time())
	other := strings.Replace(paid.Body, `"amount":2500`, `"amount":2501`, 1)
	header := func(body, id string) http.Header {
		h := http.Header{"X-Razorpay-Signature": {razorpay.Sign(set.Events.Secret, []byte(body))}}
		if id != "" {
			h.Set("X-Razorpay-Event-Id", id)
		}
		return h
	}
	for _, c := range []struct {
		name, body, id string
		want, events   int
	}{
		{"new", paid.Body, "evt_known", 200, 1},
		{"replayed under an invented id", paid.Body, "evt_invented", 200, 1},
		{"replayed without an id", paid.Body, "", 200, 1},
		{"another body under the known id", other, "evt_known", 409, 1},
		{"another body under the invented id, which means nothing", other, "evt_invented", 200, 2},
	} {
		if a := sendAs(t, s, razorpay.Name, header(c.body, c.id), c.body); a.Status != c.want {
			t.Errorf("%s: answer %d %s, want %d", c.name, a.Status, a.Body, c.want)
		}
		if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != c.events {
			t.Errorf("%s: %d events, want %d", c.name, n, c.events)
		}
	}
}

func TestAdyensConflictsAreParkedAndABadItemRefusesItsBatch(t *testing.T) {
	t.Parallel()
	p := vectorProviders[adyen.Name]
	set, captured := sample(t, p, adyen.Name, "paid")
	_, repeated := sample(t, p, adyen.Name, "authorised-duplicate")
	_, authorised := sample(t, p, adyen.Name, "authorised")
	adapter, err := p.new(set, []signing.Secret{{ID: "current", Key: set.Events.Secret}})
	if err != nil {
		t.Fatal(err)
	}
	s := routed(t, adyen.Name, adapter, set.Events.Time())
	item := func(amount int) string {
		value := strconv.Itoa(amount)
		signature := adyen.Sign(set.Events.Secret, adyen.Signed{
			PSPReference: "TESTPSP000000001", MerchantAccountCode: "TestShopECOM", MerchantReference: "ORD-1001",
			Value: value, Currency: "EUR", EventCode: "AUTHORISATION", Success: "true",
		})
		return `{"NotificationRequestItem":{"additionalData":{"hmacSignature":"` + signature + `"},"amount":{"currency":"EUR","value":` + value +
			`},"eventCode":"AUTHORISATION","eventDate":"2026-01-01T00:01:00+00:00","merchantAccountCode":"TestShopECOM",` +
			`"merchantReference":"ORD-1001","pspReference":"TESTPSP000000001","success":"true"}}`
	}
	batch := func(items ...string) string {
		return `{"live":"false","notificationItems":[` + strings.Join(items, ",") + `]}`
	}
	forged := strings.Replace(item(9), `"value":9`, `"value":8`, 1)
	for _, c := range []struct {
		name, body, answer string
		want, events       int
	}{
		{"one bad item in a batch", batch(item(2500), forged), "", 401, 0},
		{"new", authorised.Body, "[accepted]", 200, 1},
		{"repeated with a later date", repeated.Body, "[accepted]", 200, 1},
		{"another amount", batch(item(1)), "[accepted]", 200, 2},
		{"another amount, repeated", batch(item(1)), "[accepted]", 200, 2},
		{"another event", captured.Body, "[accepted]", 200, 3},
	} {
		a := sendAs(t, s, adyen.Name, http.Header{"Content-Type": {"application/json"}}, c.body)
		if a.Status != c.want || c.answer != "" && a.Body != c.answer {
			t.Errorf("%s: answer %d %s, want %d %s", c.name, a.Status, a.Body, c.want, c.answer)
		}
		if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != c.events {
			t.Errorf("%s: %d events, want %d", c.name, n, c.events)
		}
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events WHERE verdict = 'needs_review' AND amount = 1"); n != 1 {
		t.Errorf("%d events are parked, want the other amount", n)
	}
}
