package razorpay_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func creation() payment.Creation {
	return payment.Creation{
		IdempotencyKey: "create:1", OrderRef: ours + "/2", Amount: paise(2500), Currency: "INR", Description: "Pro 🚀 Édition",
		ReturnURL: "https://shop.example/return?order=1", CancelURL: "https://shop.example/cancel", ExpiresAt: now.Add(time.Hour),
	}
}

func TestCreateAsksForALink(t *testing.T) {
	t.Parallel()
	f := &fake{}
	got, err := f.adapter(t).Create(t.Context(), creation())
	if err != nil || got != (payment.Created{Ref: ours + "/2", URL: "https://rzp.io/i/1"}) {
		t.Fatalf("%+v, %v", got, err)
	}
	asked := f.links[0]
	for _, name := range []string{"id", "status", "amount_paid", "payments", "customer", "short_url", "created_at"} {
		delete(asked, name)
	}
	asked["amount"], asked["expire_by"] = asString(asked["amount"]), asString(asked["expire_by"])
	want := record{
		"amount": "2500", "currency": "INR", "accept_partial": false, "reference_id": ours + "/2", "description": "Pro 🚀 Édition", "expire_by": "1767232805",
		"notes": map[string]any{"order_ref": ours + "/2"}, "notify": map[string]any{"sms": false, "email": false}, "reminder_enable": false,
		"callback_url": "https://shop.example/return?order=1", "callback_method": "get",
	}
	if d := cmp.Diff(want, asked); d != "" {
		t.Error(d)
	}
}

func asString(number any) string { return number.(interface{ String() string }).String() }

func TestAUsedReferenceReturnsItsLink(t *testing.T) {
	t.Parallel()
	f := &fake{}
	a := f.adapter(t)
	first, err := a.Create(t.Context(), creation())
	if err != nil {
		t.Fatal(err)
	}
	// The end of a repeated request may be another.
	c := creation()
	c.ExpiresAt = c.ExpiresAt.Add(time.Hour)
	if again, err := a.Create(t.Context(), c); err != nil || again != first || len(f.links) != 1 {
		t.Errorf("%+v and %+v, %d links, %v", first, again, len(f.links), err)
	}
	for name, change := range map[string]func(*payment.Creation){
		"another amount":   func(c *payment.Creation) { c.Amount = paise(2501) },
		"another currency": func(c *payment.Creation) { c.Currency = "USD" },
	} {
		c := creation()
		change(&c)
		if got, err := a.Create(t.Context(), c); !errors.Is(err, payment.ErrRefused) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	f.unlisted = true
	if _, err := a.Create(t.Context(), creation()); !errors.Is(err, payment.ErrLater) {
		t.Errorf("while the list is behind: %v", err)
	}
	f.unlisted, f.before = false, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			refuse(w, 429, "canary")
		}
		return r.Method == http.MethodGet
	}
	if _, err := a.Create(t.Context(), creation()); !errors.Is(err, payment.ErrLater) {
		t.Errorf("while the list can't be read: %v", err)
	}
}

// The answer to the first request is lost, and the second finds the reference used.
func TestALostAnswerMakesNoSecondLink(t *testing.T) {
	t.Parallel()
	f := &fake{}
	lost := false
	f.before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || lost {
			return false
		}
		lost = true
		f.createLink(discard{}, r)
		refuse(w, 502, "")
		return true
	}
	got, err := f.adapter(t).Create(t.Context(), creation())
	if err != nil || got.URL != "https://rzp.io/i/1" || len(f.links) != 1 {
		t.Errorf("%+v, %d links, %v", got, len(f.links), err)
	}
}

type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

func TestTheEndOfALinkIsWithinWhatRazorpayTakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		end  time.Time
		want string
	}{
		{now.Add(time.Hour), "1767232805"},
		{now.Add(15 * time.Minute), "1767230165"}, // a minute for the way
		{now.Add(-time.Hour), "1767230165"},
		{now.AddDate(1, 0, 0), "1782781205"}, // 180 days
	} {
		f, asked := &fake{}, creation()
		asked.ExpiresAt = c.end
		if _, err := f.adapter(t).Create(t.Context(), asked); err != nil || asString(f.links[0]["expire_by"]) != c.want {
			t.Errorf("%v: %v, %v", c.end, f.links, err)
		}
	}
	f, asked := &fake{}, creation()
	asked.ExpiresAt, asked.ReturnURL, asked.Description = time.Time{}, "", ""
	if _, err := f.adapter(t).Create(t.Context(), asked); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"expire_by", "callback_url", "callback_method", "description"} {
		if _, ok := f.links[0][name]; ok {
			t.Errorf("%s was sent", name)
		}
	}
}

func TestALongDescriptionIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ description, want string }{
		{strings.Repeat("é", 1024), strings.Repeat("é", 1024)},
		{strings.Repeat("é", 1025), strings.Repeat("é", 1022) + "…"},
		{strings.Repeat("x", 2040) + "👩‍👩‍👧‍👦", strings.Repeat("x", 2040) + "…"},
	} {
		f, asked := &fake{}, creation()
		asked.Description = c.description
		if _, err := f.adapter(t).Create(t.Context(), asked); err != nil || f.links[0]["description"] != c.want {
			t.Errorf("%d bytes became %q, %v", len(c.description), f.links[0]["description"], err)
		}
	}
}

func TestCreationsThatCannotBeRightAreNotSent(t *testing.T) {
	t.Parallel()
	f := &fake{}
	a := f.adapter(t)
	for name, change := range map[string]func(*payment.Creation){
		"no reference":         func(c *payment.Creation) { c.OrderRef = "" },
		"41 bytes":             func(c *payment.Creation) { c.OrderRef = strings.Repeat("x", 41) },
		"a reference's blank":  func(c *payment.Creation) { c.OrderRef = " x" },
		"nothing to pay":       func(c *payment.Creation) { c.Amount = payment.Amount{} },
		"less than a rupee":    func(c *payment.Creation) { c.Amount = paise(99) },
		"the dinar's third":    func(c *payment.Creation) { c.Amount, c.Currency = paise(2951), "KWD" },
		"a stablecoin":         func(c *payment.Creation) { c.Currency = "USDC" },
		"text that isn't UTF8": func(c *payment.Creation) { c.Description = "\xff" },
	} {
		c := creation()
		change(&c)
		if got, err := a.Create(t.Context(), c); !errors.Is(err, payment.ErrRefused) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if len(f.asked) > 0 {
		t.Errorf("asked %q", f.asked)
	}
}

func TestALinkForSomethingElseIsNotPassedOn(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]record{
		"amount": {"amount": 2501}, "currency": {"currency": "USD"}, "reference": {"reference_id": "other"}, "no reference": {"reference_id": ""},
		"no page": {"short_url": ""}, "a script": {"short_url": "javascript:canary"}, "no id": {"id": nil},
	} {
		f := &fake{}
		f.before = func(w http.ResponseWriter, r *http.Request) bool {
			answer(w, link("created", 0).with(record{"reference_id": ours + "/2"}).with(change))
			return true
		}
		if got, err := f.adapter(t).Create(t.Context(), creation()); !errors.Is(err, payment.ErrLater) || got != (payment.Created{}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
