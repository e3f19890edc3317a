package adyen

import (
	"cmp"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// A link is open for a day if nothing is said, and for 70 at most. Clocks may differ
// a little.
const (
	lifetime = 24 * time.Hour
	longest  = 70*24*time.Hour + time.Minute
)

const (
	maxReference   = 80
	maxDescription = 280
)

// linkRequest is the body of POST /paymentLinks. What is taken as a raw value is
// known, and makes no difference here.
type linkRequest struct {
	Amount          *amount           `json:"amount"`
	Description     string            `json:"description"`
	ExpiresAt       time.Time         `json:"expiresAt"`
	MerchantAccount string            `json:"merchantAccount"`
	Metadata        map[string]string `json:"metadata"`
	Reference       string            `json:"reference"`
	ReturnURL       string            `json:"returnUrl"`
	Reusable        bool              `json:"reusable"`

	Allowed   jsontext.Value `json:"allowedPaymentMethods"`
	App       jsontext.Value `json:"applicationInfo"`
	Blocked   jsontext.Value `json:"blockedPaymentMethods"`
	Country   string         `json:"countryCode"`
	Email     string         `json:"shopperEmail"`
	Items     jsontext.Value `json:"lineItems"`
	Locale    string         `json:"shopperLocale"`
	Required  jsontext.Value `json:"requiredShopperFields"`
	Shopper   string         `json:"shopperReference"`
	Statement string         `json:"shopperStatement"`
	Theme     string         `json:"themeId"`
}

// extra is what a link's request says and the link repeats.
type extra struct {
	Description string            `json:"description"`
	Metadata    map[string]string `json:"metadata"`
	ReturnURL   string            `json:"returnUrl"`
}

func (a api) check(q linkRequest) error {
	switch {
	case q.Amount == nil:
		return invalid(noAmount, "No amount specified")
	case !units.Takes(q.Amount.Currency):
		return invalid(invalidCurrency, "Unsupported currency specified")
	case q.Reference == "" || utf8.RuneCountInString(q.Reference) > maxReference || strings.ContainsFunc(q.Reference, unicode.IsControl):
		return invalid(badRequest, "the reference must have 1 to 80 characters")
	case utf8.RuneCountInString(q.Description) > maxDescription || strings.ContainsFunc(q.Description, unicode.IsControl):
		return invalid(badRequest, "the description must have at most 280 characters")
	case q.Reusable:
		return invalid(badRequest, "only links for one payment are practised here")
	}
	return a.isOurs(q.MerchantAccount)
}

func (a api) createLink(r *http.Request) (int, any, error) {
	key, err := idempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var q linkRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	if err := a.check(q); err != nil {
		return 0, nil, err
	}
	n := sandbox.NewOrder{
		Dialect: Name, Key: key, MerchantRef: q.Reference, Currency: q.Amount.Currency, Description: sandbox.Short(q.Description),
		// The engine wants a place to return to; a link needn't have one.
		ReturnURL: cmp.Or(q.ReturnURL, strings.TrimSuffix(a.PayURL(""), "pay/")),
		ExpiresAt: q.ExpiresAt, TTL: lifetime, Latest: longest,
	}
	if n.Amount, err = units.From(q.Amount.Value.Amount, q.Amount.Currency); err != nil {
		return 0, nil, invalid(invalidAmount, err.Error())
	}
	if n.Extra, err = json.Marshal(extra{q.Description, q.Metadata, q.ReturnURL}, json.Deterministic(true)); err != nil {
		return 0, nil, err
	}
	made, err := a.Create(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, a.link(made), nil
}

// linkJSON is a payment link.
type linkJSON struct {
	ID              string            `json:"id"`
	Amount          amount            `json:"amount"`
	Description     string            `json:"description,omitzero"`
	ExpiresAt       string            `json:"expiresAt"`
	MerchantAccount string            `json:"merchantAccount"`
	Metadata        map[string]string `json:"metadata,omitempty"`
	Reference       string            `json:"reference"`
	ReturnURL       string            `json:"returnUrl,omitzero"`
	Reusable        bool              `json:"reusable"`
	Status          string            `json:"status"`
	URL             string            `json:"url"`
}

func (a api) link(r sandbox.Record) linkJSON {
	x := sandbox.Kept[extra](r.Extra)
	return linkJSON{
		ID: r.PageRef, Amount: theirs(r.Amount, r.Currency), Description: x.Description, ExpiresAt: r.ExpiresAt.UTC().Format(time.RFC3339),
		MerchantAccount: a.account, Metadata: x.Metadata, Reference: r.MerchantOrderID, ReturnURL: x.ReturnURL,
		Status: linkStatus(r), URL: a.PayURL(r.ID),
	}
}

// linkStatus says whether a link can be used; it isn't what became of the money.
func linkStatus(r sandbox.Record) string {
	for _, p := range r.Payments {
		if p.Status != sandbox.AttemptFailed && p.Status != sandbox.AttemptConfirming {
			return "completed"
		}
	}
	switch {
	case r.AwaitsBlocks():
		return "paymentPending"
	case r.Status == payment.Expired || r.Status == payment.Failed:
		return "expired"
	}
	return "active"
}

func (a api) findLink(r *http.Request) (sandbox.Record, error) {
	id := r.PathValue("id")
	found, err := a.Get(r.Context(), Name, id)
	if err == nil && found.PageRef != id {
		err = sandbox.NotFound("link")
	}
	return found, err
}

func (a api) getLink(r *http.Request) (int, any, error) {
	found, err := a.findLink(r)
	return http.StatusOK, a.link(found), err
}

// updateLink ends a link before its time.
func (a api) updateLink(r *http.Request) (int, any, error) {
	var q struct {
		Status string `json:"status"`
	}
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	found, err := a.findLink(r)
	switch {
	case err != nil:
		return 0, nil, err
	case q.Status != "expired" || linkStatus(found) != "active":
		return 0, nil, invalid(badRequest, "only an active link can be changed, and only to expired")
	}
	ended, err := a.Act(r.Context(), Name, found.PageRef, "expire", nil)
	return http.StatusOK, a.link(ended), err
}
