package sandbox_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"onceshop/sandbox"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

// echo is a provider of the tests' own: it knows every action, tells refunds by two
// events and the beginning of an order by none, and stamps what it sends.
type echo struct{ without []string }

func (e echo) Profile() sandbox.Profile {
	return sandbox.Profile{
		Name: "echo", Title: "Echo Payments", Retries: []time.Duration{time.Minute, time.Hour}, Untimed: true, Without: e.without,
		Hidden: []string{"overpay"},
	}
}

func (echo) NewRef(of sandbox.Kind, id uuid.UUID) string {
	if of == sandbox.IntentKind {
		return ""
	}
	return string("ABCDE"[of]) + sandbox.Letters(id, of, sandbox.Digits, 15)
}

func (echo) Announce(c sandbox.Change) (events []sandbox.Event, err error) {
	if c.Created() {
		return nil, nil
	}
	types := []string{c.Word}
	if strings.HasPrefix(c.Word, "refund.") {
		types = append(types, c.Word+".again")
	}
	for _, kind := range types {
		e := c.Event(kind)
		e.Body = []byte(`{"told":"` + kind + `","amount":` + c.After.Amount.String() + `,"stamp":"------"}`)
		events = append(events, e)
	}
	return events, nil
}

func (echo) Sign(d *sandbox.Dispatch) error {
	d.Header.Set("Echo-Secrets", strings.Join(d.Secrets, " "))
	d.Body = []byte(strings.Replace(string(d.Body), "------", d.At.UTC().Format("150405"), 1))
	return nil
}

func (echo) Accepts(status int, body []byte) sandbox.Answer {
	switch {
	case status == http.StatusGone:
		return sandbox.Refused
	case string(body) == "[accepted]":
		return sandbox.Accepted
	}
	return sandbox.Again
}

func (echo) CheckSecret(secret string) error {
	if !strings.HasPrefix(secret, "echo-") {
		return errors.New("must begin with echo-")
	}
	return nil
}

func (echo) NewSecret() string { return "echo-made-up" }

func (echo) Routes(s *sandbox.Server) http.Handler {
	rules := sandbox.API{
		Authorised: sandbox.Bearer("echo-key"),
		Refusal:    func(e *sandbox.Error) (int, any) { return http.StatusTeapot, map[string]string{"echo": e.Code} },
	}
	return s.Serve(rules, map[string]sandbox.APIFunc{"/": func(r *http.Request) (int, any, error) {
		found, err := s.Get(r.Context(), "echo", strings.TrimPrefix(r.URL.Path, "/"))
		return http.StatusOK, map[string]any{"status": found.Status, "attempts": len(found.Payments)}, err
	}})
}

// practised is a sandbox with echo, a shop that hears it, and an order.
func practised(t *testing.T, d sandbox.Dialect) (*sandboxtest.Bench, *sandboxtest.Shop, sandbox.Record) {
	t.Helper()
	b := sandboxtest.New(t, testdb.NewSandbox(t), d)
	shop := b.Listen("echo", "echo-new", "echo-old")
	shop.Always(http.StatusOK, "[accepted]")
	r, err := b.Create(t.Context(), sandbox.NewOrder{
		Dialect: "echo", Key: "k", MerchantRef: "order-1", Amount: amount("4900"), Currency: "EUR",
		ReturnURL: "https://shop.example/back", Extra: []byte("kept"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b, shop, r
}

// named is echo under another name.
func named(name string) sandbox.Dialect { return renamed{echo{}, name} }

type renamed struct {
	echo
	name string
}

func (r renamed) Profile() sandbox.Profile { return sandbox.Profile{Name: r.name} }
