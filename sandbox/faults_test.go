package sandbox_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/sandboxtest"
)

func TestDuplicatesAreMoreSendsOfOneEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Duplicate: 3})
	b.order()
	got := b.shop.Take()
	if len(got) != 4 {
		t.Fatalf("%d sends", len(got))
	}
	for _, d := range got {
		if eventID(d) != eventID(got[0]) || string(d.Body) != string(got[0].Body) {
			t.Error("a duplicate differs")
		}
	}
	if n := b.count("SELECT COUNT(*) FROM pay_order_events"); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestAConflictIsAnotherBodyUnderTheSameIDValidlySigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Conflict: true})
	b.order()
	got := b.shop.Take()
	if len(got) != 2 || eventID(got[0]) != eventID(got[1]) || string(got[0].Body) == string(got[1].Body) {
		t.Fatalf("got %q", got)
	}
	if want := signature(secret, timestamp(got[1]), got[1].Body); signed(got[1]) != want {
		t.Error("the conflict is not validly signed")
	}
	if n := b.count("SELECT COUNT(*) FROM pay_order_events"); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestAConflictSendsTheSameOtherBodyWhenRepeated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Conflict: true})
	b.shop.Always(http.StatusBadGateway, "")
	b.order()
	b.Later()
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 4 || string(got[1].Body) != string(got[3].Body) || string(got[0].Body) != string(got[2].Body) {
		t.Errorf("got %q", got)
	}
}

func TestReorderSendsTheNewestFirst(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Reorder: true, DelayMS: 60_000}) // longer than this test takes anywhere
	id := b.order()
	if n := len(b.shop.Take()); n != 0 {
		t.Fatalf("the first event was not held back: %d", n)
	}
	b.act(id, "pay", `{"confirmations":1}`)
	b.Deliver()
	b.act(id, "confirm", "")
	b.Deliver()
	b.Later()
	b.Deliver()
	if got := revisions(t, b.shop.Take()); !slices.Equal(got, []string{"2", "3", "1"}) {
		t.Errorf("revisions came as %v", got)
	}
}

func TestReorderTurnsRoundWhatIsDueTogether(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{Reorder: true})
	id := b.must("POST", "/v1/orders", "k", euros).At("order").Text("id")
	if n := b.count("SELECT COUNT(*) FROM pay_webhook_deliveries WHERE next_attempt_at = created_at + INTERVAL 3 SECOND"); n != 1 {
		t.Error("the first event is not held back for three seconds")
	}
	b.act(id, "pay", `{"confirmations":1}`)
	b.act(id, "confirm", "")
	b.Later()
	b.Deliver()
	if got := revisions(t, b.shop.Take()); !slices.Equal(got, []string{"3", "2", "1"}) {
		t.Errorf("revisions came as %v", got)
	}
}

func TestWithoutFaultsEventsOfAnOrderComeInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.exec("UPDATE pay_webhook_endpoints SET faults = '{\"delay_ms\":1000}'")
	id := b.order()
	for range 8 {
		b.act(id, "pay", `{"amount":"1"}`)
	}
	b.Later()
	b.Deliver()
	got := revisions(t, b.shop.Take())
	if len(got) != 9 || !slices.IsSorted(got) {
		t.Errorf("revisions came as %v", got)
	}
}

func revisions(t *testing.T, list []delivered) (got []string) {
	t.Helper()
	for _, d := range list {
		got = append(got, sandboxtest.Decode[object](t, d.Body).At("order").Text("revision"))
	}
	return got
}

func TestADelayHoldsTheFirstAttempt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{DelayMS: 60_000})
	b.order()
	if n := len(b.shop.Take()); n != 0 {
		t.Fatalf("sent %d at once", n)
	}
	if n := b.count(`SELECT COUNT(*) FROM pay_webhook_deliveries
		WHERE next_attempt_at BETWEEN NOW(6) + INTERVAL 30 SECOND AND NOW(6) + INTERVAL 60 SECOND`); n != 1 {
		t.Error("it is not due in a minute")
	}
	b.Later()
	b.Deliver()
	if n := len(b.shop.Take()); n != 1 {
		t.Errorf("sent %d", n)
	}
}

func TestADroppedAnswerIsSentAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{DropAnswer: true, FirstAttempts: 1})
	b.order()
	b.log().Expect(t, object{"status": "pending"})
	b.Later()
	b.Deliver()
	if got := b.shop.Take(); len(got) != 2 || string(got[0].Body) != string(got[1].Body) {
		t.Errorf("got %q", got)
	}
	d := b.log()
	d.Expect(t, object{"status": "done"})
	d.List("log")[0].Expect(t, object{"fault": "drop_answer"})
}

func TestACorruptedByteBreaksTheSignature(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{CorruptByte: true, FirstAttempts: 1})
	b.shop.Answers(func(d delivered) int {
		if signed(d) != signature(secret, timestamp(d), d.Body) {
			return http.StatusUnauthorized
		}
		return http.StatusOK
	})
	b.order()
	b.Later()
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 2 || len(got[0].Body) != len(got[1].Body) {
		t.Fatalf("got %q", got)
	}
	changed := 0
	for i := range got[0].Body {
		if got[0].Body[i] != got[1].Body[i] {
			changed++
		}
	}
	if changed != 1 {
		t.Errorf("%d bytes differ", changed)
	}
	b.log().Expect(t, object{"status": "done"})
}

func TestAWrongSignatureIsWellFormedAndWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{WrongSignature: true})
	b.order()
	d := b.shop.Take()[0]
	if len(signed(d)) != len("v1=")+64 || signed(d) == signature(secret, timestamp(d), d.Body) {
		t.Errorf("signature %s", signed(d))
	}
}

func TestAStaleTimestampIsCorrectlySignedTenMinutesAgo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{StaleTimestamp: true})
	b.order()
	d := b.shop.Take()[0]
	if want := strconv.FormatInt(b.Now().Add(-10*time.Minute).Unix(), 10); timestamp(d) != want {
		t.Errorf("signed at %s, want %s", timestamp(d), want)
	}
	if signed(d) != signature(secret, timestamp(d), d.Body) {
		t.Error("not correctly signed")
	}
}

func TestAnAPIThatIsBehindTellsTheRevisionBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.Faults(sandbox.Faults{APIBehind: true})
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"revision": "1"})
	b.act(id, "pay", `{"confirmations":1}`)
	b.act(id, "confirm", "")
	behind := object{"revision": "2", "paymentStatus": "confirming"}
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, behind)
	b.must("GET", "/v1/orders", "", "").List("orders")[0].Expect(t, behind)
	b.Faults(sandbox.Faults{})
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"revision": "3", "paymentStatus": "paid"})
}

func TestAnAPIThatIsDownSaysSoAndCanBeSwitchedOnAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.must("PUT", "/v1/test/faults", "", `{"api_down":true}`)
	status, header, _ := b.raw("GET", "/v1/orders", "", "")
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
		t.Errorf("answered %d %v", status, header)
	}
	b.must("PUT", "/v1/test/faults", "", `{}`)
	b.must("GET", "/v1/orders", "", "")
}

func TestASlowAPIWaitsBeforeItAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{APISlowMS: 50})
	start := time.Now()
	b.must("GET", "/v1/orders", "", "")
	if took := time.Since(start); took < 50*time.Millisecond {
		t.Errorf("answered after %v", took)
	}
}

func TestTheNearestSwitchesCount(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Faults(sandbox.Faults{WrongSignature: true})
	endpoint := b.must("GET", "/v1/test/faults", "", "").List("endpoints")[0].Text("id")
	right := func() bool { d := b.shop.Take()[0]; return signed(d) == signature(secret, timestamp(d), d.Body) }

	id := b.order()
	if right() {
		t.Error("the general switch did nothing")
	}
	b.must("PUT", "/v1/test/faults?endpoint="+endpoint, "", `{}`)
	b.act(id, "pay", `{"amount":"1"}`)
	b.Deliver()
	if !right() {
		t.Error("the endpoint's own switches did not count")
	}
	b.act(id, "pay", `{"amount":"1","faults":{"wrong_signature":true}}`)
	b.Deliver()
	if right() {
		t.Error("the delivery's own switches did not count")
	}
	b.must("PUT", "/v1/test/faults?endpoint="+endpoint, "", `null`)
	b.act(id, "pay", `{"amount":"1"}`)
	b.Deliver()
	if right() {
		t.Error("the endpoint did not return to the general switches")
	}
	if status, _ := b.call("PUT", "/v1/test/faults?endpoint="+endpoint, "", `{"api_down":true}`); status != http.StatusUnprocessableEntity {
		t.Errorf("an endpoint took the API's switch: %d", status)
	}
}
