package razorpay

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"onceshop/sandbox"
)

// api serves the routes of one engine.
type api struct{ *sandbox.Server }

// Routes serves the API.
func (d *Dialect) Routes(s *sandbox.Server) http.Handler {
	a := api{s}
	mux := http.NewServeMux()
	rules := sandbox.API{Authorised: sandbox.Basic(d.KeyID, d.KeySecret), Refusal: refusal, Challenge: `Basic realm="Razorpay"`}
	on := func(pattern string, h sandbox.APIFunc) { mux.Handle(pattern, s.API(rules, h)) }
	on("POST /v1/payment_links", a.createLink)
	on("POST /v1/payment_links/{$}", a.createLink)
	on("GET /v1/payment_links", a.listLinks)
	on("GET /v1/payment_links/{$}", a.listLinks)
	on("GET /v1/payment_links/{id}", a.getLink)
	on("POST /v1/payment_links/{id}/cancel", a.cancelLink)
	on("GET /v1/orders", a.listOrders)
	on("GET /v1/orders/{id}", a.getOrder)
	on("GET /v1/orders/{id}/payments", a.listAttempts)
	on("GET /v1/payments", a.listPayments)
	on("GET /v1/payments/{id}", a.getPayment)
	on("POST /v1/payments/{id}/capture", a.capture)
	on("POST /v1/payments/{id}/refund", a.createRefund)
	on("GET /v1/payments/{id}/refunds", a.listRefundsOf)
	on("GET /v1/refunds", a.listRefunds)
	on("GET /v1/refunds/{id}", a.getRefund)
	on("GET /v1/disputes", a.listDisputes)
	on("GET /v1/disputes/{id}", a.getDispute)
	on("/", func(*http.Request) (int, any, error) {
		return 0, nil, bad("The requested URL was not found on the server.")
	})
	return mux
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

func missing() error {
	return &sandbox.Error{Status: http.StatusNotFound, Code: "NOT_FOUND", Detail: "The id provided does not exist"}
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
		return sandbox.Record{}, id, missing()
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

// The lengths of lists.
const (
	usualCount = 10
	maxCount   = 100
)

// window reads from, to, count and skip.
func window(q url.Values) (w sandbox.Window, err error) {
	w = sandbox.Window{Dialect: Name, Limit: usualCount}
	number := func(name string, most int64) (n int64, given bool) {
		if !q.Has(name) || err != nil {
			return 0, false
		}
		n, wrong := strconv.ParseInt(q.Get(name), 10, 64)
		if wrong != nil || n < 0 || n > most {
			err = bad("The %s must be a whole number from 0 to %d.", name, most)
			return 0, false
		}
		return n, true
	}
	const latest = 1e11
	if n, ok := number("from", latest); ok {
		w.From = time.Unix(n, 0).UTC()
	}
	if n, ok := number("to", latest); ok { // that second's last instant is still in it
		w.To = time.Unix(n, 0).UTC().Add(time.Second - time.Microsecond)
	}
	if n, ok := number("count", maxCount); ok && n > 0 {
		w.Limit = int(n)
	}
	if n, ok := number("skip", 1e9); ok {
		w.Skip = int(n)
	}
	return w, err
}

// listOf lists things by when they were made, the newest first.
func (a api) listOf(r *http.Request, of sandbox.Kind, draw func(sandbox.Found) any) (int, any, error) {
	q := r.URL.Query()
	if err := only(q, "from", "to", "count", "skip"); err != nil {
		return 0, nil, err
	}
	w, err := window(q)
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
