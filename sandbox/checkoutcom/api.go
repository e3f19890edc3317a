package checkoutcom

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/sandbox"
)

// api serves the routes of one engine.
type api struct{ *sandbox.Server }

// Routes serves the API.
func (d *Dialect) Routes(s *sandbox.Server) http.Handler {
	a := api{s}
	rules := sandbox.API{Authorised: sandbox.Bearer(d.APIKey), Refusal: refusal, Challenge: "Bearer"}
	return s.Serve(rules, map[string]sandbox.APIFunc{
		"POST /hosted-payments":       a.createPage,
		"GET /hosted-payments/{id}":   a.getPage,
		"GET /payments":               a.listPayments,
		"GET /payments/{id}":          a.getPayment,
		"GET /payments/{id}/{of}":     a.getOf,
		"POST /payments/{id}/refunds": a.createRefund,
		"POST /payments/search":       a.search,
		"GET /disputes":               a.listDisputes,
	})
}

// getOf serves the actions of a payment, and the pages of a search, which has no
// payment's id.
func (a api) getOf(r *http.Request) (int, any, error) {
	switch {
	case r.PathValue("id") == "search":
		return a.searchOn(r)
	case r.PathValue("of") == "actions":
		return a.listActions(r)
	}
	return 0, nil, sandbox.NotFound("thing")
}

// failure is Checkout.com's answer to what is wrong with a request.
type failure struct {
	RequestID  string   `json:"request_id"`
	ErrorType  string   `json:"error_type"`
	ErrorCodes []string `json:"error_codes"`
}

// refusal has a body only where a request can be put right. Codes in small letters are
// Checkout.com's own, see invalid.
func refusal(e *sandbox.Error) (int, any) {
	status, code := e.Status, e.Code
	switch code {
	case "UNAUTHORIZED", "NOT_FOUND", "UNAVAILABLE", "INTERNAL":
		return status, []byte{}
	case "REFUND_TOO_LARGE":
		status, code = http.StatusUnprocessableEntity, "refund_amount_exceeds_balance"
	case "NOT_REFUNDABLE":
		status, code = http.StatusForbidden, "refund_not_allowed"
	case "IDEMPOTENCY_KEY_REUSED":
		status, code = http.StatusUnprocessableEntity, "idempotency_key_invalid"
	case "MALFORMED_JSON":
		status, code = http.StatusUnprocessableEntity, "request_json_invalid"
	default:
		if status == http.StatusConflict {
			status = http.StatusUnprocessableEntity
		}
		code = strings.ToLower(code)
	}
	return status, failure{uuid.NewString(), "request_invalid", []string{code}}
}

func invalid(code, detail string) error {
	return &sandbox.Error{Status: http.StatusUnprocessableEntity, Code: code, Detail: detail}
}

// address is where the API serves a path.
func (a api) address(path string) string {
	return strings.TrimSuffix(a.PayURL(""), "/pay/") + "/" + Name + path
}

// link is one of an object's _links.
type link struct {
	Href string `json:"href"`
}

// params are a request's parameters; whatever hasn't been asked for is refused.
type params struct {
	url.Values
	err error
}

func query(r *http.Request) *params { return &params{Values: r.URL.Query()} }

// text returns a parameter that may be left out.
func (p *params) text(name string) string {
	v := p.Get(name)
	p.Del(name)
	return v
}

// number returns one in bounds, or what it is where it is left out.
func (p *params) number(name string, otherwise, least, most int) int {
	text := p.text(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		p.fail(name, "must be from "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
	}
	return n
}

// instant returns a time, zero where it is left out.
func (p *params) instant(name string) (at time.Time) {
	text := p.text(name)
	if text == "" {
		return at
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		p.fail(name, "must be a time as in ISO 8601")
	}
	return at
}

func (p *params) fail(name, detail string) {
	if p.err == nil {
		p.err = invalid(name+"_invalid", detail)
	}
}

// done returns what was wrong with any of them, and refuses what nobody has asked for.
func (p *params) done() error {
	for name := range p.Values {
		p.fail(name, "is not known here")
	}
	return p.err
}

// maxSkip keeps a typing mistake from counting up everything there is.
const maxSkip = 1_000_000

// paged is a part of what was found.
func paged[T any](all []T, skip, limit int) []T {
	from := min(skip, len(all))
	return all[from:min(from+limit, len(all))]
}

// instantLayout has the seven decimals that Checkout.com writes.
const instantLayout = "2006-01-02T15:04:05.0000000Z"

// instant is a time in Checkout.com's form.
type instant time.Time

// MarshalText writes UTC.
func (t instant) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, instantLayout), nil
}
