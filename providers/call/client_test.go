package call_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/call"
)

func TestWhoCannotBeReachedIsForLaterAndWhoHasNoAddressIsNeverAsked(t *testing.T) {
	t.Parallel()
	// Nobody listens there, whereas a port that was free may be another test's by now.
	err := fetch(t.Context(), newAPI(t, "http://127.0.0.1:1", nil))
	if !errors.Is(err, payment.ErrLater) || !strings.Contains(err.Error(), "can't connect") {
		t.Error(err)
	}
	checkQuiet(t, err)
	if err := fetch(t.Context(), newAPI(t, "", nil)); !errors.Is(err, payment.ErrRefused) {
		t.Error(err)
	}
}

func TestWithoutAKeyNobodyIsAsked(t *testing.T) {
	t.Parallel()
	for name, none := range map[string]call.Credentials{"bearer": call.Bearer(""), "basic": call.Basic("", ""), "header": call.InHeader("X-Key", "")} {
		api, err := call.New(call.Config{Base: "http://api.example", Credentials: none, HTTP: &http.Client{
			Transport: inMemory(func(http.ResponseWriter, *http.Request) { t.Errorf("%s: asked", name) }),
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := fetch(t.Context(), api); !errors.Is(err, payment.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCredentialsThatNoRequestCanCarryStopTheStart(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]call.Credentials{
		"somebody: the API key has a character that a header can't carry": call.Bearer(apiKey + "\n"),
		"somebody: the API key has a colon, which ends an id":             call.Basic("canary:id", apiKey),
		"somebody: the API key needs both its id and its secret":          call.Basic("canary-id", ""),
	} {
		if _, err := call.New(call.Config{Provider: "somebody", Credentials: c}); err == nil || err.Error() != want {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	for name, c := range map[string]call.Credentials{
		"a blank in a header's key": call.InHeader("X-Key", "a b"), "a secret without its id": call.Basic("", apiKey),
		"a letter that isn't ASCII": call.Basic("id", "sécret"), "an id with a blank": call.Basic("a b", apiKey),
	} {
		if _, err := call.New(call.Config{Credentials: c}); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func TestRedirectsAreNotFollowedAndCarryNoKeyAway(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("followed") }))
	t.Cleanup(elsewhere.Close)
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, status))
		t.Cleanup(server.Close)
		if err := fetch(t.Context(), newAPI(t, server.URL, nil)); !errors.Is(err, payment.ErrLater) {
			t.Errorf("status %d: %v", status, err)
		}
	}
}

func TestCookiesAreNotSentBack(t *testing.T) {
	t.Parallel()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	api := newAPI(t, "http://api.example", &http.Client{Jar: jar, Transport: inMemory(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Cookies()) != 0 {
			t.Error("sent back")
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
		io.WriteString(w, `{"id":"it"}`)
	})})
	for range 2 {
		if err := fetch(t.Context(), api); err != nil {
			t.Error(err)
		}
	}
}

func TestAnAnswerWithoutEndIsCutOff(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		block := []byte(strings.Repeat(" ", 64<<10))
		for range 1 << 14 { // 1 GiB, unless the reader hangs up
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	err := fetch(t.Context(), newAPI(t, server.URL, nil))
	if !errors.Is(err, payment.ErrLater) || !strings.Contains(err.Error(), "longer than 1 MiB") {
		t.Error(err)
	}
}

func TestTheConfiguredClientIsNotChanged(t *testing.T) {
	t.Parallel()
	own := &http.Client{}
	newAPI(t, "", own)
	if own.CheckRedirect != nil || own.Timeout != 0 {
		t.Error("it was")
	}
}
