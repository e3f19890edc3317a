package call_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

// keyed answers every request with a status and a code.
func keyed(t *testing.T, status int, code string) *call.API {
	t.Helper()
	api, err := call.New(call.Config{
		Provider: "somebody", Base: "http://api.example", Credentials: call.Bearer(apiKey), Busy: true, KeyUsed: "key_used", KeyBusy: "key_busy",
		Reason: func(answer []byte) string { return string(answer) },
		HTTP: &http.Client{Transport: inMemory(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			io.WriteString(w, code)
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

func TestAKeyThatWasUsedForAnotherRequestRefusesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status  int
		code    string
		kind    error
		keyUsed bool
	}{
		{400, "key_used", payment.ErrLater, true},
		{422, "key_used", payment.ErrLater, true},
		{422, "key_busy", payment.ErrLater, false},
		{409, "key_used", payment.ErrLater, false}, // the API calls one that is still under way so as well
		{401, "key_used", payment.ErrUnauthorised, false},
		{400, "too_much", payment.ErrRefused, false},
		{400, "", payment.ErrRefused, false},
	} {
		err := keyed(t, c.status, c.code).PostKeyed(t.Context(), call.Request{What: "make it", Path: "/it"}, "key-1", map[string]string{}, wire.Members{})
		if !errors.Is(err, c.kind) || errors.Is(err, payment.ErrKeyUsed) != c.keyUsed || !strings.Contains(err.Error(), c.code) {
			t.Errorf("status %d %s: %v", c.status, c.code, err)
		}
	}
}

func TestWhatWasAskedWithoutAKeyIsRefusedWhateverItsCode(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"key_used", "key_busy"} {
		if err := fetch(t.Context(), keyed(t, 400, code)); !errors.Is(err, payment.ErrRefused) || errors.Is(err, payment.ErrKeyUsed) {
			t.Errorf("%s: %v", code, err)
		}
	}
}
