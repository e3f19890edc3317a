package payflow

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// api serves the routes of one engine.
type api struct {
	*sandbox.Server
	currency string
}

// Routes serves the API.
func (d *Dialect) Routes(s *sandbox.Server) http.Handler {
	a := api{s, d.Currency}
	mux := http.NewServeMux()
	rules := sandbox.API{Authorised: sandbox.Basic(d.KeyID, d.KeySecret), Refusal: refusal, Challenge: `Basic realm="PayFlow"`}
	on := func(pattern string, h sandbox.APIFunc) { mux.Handle(pattern, s.API(rules, h)) }
	on("POST /payment_links", a.create)
	on("GET /payments", a.list)
	on("GET /payments/{orderId}", a.get)
	on("POST /payments/{orderId}/refund", a.refund)
	on("/", func(*http.Request) (int, any, error) {
		return 0, nil, &sandbox.Error{Status: http.StatusNotFound, Code: "UNKNOWN_ROUTE", Detail: "there is no such route or method"}
	})
	return mux
}

// failure is PayFlow's answer to what went wrong.
type failure struct {
	Error failed `json:"error"`
}

type failed struct {
	Code        string `json:"code"`
	Description string `json:"description"`
}

// refusal keeps 409 for what is still under way.
func refusal(e *sandbox.Error) (int, any) {
	status := e.Status
	if status == http.StatusConflict || status == http.StatusUnprocessableEntity {
		status = http.StatusBadRequest
	}
	return status, failure{failed{e.Code, e.Detail}}
}

func invalid(field, detail string) error {
	return &sandbox.Error{Status: http.StatusBadRequest, Code: "INVALID_FIELD", Detail: field + ": " + detail}
}

// key reads the idempotency key, which is asked for wherever something is made.
func key(r *http.Request) (string, error) {
	if k := r.Header.Get("Idempotency-Key"); k != "" {
		return k, nil
	}
	return "", &sandbox.Error{Status: http.StatusBadRequest, Code: "IDEMPOTENCY_KEY_MISSING", Detail: "send an Idempotency-Key"}
}

// amount reads a whole number.
func amount(raw jsontext.Value) (payment.Amount, error) {
	n, err := payment.ParseAmount(string(raw))
	if err != nil || n.Sign() <= 0 {
		return n, invalid("amount", "must be a whole number above 0")
	}
	return n, nil
}

// link is the body of POST /payment_links.
type link struct {
	OrderID     string         `json:"orderId"`
	Amount      jsontext.Value `json:"amount"`
	Currency    string         `json:"currency"`
	Description string         `json:"description"`
	ReturnURL   string         `json:"returnUrl"`
	CancelURL   string         `json:"cancelUrl"`
	ExpireBy    int64          `json:"expireBy"`
}

// madeJSON answers it.
type madeJSON struct {
	OrderID  string `json:"orderId"`
	Status   string `json:"status"`
	ShortURL string `json:"shortUrl"`
}

func (a api) create(r *http.Request) (int, any, error) {
	k, err := key(r)
	if err != nil {
		return 0, nil, err
	}
	var q link
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	n := sandbox.NewOrder{
		Dialect: Name, Key: k, PageRef: q.OrderID, MerchantRef: q.OrderID, Currency: q.Currency, Description: q.Description,
		ReturnURL: q.ReturnURL, CancelURL: q.CancelURL,
	}
	if n.Amount, err = amount(q.Amount); err != nil {
		return 0, nil, err
	}
	switch {
	case q.OrderID == "":
		return 0, nil, invalid("orderId", "must not be empty")
	case q.Currency != a.currency:
		return 0, nil, invalid("currency", "the account takes "+a.currency+" only")
	case q.ExpireBy < 0 || q.ExpireBy > latest:
		return 0, nil, invalid("expireBy", "must be seconds since 1970")
	case q.ExpireBy > 0:
		n.ExpiresAt = time.Unix(q.ExpireBy, 0).UTC()
	}
	made, err := a.Create(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, madeJSON{made.PageRef, statuses[made.Status], a.PayURL(made.ID)}, nil
}

// find returns the payment in the path.
func (a api) find(r *http.Request) (sandbox.Record, error) {
	id := r.PathValue("orderId")
	found, err := a.Get(r.Context(), Name, id)
	if err == nil && found.PageRef != id {
		err = &sandbox.Error{Status: http.StatusNotFound, Code: "NOT_FOUND", Detail: "there is no such payment"}
	}
	return found, err
}

func (a api) get(r *http.Request) (int, any, error) {
	found, err := a.find(r)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, recordOf(found), only(r.URL.Query())
}

// refundRequest is the body of POST /payments/{orderId}/refund.
type refundRequest struct {
	Amount jsontext.Value `json:"amount"`
}

func (a api) refund(r *http.Request) (int, any, error) {
	k, err := key(r)
	if err != nil {
		return 0, nil, err
	}
	var q refundRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	found, err := a.find(r)
	if err != nil {
		return 0, nil, err
	}
	n := sandbox.NewRefund{Dialect: Name, Ref: found.ID, Key: k}
	if n.Amount, err = amount(q.Amount); err != nil {
		return 0, nil, err
	}
	f, _, err := a.Refund(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, partJSON{f.Ref, number(f.Amount), refundStates[f.Status]}, nil
}

// listJSON is a page of payments.
type listJSON struct {
	Items []recordJSON `json:"items"`
	Count int          `json:"count"`
}

// Bounds of what lists take.
const (
	usualCount = 10
	maxCount   = 100
	maxSkip    = 1e9
	latest     = 1e11
)

// list is by change: a payment that changes while a caller turns the pages moves to
// the end.
func (a api) list(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	if err := only(q, "from", "to", "count", "skip"); err != nil {
		return 0, nil, err
	}
	var numbers [4]int64
	for i, of := range []struct {
		name        string
		least, most int64
	}{{"from", 0, latest}, {"to", 0, latest}, {"count", 1, maxCount}, {"skip", 0, maxSkip}} {
		if !q.Has(of.name) {
			continue
		}
		n, err := strconv.ParseInt(q.Get(of.name), 10, 64)
		if err != nil || n < of.least || n > of.most {
			return 0, nil, invalid(of.name, "must be a whole number from "+strconv.FormatInt(of.least, 10)+" to "+strconv.FormatInt(of.most, 10))
		}
		numbers[i] = n
	}
	w := sandbox.Window{Dialect: Name, Changed: true, Limit: usualCount, Skip: int(numbers[3])}
	if q.Has("from") {
		w.From = time.Unix(numbers[0], 0).UTC()
	}
	if q.Has("to") { // that second's last instant is still in it
		w.To = time.Unix(numbers[1], 0).UTC().Add(time.Second - time.Microsecond)
	}
	if numbers[2] > 0 {
		w.Limit = int(numbers[2])
	}
	found, err := a.List(r.Context(), sandbox.PageKind, w)
	if err != nil {
		return 0, nil, err
	}
	out := listJSON{Items: []recordJSON{}, Count: len(found)}
	for _, f := range found {
		out.Items = append(out.Items, recordOf(f.Record))
	}
	return http.StatusOK, out, nil
}

// only refuses parameters that aren't known here.
func only(q url.Values, known ...string) error {
	for name := range q {
		if !slices.Contains(known, name) {
			return invalid(name, "isn't known here")
		}
	}
	return nil
}
