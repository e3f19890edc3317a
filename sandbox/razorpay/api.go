package razorpay

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"onceshop/sandbox"
)

// api serves the routes of one engine.
type api struct{ *sandbox.Server }

// Routes serves the API.
func (d *Dialect) Routes(s *sandbox.Server) http.Handler {
	a := api{s}
	rules := sandbox.API{Authorised: sandbox.Basic(d.KeyID, d.KeySecret), Refusal: refusal, Challenge: `Basic realm="Razorpay"`}
	return s.Serve(rules, map[string]sandbox.APIFunc{
		"POST /v1/payment_links":             a.createLink,
		"POST /v1/payment_links/{$}":         a.createLink,
		"GET /v1/payment_links":              a.listLinks,
		"GET /v1/payment_links/{$}":          a.listLinks,
		"GET /v1/payment_links/{id}":         a.getLink,
		"POST /v1/payment_links/{id}/cancel": a.cancelLink,
		"GET /v1/orders":                     a.listOrders,
		"GET /v1/orders/{id}":                a.getOrder,
		"GET /v1/orders/{id}/payments":       a.listAttempts,
		"GET /v1/payments":                   a.listPayments,
		"GET /v1/payments/{id}":              a.getPayment,
		"POST /v1/payments/{id}/capture":     a.capture,
		"POST /v1/payments/{id}/refund":      a.createRefund,
		"GET /v1/payments/{id}/refunds":      a.listRefundsOf,
		"GET /v1/refunds":                    a.listRefunds,
		"GET /v1/refunds/{id}":               a.getRefund,
		"GET /v1/disputes":                   a.listDisputes,
		"GET /v1/disputes/{id}":              a.getDispute,
		"/": func(*http.Request) (int, any, error) {
			return 0, nil, bad("The requested URL was not found on the server.")
		},
	})
}

// failure is Razorpay's answer to what went wrong.
type failure struct {
	Error failed `json:"error"`
}

type failed struct {
	Code        string   `json:"code"`
	Description string   `json:"description"`
	Source      string   `json:"source"`
	Step        string   `json:"step"`
	Reason      string   `json:"reason"`
	Metadata    struct{} `json:"metadata"`
}

// refusal says BAD_REQUEST_ERROR to nearly everything, with status 400.
func refusal(e *sandbox.Error) (int, any) {
	status, f := http.StatusBadRequest, failed{Code: "BAD_REQUEST_ERROR", Description: e.Detail, Source: "NA", Step: "NA", Reason: "NA"}
	switch {
	case e.Status >= 500:
		status, f.Code = e.Status, "SERVER_ERROR"
	case e.Code == "UNAUTHORIZED":
		status, f.Description = e.Status, "The api key provided is invalid"
	case e.Code == "NOT_FOUND":
		f.Description, f.Source, f.Step, f.Reason = "The id provided does not exist", "business", "payment_initiation", "input_validation_failed"
	case e.Code == "IDEMPOTENCY_KEY_REUSED":
		status, f.Description = http.StatusConflict, "Different request with the same idempotency key has already been processed."
	case e.Code == "REFUND_TOO_LARGE":
		f.Description = "The refund amount provided is greater than amount captured"
	case e.Code == "NOT_REFUNDABLE":
		f.Description = "The payment status should be captured for action to be taken"
	case e.Code == "MALFORMED_JSON":
		f.Description = "wrong input fields sent: " + e.Detail
	case e.Code == "INVALID_FIELD":
		f.Description = strings.Replace(e.Detail, "expiresAt", "expire_by", 1)
	}
	return status, failure{f}
}

func bad(detail string, args ...any) error {
	return &sandbox.Error{Status: http.StatusBadRequest, Code: "BAD_REQUEST", Detail: fmt.Sprintf(detail, args...)}
}

// has reports whether err is a refusal with this code.
func has(err error, code string) bool {
	e, ok := errors.AsType[*sandbox.Error](err)
	return ok && e.Code == code
}

// find returns the record behind the id in the path, if it is of the kind wanted.
func (a api) find(r *http.Request, prefix string) (sandbox.Record, string, error) {
	id := r.PathValue("id")
	if !strings.HasPrefix(id, prefix) {
		return sandbox.Record{}, id, sandbox.NotFound("entity")
	}
	found, err := a.Get(r.Context(), Name, id)
	return found, id, err
}

// collection is a page of entities.
type collection struct {
	Entity string `json:"entity"`
	Count  int    `json:"count"`
	Items  []any  `json:"items"`
}

func collect(items []any) collection {
	if items == nil {
		items = []any{}
	}
	return collection{"collection", len(items), items}
}

// only refuses parameters that aren't known here.
func only(q url.Values, known ...string) error {
	for name := range q {
		if !slices.Contains(known, name) {
			return bad("%s is/are not required and should not be sent", name)
		}
	}
	return nil
}

// window reads which page of a list is asked for; other parameters may be known, too.
func window(q url.Values, known ...string) (sandbox.Window, error) {
	if err := only(q, append(known, "from", "to", "count", "skip")...); err != nil {
		return sandbox.Window{}, err
	}
	return sandbox.SecondsWindow(q, Name)
}

// listOf lists things by when they were made, the newest first.
func (a api) listOf(r *http.Request, of sandbox.Kind, draw func(sandbox.Found) any) (int, any, error) {
	w, err := window(r.URL.Query())
	if err != nil {
		return 0, nil, err
	}
	found, err := a.List(r.Context(), of, w)
	if err != nil {
		return 0, nil, err
	}
	var items []any
	for _, f := range found {
		items = append(items, draw(f))
	}
	return http.StatusOK, collect(items), nil
}
