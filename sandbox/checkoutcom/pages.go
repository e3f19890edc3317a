package checkoutcom

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// lifetime is how long a page is open.
const lifetime = 24 * time.Hour

const (
	maxReference   = 50
	maxDescription = 100
)

// pageRequest is the body of POST /hosted-payments. What is taken as a raw value is
// known, and makes no difference here.
type pageRequest struct {
	Amount      *minor         `json:"amount"`
	Currency    string         `json:"currency"`
	Reference   string         `json:"reference"`
	Description string         `json:"description"`
	Billing     billing        `json:"billing"`
	SuccessURL  string         `json:"success_url"`
	CancelURL   string         `json:"cancel_url"`
	FailureURL  string         `json:"failure_url"`
	Capture     *bool          `json:"capture"`
	Metadata    jsontext.Value `json:"metadata"`

	Allow     jsontext.Value `json:"allow_payment_methods"`
	Channel   string         `json:"processing_channel_id"`
	Customer  jsontext.Value `json:"customer"`
	Disabled  jsontext.Value `json:"disabled_payment_methods"`
	Display   string         `json:"display_name"`
	Kind      string         `json:"payment_type"`
	Locale    string         `json:"locale"`
	Products  jsontext.Value `json:"products"`
	Recipient jsontext.Value `json:"recipient"`
	Risk      jsontext.Value `json:"risk"`
	Shipping  jsontext.Value `json:"shipping"`
	ThreeDS   jsontext.Value `json:"3ds"`
}

type billing struct {
	Address billingAddress `json:"address"`
	Phone   jsontext.Value `json:"phone,omitzero"`
}

type billingAddress struct {
	Line1   string `json:"address_line1,omitzero"`
	Line2   string `json:"address_line2,omitzero"`
	City    string `json:"city,omitzero"`
	State   string `json:"state,omitzero"`
	Zip     string `json:"zip,omitzero"`
	Country string `json:"country"`
}

// extra is what a page's request says and its objects repeat.
type extra struct {
	Reference   string         `json:"reference"`
	Description string         `json:"description"`
	Billing     billing        `json:"billing"`
	FailureURL  string         `json:"failureUrl"`
	Metadata    jsontext.Value `json:"metadata,omitzero"`
}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// check returns the amount in the engine's units.
func (q pageRequest) check() (payment.Amount, error) {
	var none payment.Amount
	switch {
	case q.Amount == nil:
		return none, invalid("amount_required", "name an amount")
	case q.Currency == "":
		return none, invalid("currency_required", "name a currency")
	case !units.Takes(q.Currency):
		return none, invalid("currency_invalid", "this currency is not taken here")
	case q.Billing.Address.Country == "":
		return none, invalid("billing_address_country_required", "name the country of the billing address")
	case !countryCode.MatchString(q.Billing.Address.Country):
		return none, invalid("billing_address_country_invalid", "a country is two capital letters")
	case utf8.RuneCountInString(q.Reference) > maxReference || strings.ContainsFunc(q.Reference, unicode.IsControl):
		return none, invalid("reference_invalid", "must have at most 50 characters")
	case utf8.RuneCountInString(q.Description) > maxDescription || strings.ContainsFunc(q.Description, unicode.IsControl):
		return none, invalid("description_invalid", "must have at most 100 characters")
	case q.Metadata != nil && q.Metadata.Kind() != '{':
		return none, invalid("metadata_invalid", "must be an object")
	case q.Capture != nil && !*q.Capture:
		return none, invalid("capture_invalid", "only pages that capture at once are practised here")
	}
	for name, address := range map[string]string{"success_url": q.SuccessURL, "cancel_url": q.CancelURL, "failure_url": q.FailureURL} {
		if address == "" {
			return none, invalid(name+"_required", "name the address")
		}
		if u, err := url.Parse(address); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return none, invalid(name+"_invalid", "must be an address of the web")
		}
	}
	amount, err := units.From(q.Amount.Amount, q.Currency)
	if err != nil {
		return none, invalid("amount_invalid", err.Error())
	}
	return amount, nil
}

// createPage makes a page. Every request makes another one.
func (a api) createPage(r *http.Request) (int, any, error) {
	var q pageRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	amount, err := q.check()
	if err != nil {
		return 0, nil, err
	}
	kept, err := json.Marshal(extra{q.Reference, q.Description, q.Billing, q.FailureURL, q.Metadata}, json.Deterministic(true))
	if err != nil {
		return 0, nil, err
	}
	n := sandbox.NewOrder{
		Dialect: Name, MerchantRef: q.Reference, Amount: amount, Currency: q.Currency, Description: q.Description,
		ReturnURL: q.SuccessURL, CancelURL: q.CancelURL, TTL: lifetime, Extra: kept,
	}
	if n.MerchantRef == "" {
		n.MerchantRef = "none" // the engine wants a reference of every order; a page needn't have one
	}
	made, err := a.Create(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, createdPage{made.PageRef, q.Reference, a.pageLinks(made)}, nil
}

type createdPage struct {
	ID        string          `json:"id"`
	Reference string          `json:"reference,omitzero"`
	Links     map[string]link `json:"_links"`
}

func (a api) pageLinks(r sandbox.Record) map[string]link {
	return map[string]link{"self": {a.address("/hosted-payments/" + r.PageRef)}, "redirect": {a.PayURL(r.ID)}}
}

// page is a hosted page as it is now.
type page struct {
	ID          string          `json:"id"`
	Status      string          `json:"status"`
	PaymentID   string          `json:"payment_id,omitzero"`
	Amount      minor           `json:"amount"`
	Currency    string          `json:"currency"`
	Reference   string          `json:"reference,omitzero"`
	Description string          `json:"description,omitzero"`
	Billing     billing         `json:"billing"`
	Metadata    jsontext.Value  `json:"metadata,omitzero"`
	SuccessURL  string          `json:"success_url"`
	CancelURL   string          `json:"cancel_url"`
	FailureURL  string          `json:"failure_url"`
	Links       map[string]link `json:"_links"`
}

func (a api) getPage(r *http.Request) (int, any, error) {
	found, err := a.Get(r.Context(), Name, r.PathValue("id"))
	if err != nil || found.PageRef != r.PathValue("id") {
		return 0, nil, cmp.Or(err, sandbox.NotFound("thing"))
	}
	x := sandbox.Kept[extra](found.Extra)
	p := page{
		ID: found.PageRef, Status: "Payment Pending", Amount: units.To(found.Amount, found.Currency), Currency: found.Currency,
		Reference: x.Reference, Description: x.Description, Billing: x.Billing, Metadata: x.Metadata,
		SuccessURL: found.ReturnURL, CancelURL: found.CancelURL, FailureURL: x.FailureURL, Links: a.pageLinks(found),
	}
	if found.Status == payment.Expired {
		p.Status = "Expired"
	}
	for _, t := range found.Payments {
		if p.PaymentID = t.Ref; approved(t) {
			p.Status = "Payment Received"
			break
		}
	}
	return http.StatusOK, p, query(r).done()
}
