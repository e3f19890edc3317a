package sandbox_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"onceshop/sandbox"
)

// signature is the published rule once more, independent of the sandbox's code.
func signature(secret, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	return "v1=" + hex.EncodeToString(mac.Sum(nil))
}

func TestTheSignatureRuleOfTheseTestsIsThePublishedOne(t *testing.T) {
	t.Parallel()
	got := signature("test-secret", "1000", []byte(`{"id":"event", "data":"支付"}`))
	if want := "v1=078cb671e8bb5e653247c24f391944c7b950cf3423ab178ecc16243b79ccdf63"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestADeliveryIsSignedOverItsExactBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "pay", "")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 {
		t.Fatalf("%d deliveries", len(got))
	}
	for i, d := range got {
		if want := signature(secret, timestamp(d), d.Body); signed(d) != want {
			t.Errorf("signature %s, want %s", signed(d), want)
		}
		if timestamp(d) != strconv.FormatInt(b.Now().Unix(), 10) {
			t.Errorf("signed at %s", timestamp(d))
		}
		var event struct {
			ID, Type, CreatedAt string
			Order               struct{ ID, Revision string }
		}
		if err := json.Unmarshal(d.Body, &event); err != nil {
			t.Fatal(err)
		}
		if event.ID != eventID(d) || event.Order.ID != id || event.Order.Revision != strconv.Itoa(i+1) || event.CreatedAt == "" {
			t.Errorf("delivered %s as %s", d.Body, eventID(d))
		}
	}
}

func TestARetryIsSignedAfreshOverTheSameBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusServiceUnavailable, "")
	b.order()
	b.Move(2 * time.Hour)
	b.Later()
	b.shop.Always(http.StatusNoContent, "")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 {
		t.Fatalf("%d attempts", len(got))
	}
	first, second := got[0], got[1]
	if string(first.Body) != string(second.Body) || eventID(first) != eventID(second) {
		t.Error("the retry sent something else")
	}
	if timestamp(first) == timestamp(second) || signed(first) == signed(second) {
		t.Error("the retry carries the old timestamp")
	}
	if want := signature(secret, timestamp(second), second.Body); signed(second) != want {
		t.Errorf("signature %s, want %s", signed(second), want)
	}
	b.Later()
	b.Deliver()
	if again := b.shop.Take(); len(again) != 0 {
		t.Errorf("delivered and sent again: %d", len(again))
	}
}

// log returns the only delivery there is.
func (b *bench) log() object {
	b.T.Helper()
	list := b.must("GET", "/v1/test/deliveries", "", "").List("deliveries")
	if len(list) != 1 {
		b.T.Fatalf("%d deliveries", len(list))
	}
	return list[0]
}

func TestTheLogTellsEveryAttempt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusUnauthorized, "")
	b.order()
	b.shop.Always(http.StatusOK, "")
	b.Later()
	b.Deliver()
	d := b.log()
	d.Expect(t, object{"status": "done", "kind": "event", "url": b.shop.URL})
	attempts := d.List("log")
	if len(attempts) != 2 {
		t.Fatalf("logged %v", attempts)
	}
	attempts[0].Expect(t, object{"error": "answered 401"})
	attempts[1].Expect(t, object{"error": ""})
	if attempts[0]["statusCode"] != 401.0 || attempts[1]["statusCode"] != 200.0 {
		t.Errorf("logged %v", attempts)
	}
}

func TestAConflictIsNotSentAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusConflict, "")
	b.order()
	b.Later()
	b.Deliver()
	if n := len(b.shop.Take()); n != 1 {
		t.Errorf("sent %d times", n)
	}
	d := b.log()
	d.Expect(t, object{"status": "dead"})
	if d.Text("lastError") == "" {
		t.Error("no reason")
	}
}

func TestAShopThatNeverAnswersIsGivenUpAfterTheSchedule(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusInternalServerError, "")
	b.order()
	for range 10 {
		b.Later()
		b.Deliver()
	}
	if n := len(b.shop.Take()); n != 8 {
		t.Errorf("sent %d times, want the first and seven retries", n)
	}
	b.log().Expect(t, object{"status": "dead", "lastError": "answered 500"})
}

func TestTheTimeScaleShortensTheSchedule(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *sandbox.Config) { c.TimeScale = 0.5 })
	b.shop.Always(http.StatusInternalServerError, "")
	b.order()
	// The first wait is a minute; half of it, with jitter, is below 34 seconds.
	n := b.count(`SELECT COUNT(*) FROM pay_webhook_deliveries
		WHERE status = 'pending' AND next_attempt_at <= NOW(6) + INTERVAL 34 SECOND`)
	if n != 1 {
		t.Error("the wait is longer than half a minute")
	}
}

func TestARedirectIsNoAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusPermanentRedirect, "")
	b.order()
	b.log().Expect(t, object{"status": "pending", "lastError": "answered 308"})
}

func TestEveryEndpointGetsTheEventSignedWithItsOwnSecret(t *testing.T) {
	t.Parallel()
	b := setup(t)
	second := b.Listen(sandbox.StableIn, "the-secret-of-the-other-endpoint")
	b.order()
	one, two := b.shop.Take(), second.Take()
	if len(one) != 1 || len(two) != 1 || eventID(one[0]) != eventID(two[0]) || string(one[0].Body) != string(two[0].Body) {
		t.Fatalf("%v and %v", one, two)
	}
	if want := signature("the-secret-of-the-other-endpoint", timestamp(two[0]), two[0].Body); signed(two[0]) != want {
		t.Errorf("signature %s, want %s", signed(two[0]), want)
	}
}

func TestARotatedSecretSignsWhatIsSentFromThenOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusServiceUnavailable, "")
	b.order()
	if _, err := b.AddEndpoint(t.Context(), sandbox.StableIn, b.shop.URL, "the-new-secret-of-the-shop", secret); err != nil {
		t.Fatal(err)
	}
	b.Later()
	b.Deliver()
	b.Faults(sandbox.Faults{PreviousSecret: true})
	b.Later()
	b.Deliver()
	got := b.shop.Take()
	for i, key := range []string{secret, "the-new-secret-of-the-shop", secret} {
		if want := signature(key, timestamp(got[i]), got[i].Body); signed(got[i]) != want {
			t.Errorf("attempt %d is not signed with %s", i+1, key)
		}
	}
	if n := b.count("SELECT COUNT(*) FROM pay_webhook_endpoints"); n != 1 {
		t.Errorf("%d endpoints", n)
	}
}

func TestARemovedEndpointGetsNothingMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.shop.Always(http.StatusServiceUnavailable, "")
	id := b.order()
	endpoint := b.must("GET", "/v1/webhook-endpoints", "", "").List("endpoints")[0].Text("id")
	b.must("DELETE", "/v1/webhook-endpoints/"+endpoint, "", "")
	b.shop.Take()
	b.Later()
	b.act(id, "pay", "")
	b.Deliver()
	if n := len(b.shop.Take()); n != 0 {
		t.Errorf("%d more", n)
	}
	b.log().Expect(t, object{"status": "cancelled", "lastError": "endpoint removed"})
	if _, err := b.AddEndpoint(t.Context(), sandbox.StableIn, b.shop.URL, secret); err != nil { // it may come back
		t.Fatal(err)
	}
	b.act(id, "refund", "")
	b.Deliver()
	if n := len(b.shop.Take()); n != 1 {
		t.Errorf("%d after it came back", n)
	}
}

func TestAResentDeliveryIsOneMoreOfTheSameEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.order()
	first := b.log()
	b.must("POST", "/v1/test/deliveries/"+first.Text("id")+"/resend", "", "")
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 || string(got[0].Body) != string(got[1].Body) || eventID(got[0]) != eventID(got[1]) {
		t.Fatalf("got %v", got)
	}
	if n := b.count("SELECT COUNT(*) FROM pay_order_events"); n != 1 {
		t.Errorf("%d events", n)
	}
	spoiled := `{"faults":{"wrong_signature":true,"duplicate":2}}`
	b.must("POST", "/v1/test/deliveries/"+first.Text("id")+"/resend", "", spoiled)
	b.Deliver()
	got = b.shop.Take()
	if len(got) != 3 {
		t.Fatalf("%d sends, want 3", len(got))
	}
	for _, d := range got {
		if signed(d) == signature(secret, timestamp(d), d.Body) {
			t.Error("signed correctly")
		}
	}
}

func TestDeliveriesAreListedByEventAndByOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one := b.order()
	b.order()
	b.act(one, "pay", "")
	if list := b.must("GET", "/v1/test/deliveries?order="+one, "", "").List("deliveries"); len(list) != 2 {
		t.Errorf("%d of the order", len(list))
	}
	event := b.must("GET", "/v1/events", "", "").List("events")[0].Text("id")
	if list := b.must("GET", "/v1/test/deliveries?event="+event, "", "").List("deliveries"); len(list) != 1 {
		t.Errorf("%d of the event", len(list))
	}
}
