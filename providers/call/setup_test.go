package call_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"onceshop/providers/call"
	"onceshop/providers/wire"
)

const apiKey = "sk_test_canary-key"

// inMemory answers requests without a network, so that time can be faked.
type inMemory func(w http.ResponseWriter, r *http.Request)

func (f inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	f(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

func newAPI(t testing.TB, base string, client *http.Client) *call.API {
	t.Helper()
	api, err := call.New(call.Config{Provider: "somebody", Base: base, Credentials: call.Bearer(apiKey), HTTP: client})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(api.Close)
	return api
}

func asking(t testing.TB, transport http.RoundTripper) *call.API {
	return newAPI(t, "http://api.example/", &http.Client{Transport: transport})
}

// fetch asks for something that has an id.
func fetch(ctx context.Context, api *call.API) error {
	var id wire.Ref
	return api.Do(ctx, call.Request{What: "fetch it", Path: "/it"}, wire.Members{"id": &id})
}

func checkQuiet(t *testing.T, err error) {
	t.Helper()
	for _, canary := range []string{"canary", "Bearer"} {
		if strings.Contains(fmt.Sprintf("%v %+v", err, err), canary) {
			t.Errorf("the error says too much: %v", err)
		}
	}
}
