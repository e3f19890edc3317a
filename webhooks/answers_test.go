package webhooks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAnswersOfTheWebhookRoute(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	with := func(r *http.Request, name, value string) *http.Request {
		r.Header.Set(name, value)
		return r
	}
	without := func(r *http.Request, name string) *http.Request {
		r.Header.Del(name)
		return r
	}
	good := func() *http.Request { return request(s, exPaid.id, exPaid.signature, exPaid.body) }
	signed := func(body string) *http.Request { return request(s, "some-id", "", body) }
	tests := []struct {
		name   string
		r      *http.Request
		status int
		code   string
	}{
		{"no signature", without(good(), "StableIn-Signature"), 401, "INVALID_SIGNATURE"},
		{"no timestamp", without(good(), "StableIn-Timestamp"), 401, "INVALID_SIGNATURE"},
		{"another event id in the header", with(good(), "StableIn-Event-Id", "other"), 401, "INVALID_SIGNATURE"},
		{"a signature of another body", with(good(), "StableIn-Signature", exFull.signature), 401, "INVALID_SIGNATURE"},
		{"the body with one byte more", request(s, exPaid.id, exPaid.signature, exPaid.body+"\n"), 401, "INVALID_SIGNATURE"},
		{"unsigned nonsense of 1 MiB is not parsed", with(signed(strings.Repeat("[", 1<<20)), "StableIn-Signature", exPaid.signature), 401, "INVALID_SIGNATURE"},
		{"signed, but not JSON", signed("not json"), 400, "MALFORMED_EVENT"},
		{"signed, but two documents", request(s, exPaid.id, "v1=01283b0a08f25beeb339ef0d33831b011903eb4b2e308b0ca0ad05137676c834", exPaid.body+exPaid.body), 400, "MALFORMED_EVENT"},
		{"signed, with a byte order mark", request(s, exPaid.id, "v1=2003331ec8faae9aabea118bdceafc37334eed7a925c809d06c4c54907694056", "\ufeff"+exPaid.body), 400, "MALFORMED_EVENT"},
		{"signed, with a key twice", signed(`{"id":"some-id","id":"some-id","type":"payment.paid"}`), 400, "MALFORMED_EVENT"},
		{"signed, 10001 levels deep", signed(strings.Repeat("[", 10001) + strings.Repeat("]", 10001)), 400, "MALFORMED_EVENT"},
		{"signed, not UTF-8", signed("\xff\xfe\xfa"), 400, "MALFORMED_EVENT"},
		{"one byte over 1 MiB", signed(strings.Repeat(" ", 1<<20+1)), 413, "BODY_TOO_LARGE"},
		{"gzip", with(good(), "Content-Encoding", "gzip"), 415, "ENCODED_BODY"},
		{"brotli", with(good(), "Content-Encoding", "br"), 415, "ENCODED_BODY"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := s.Do(tt.r)
			var problem struct {
				Code   string `json:"code"`
				Status int    `json:"status"`
			}
			if err := json.Unmarshal([]byte(a.Body), &problem); err != nil {
				t.Fatalf("%v in %s", err, a.Body)
			}
			if a.Status != tt.status || problem.Code != tt.code || problem.Status != tt.status {
				t.Errorf("answer %d %s, want %d %s", a.Status, a.Body, tt.status, tt.code)
			}
			if ct := a.Header.Get("Content-Type"); ct != "application/problem+json" {
				t.Errorf("content type %s", ct)
			}
		})
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 0 {
		t.Errorf("%d events were stored", n)
	}
	if a := s.Do(good()); a.Status != 200 {
		t.Errorf("the good one is answered %d %s", a.Status, a.Body)
	}
}

func TestUnknownProvidersAndMethodsAreRefused(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	unknown := request(s, exPaid.id, exPaid.signature, exPaid.body)
	unknown.URL.Path = "/webhooks/nobody"
	if a := s.Do(unknown); a.Status != 404 {
		t.Errorf("unknown provider: %d", a.Status)
	}
	get, err := http.NewRequest(http.MethodGet, s.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Do(get); a.Status != 405 || a.Header.Get("Allow") != "POST" {
		t.Errorf("GET: %d, Allow %q", a.Status, a.Header.Get("Allow"))
	}
}

func TestAChunkedBodyOverTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	r := request(s, exPaid.id, exPaid.signature, "")
	// A reader of unknown length is sent chunked, without Content-Length.
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(make([]byte, 1<<20)), strings.NewReader("x")))
	r.ContentLength = -1
	if a := s.Do(r); a.Status != 413 {
		t.Errorf("answer %d", a.Status)
	}
}

