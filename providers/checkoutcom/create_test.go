package checkoutcom_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "pay:" + ref + ":1", OrderRef: ref, Amount: amount(2500), Currency: "EUR", Description: "Pro 🚀",
		ReturnURL: "https://shop.example/return?order=S-1", CancelURL: "https://shop.example/return?cancelled=1",
	}
}

func TestCreateAsksForAHostedPage(t *testing.T) {
	t.Parallel()
	p := &platform{}
	got, err := serve(t, p).Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: ref, URL: "https://pay.sandbox.checkout.com/page/hpp_1"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	if len(p.asked) != 2 || !strings.HasPrefix(p.asked[0], "GET /payments?limit=100&reference="+ref) || p.asked[1] != "POST /hosted-payments" {
		t.Errorf("asked %q", p.asked)
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(p.bodies[1]), &body); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"amount": 2500.0, "currency": "EUR", "reference": ref, "description": "Pro 🚀", "capture": true,
		"billing":     map[string]any{"address": map[string]any{"country": "DE"}},
		"success_url": "https://shop.example/return?order=S-1", "failure_url": "https://shop.example/return?order=S-1",
		"cancel_url": "https://shop.example/return?cancelled=1", "metadata": map[string]any{"order_ref": ref},
	}
	if d := cmp.Diff(want, body); d != "" {
		t.Error(d)
	}
}

func TestAChannelIsNamedAndAnEmptyDescriptionIsNot(t *testing.T) {
	t.Parallel()
	p := &platform{}
	c := config()
	c.ProcessingChannelID = "pc_1"
	c.HTTP = &http.Client{Transport: directly{p}}
	nameless := creation()
	nameless.Description = ""
	if _, err := adapter(t, c).Create(t.Context(), nameless); err != nil {
		t.Fatal(err)
	}
	if body := p.bodies[1]; !strings.Contains(body, `"processing_channel_id":"pc_1"`) || strings.Contains(body, "description") {
		t.Error(body)
	}
}

// directly asks a handler without a network.
type directly struct{ h http.Handler }

func (d directly) RoundTrip(r *http.Request) (*http.Response, error) {
	return answers(func(w http.ResponseWriter) { d.h.ServeHTTP(w, r) }).RoundTrip(r)
}

func TestNoSecondPageIsMadeWhereSomebodyHasTriedToPay(t *testing.T) {
	t.Parallel()
	for _, status := range []string{"Pending", "Declined", "Captured", "Expired"} {
		p := &platform{payments: []*pay{attempted("pay_1", status)}}
		_, err := serve(t, p).Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrRefused) || p.pages != 0 {
			t.Errorf("%s: %d pages, %v", status, p.pages, err)
		}
	}
	// The order's next payment has a reference of its own.
	p := &platform{payments: []*pay{attempted("pay_1", "Declined")}}
	next := creation()
	next.OrderRef += "/2"
	if got, err := serve(t, p).Create(t.Context(), next); err != nil || got.Ref != ref+"/2" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAPageIsNeverAskedForTwiceInOneCall(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(http.ResponseWriter){
		"a failure":             func(w http.ResponseWriter) { w.WriteHeader(502) },
		"too many requests":     func(w http.ResponseWriter) { w.WriteHeader(429) },
		"the connection breaks": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		var posts atomic.Int32
		a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "POST" {
				posts.Add(1)
				fail(w)
			}
			io.WriteString(w, `{"total_count":0,"data":[]}`)
		}))
		if _, err := a.Create(t.Context(), creation()); !errors.Is(err, payment.ErrLater) || posts.Load() != 1 {
			t.Errorf("%s: %d times, %v", name, posts.Load(), err)
		}
	}
}

func TestWhileNobodyCanTellWhetherSomebodyTriedNoPageIsMade(t *testing.T) {
	t.Parallel()
	a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			t.Error("asked")
		}
		w.WriteHeader(401)
	}))
	if _, err := a.Create(t.Context(), creation()); !errors.Is(err, payment.ErrUnauthorised) {
		t.Error(err)
	}
}

func TestCreateForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{
		`{"reference":"canary","_links":{"redirect":{"href":"https://pay.example/"}}}`, `{}`, `{"_links":{}}`, `{"_links":{"redirect":{"href":"javascript:canary"}}}`,
		`{"_links":{"redirect":{"href":"/canary"}}}`, `{"_links":{"redirect":{"href":"https://a.example/","Href":"https://b.example/"}}}`, `{"_links":null}`,
	} {
		a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "GET" {
				answer := `{"data":[]}`
				io.WriteString(w, answer)
				return
			}
			io.WriteString(w, answer)
		}))
		got, err := a.Create(t.Context(), creation())
		if !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
		checkQuiet(t, err)
	}
}

func TestCreationsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]func(*payment.Creation){
		"no reference":                 func(c *payment.Creation) { c.OrderRef = "" },
		"a reference of 51 bytes":      func(c *payment.Creation) { c.OrderRef = strings.Repeat("x", 51) },
		"a reference like an id":       func(c *payment.Creation) { c.OrderRef = "pay_1" },
		"a description out of UTF-8":   func(c *payment.Creation) { c.Description = "\xff" },
		"a currency that isn't taken":  func(c *payment.Creation) { c.Currency = "CLP" },
		"an amount that isn't counted": func(c *payment.Creation) { c.Amount, c.Currency = amount(1001), "BHD" },
	} {
		c := creation()
		edit(&c)
		p := &platform{}
		if _, err := serve(t, p).Create(t.Context(), c); !errors.Is(err, payment.ErrRefused) || len(p.asked) != 0 {
			t.Errorf("%s: asked %q, %v", name, p.asked, err)
		}
	}
	c := config()
	c.BillingCountry = ""
	if _, err := adapter(t, c).Create(t.Context(), creation()); !errors.Is(err, payment.ErrRefused) || !strings.Contains(err.Error(), "billing country") {
		t.Error(err)
	}
}

func TestALongDescriptionIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	const family = "👨‍👩‍👧‍👦"
	for _, text := range []string{strings.Repeat("é", 80), strings.Repeat(family, 9), "x" + strings.Repeat(family, 9), strings.Repeat("x", 101)} {
		p := &platform{}
		c := creation()
		c.Description = text
		if _, err := serve(t, p).Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		var body struct{ Description string }
		if err := json.Unmarshal([]byte(p.bodies[1]), &body); err != nil {
			t.Fatal(err)
		}
		kept, cut := strings.CutSuffix(body.Description, "…")
		if !cut || len(body.Description) > 100 || !utf8.ValidString(kept) || !strings.HasPrefix(text, kept) || strings.HasSuffix(kept, "\u200d") || strings.Count(kept, "\u200d")%3 != 0 {
			t.Errorf("%q", body.Description)
		}
	}
}
