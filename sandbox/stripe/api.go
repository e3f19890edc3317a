package stripe

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/sandbox"
)

// api serves the routes of one engine.
type api struct{ *sandbox.Server }

// Routes serves the API.
func (d *Dialect) Routes(s *sandbox.Server) http.Handler {
	a := api{s}
	rules := sandbox.API{Authorised: sandbox.Bearer(d.APIKey), Refusal: refusal, Challenge: `Bearer realm="Stripe"`}
	return s.Serve(rules, map[string]sandbox.APIFunc{
		"POST /v1/checkout/sessions":             a.createSession,
		"GET /v1/checkout/sessions":              a.listSessions,
		"GET /v1/checkout/sessions/{id}":         a.getSession,
		"POST /v1/checkout/sessions/{id}/expire": a.expireSession,
		"GET /v1/payment_intents/{id}":           a.getIntent,
		"POST /v1/payment_intents/{id}/capture":  a.captureIntent,
		"POST /v1/payment_intents/{id}/cancel":   a.cancelIntent,
		"GET /v1/charges/{id}":                   a.getCharge,
		"POST /v1/refunds":                       a.createRefund,
		"GET /v1/refunds":                        a.listRefunds,
		"GET /v1/refunds/{id}":                   a.getRefund,
		"GET /v1/disputes":                       a.listDisputes,
		"GET /v1/disputes/{id}":                  a.getDispute,
		"/": func(r *http.Request) (int, any, error) {
			return 0, nil, &sandbox.Error{Status: http.StatusNotFound, Code: "UNKNOWN_ROUTE", Detail: "Unrecognized request URL (" + r.Method + ": " + r.URL.Path + ")"}
		},
	})
}

// failure is Stripe's answer to what went wrong.
type failure struct {
	Error failed `json:"error"`
}

type failed struct {
	Code    string `json:"code,omitzero"`
	Message string `json:"message"`
	Type    string `json:"type"`
}

func refusal(e *sandbox.Error) (int, any) {
	status, f := e.Status, failed{Message: e.Detail, Type: "invalid_request_error"}
	switch e.Code {
	case "NOT_FOUND":
		f.Code = "resource_missing"
	case "IDEMPOTENCY_KEY_REUSED":
		status, f.Type = http.StatusBadRequest, "idempotency_error"
	case "REFUND_TOO_LARGE", "NOT_REFUNDABLE":
		status, f.Code = http.StatusBadRequest, "charge_already_refunded"
	case "UNKNOWN_PARAMETER":
		f.Code = "parameter_unknown"
	case "MISSING_PARAMETER":
		f.Code = "parameter_missing"
	case "INVALID_FIELD":
		status, f.Code = http.StatusBadRequest, "parameter_invalid"
	default:
		if status == http.StatusConflict {
			status, f.Code = http.StatusBadRequest, "unexpected_state"
		}
		if status >= 500 {
			f.Type = "api_error"
		}
	}
	return status, failure{f}
}

func bad(code, detail string, args ...any) error {
	return &sandbox.Error{Status: http.StatusBadRequest, Code: code, Detail: fmt.Sprintf(detail, args...)}
}

func missing(what, id string) error {
	return &sandbox.Error{Status: http.StatusNotFound, Code: "NOT_FOUND", Detail: "No such " + what + ": '" + id + "'"}
}

// params are a request's parameters; whatever hasn't been asked for is refused.
type params struct {
	url.Values
	known map[string]bool
}

// query reads the parameters of a GET, form those of a POST.
func query(r *http.Request) params { return params{r.URL.Query(), map[string]bool{}} }

func form(r *http.Request) (params, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); r.ContentLength != 0 && (err != nil || kind != "application/x-www-form-urlencoded") {
		return params{}, bad("MALFORMED", "Send parameters in form encoding (application/x-www-form-urlencoded).")
	}
	if err := r.ParseForm(); err != nil {
		return params{}, bad("MALFORMED", "The request body can't be read.")
	}
	return params{r.PostForm, map[string]bool{}}, nil
}

// text returns a parameter that may be left out.
func (p params) text(name string) string {
	p.known[name] = true
	return p.Get(name)
}

// need returns one that may not.
func (p params) need(name string) (string, error) {
	if v := p.text(name); v != "" {
		return v, nil
	}
	return "", bad("MISSING_PARAMETER", "Missing required param: %s.", name)
}

// amount returns a whole number.
func (p params) amount(name string) (payment.Amount, error) {
	n, err := payment.ParseAmount(p.text(name))
	if err != nil {
		return n, bad("INVALID_FIELD", "Invalid integer: %s", name)
	}
	return n, nil
}

// metadata returns name[key]=value as a map.
func (p params) metadata(name string) map[string]string {
	m := map[string]string{}
	for full := range p.Values {
		if key, ok := strings.CutPrefix(full, name+"["); ok && strings.HasSuffix(key, "]") {
			m[strings.TrimSuffix(key, "]")] = p.text(full)
		}
	}
	return m
}

// expand reads expand[], of which only the known paths are taken.
func (p params) expand(known ...string) ([]string, error) {
	var paths []string
	for full, values := range p.Values {
		if full == "expand[]" || strings.HasPrefix(full, "expand[") && strings.HasSuffix(full, "]") {
			p.known[full] = true
			paths = append(paths, values...)
		}
	}
	for _, path := range paths {
		if !slices.Contains(known, path) {
			return nil, bad("INVALID_FIELD", "This property cannot be expanded (%s).", path)
		}
	}
	return paths, nil
}

// done refuses what nobody has asked for.
func (p params) done() error {
	for name := range p.Values {
		if !p.known[name] {
			return bad("UNKNOWN_PARAMETER", "Received unknown parameter: %s", name)
		}
	}
	return nil
}

// The lengths of lists.
const (
	usualLimit = 10
	maxLimit   = 100
)

// window reads what all lists take. One more is asked for than is wanted, to know
// whether there is more.
func (p params) window() (w sandbox.Window, limit int, err error) {
	w, limit = sandbox.Window{Dialect: Name}, usualLimit
	if text := p.text("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxLimit {
			return w, limit, bad("INVALID_FIELD", "Limit must be from 1 to 100.")
		}
	}
	w.Limit = limit + 1
	for _, bound := range []struct {
		name  string
		at    *time.Time
		shift time.Duration
	}{
		// Whole seconds are compared: a second's last instant is still in it.
		{"gte", &w.From, 0}, {"gt", &w.From, time.Second}, {"lte", &w.To, time.Second - time.Microsecond}, {"lt", &w.To, -time.Microsecond},
	} {
		text := p.text("created[" + bound.name + "]")
		if text == "" {
			continue
		}
		seconds, err := strconv.ParseInt(text, 10, 64)
		if err != nil || seconds < 0 || seconds > 1e11 {
			return w, limit, bad("INVALID_FIELD", "Invalid integer: created[%s]", bound.name)
		}
		*bound.at = time.Unix(seconds, 0).UTC().Add(bound.shift)
	}
	return w, limit, nil
}

// list is a page of objects.
type list struct {
	Object  string `json:"object"`
	Data    []any  `json:"data"`
	HasMore bool   `json:"has_more"`
	URL     string `json:"url"`
}

// page draws what was found.
func page(found []sandbox.Found, limit int, url string, draw func(sandbox.Found) any) list {
	out := list{Object: "list", Data: []any{}, URL: url, HasMore: len(found) > limit}
	for _, f := range found[:min(limit, len(found))] {
		out.Data = append(out.Data, draw(f))
	}
	return out
}