func TestALongGenuineEventIsStoredWhole(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	body := strings.TrimSuffix(exPaid.body, "}") + `,"metadata":"` + strings.Repeat("é🚀", 50_000) + `"}`
	s.Platform.Set(exPaid.order)
	if a := s.Do(request(s, exPaid.id, "", body)); a.Status != 200 {
		t.Fatalf("answer %d %s", a.Status, a.Body)
	}
	s.Settle()
	if n := s.Count("SELECT OCTET_LENGTH(body) FROM shop_event_payloads"); n != len(body) {
		t.Errorf("%d bytes stored of %d", n, len(body))
	}
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses, want 1", n)
	}
}

func TestContentTypeMakesNoDifference(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	for i, contentType := range []string{"application/json", "application/json; charset=utf-8", ""} {
		r := request(s, exPaid.id, exPaid.signature, exPaid.body)
		r.Header.Set("Content-Type", contentType)
		if contentType == "" {
			r.Header.Del("Content-Type")
		}
		if a := s.Do(r); a.Status != 200 {
			t.Errorf("%d %q: answer %d", i, contentType, a.Status)
		}
	}
	if n := s.Event(exPaid.id).Deliveries; n != 3 {
		t.Errorf("%d deliveries", n)
	}
}

func TestExactBytesAreVerified(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	const id, signature = "e0000000-0000-4000-8000-000000000028", "v1=4fe12050b29bc7857049302cdcbafe0c79e377491405e7d054a7a1fc04131930"
	body := `{"id":"` + id + `", "note":"café 🚀"}`
	for sent, want := range map[string]int{
		body:                                    200, // it names no payment, and ends as unattributed
		strings.Replace(body, ", ", ",", 1):     401,
		strings.Replace(body, "é", `\u00e9`, 1): 401,
	} {
		if a := s.Do(request(s, id, signature, sent)); a.Status != want {
			t.Errorf("%s: answer %d %s, want %d", sent, a.Status, a.Body, want)
		}
	}
}

func TestATrailingNewlineIsPartOfTheSignedBytes(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	s.Platform.Set(exPaid.order)
	const signature = "v1=e231d1fc3812b952bad4b3f218a9ba03dee09df934c66fc237625d07223ecc94"
	if a := s.Do(request(s, exPaid.id, signature, exPaid.body+"\n")); a.Status != 200 {
		t.Fatalf("answer %d %s", a.Status, a.Body)
	}
	s.Settle()
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses, want 1", n)
	}
}

func TestAmbiguousKeysAreRefusedWhateverTheirOrder(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	const id = "e0000000-0000-4000-8000-000000000037"
	body := strings.Replace(exampleBody(id, "payment.paid", "paid", "none", "0", "2"), `"amount":"50000"`, `"amount":"50000","Amount":"1"`, 1)
	if a := s.Do(request(s, id, "v1=159893aa8e264597962462f2ee64c263f386a4b33a8df532209459689510a1e9", body)); a.Status != 400 {
		t.Errorf("as published: %d %s", a.Status, a.Body)
	}
	for _, variant := range []string{
		strings.Replace(body, `"amount":"50000","Amount":"1"`, `"Amount":"1","amount":"50000"`, 1),
		strings.Replace(body, `"Amount"`, `"amount"`, 1),
		strings.Replace(body, `"Amount":"1"`, `"merchantOrderId":"\ud800"`, 1),
	} {
		if a := s.Do(request(s, id, "", variant)); a.Status != 400 {
			t.Errorf("%s: %d %s", variant, a.Status, a.Body)
		}
	}
	if a := s.Do(request(s, id, "", strings.Replace(body, `"Amount":"1"`, `"somethingNew":1`, 1))); a.Status != 200 {
		t.Errorf("an unknown key: %d %s", a.Status, a.Body)
	}
}

func TestAnEventIsStoredAlthoughItsSenderHungUp(t *testing.T) {
	t.Parallel()
	s, _ := exampleShop(t)
	ctx, hangUp := context.WithCancel(t.Context())
	hangUp()
	s.Handler.ServeHTTP(httptest.NewRecorder(), request(s, exPaid.id, exPaid.signature, exPaid.body).WithContext(ctx))
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != 1 {
		t.Errorf("%d events stored after the sender hung up, want 1", n)
	}
	if a := s.Do(request(s, exPaid.id, exPaid.signature, exPaid.body)); a.Status != 200 {
		t.Errorf("the repeat is answered %d", a.Status)
	}
}
