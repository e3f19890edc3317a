package payflow

import (
	"net/http"
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
	rules := sandbox.API{Authorised: sandbox.Basic(d.KeyID, d.KeySecret), Refusal: refusal, Challenge: `Basic realm="PayFlow"`}
	return s.Serve(rules, map[string]sandbox.APIFunc{
		"POST /payment_links":             a.create,
		"GET /payments":                   a.list,
		"GET /payments/{orderId}":         a.get,
		"POST /payments/{orderId}/refund": a.refund,
	})
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

// amount reads a whole number.
func amount(raw jsontext.Value) (payment.Amount, error) {
	n, err := payment.ParseAmount(string(raw))
	if err != nil || n.Sign() <= 0 {
		return n, sandbox.Invalid("amount", "must be a whole number above 0")
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
	key, err := sandbox.IdempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var q link
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	n := sandbox.NewOrder{
		Dialect: Name, Key: key, PageRef: q.OrderID, MerchantRef: q.OrderID, Currency: q.Currency, Description: q.Description,
		ReturnURL: q.ReturnURL, CancelURL: q.CancelURL,
	}
	if n.Amount, err = amount(q.Amount); err != nil {
		return 0, nil, err
	}
	switch {
	case q.OrderID == "":
		return 0, nil, sandbox.Invalid("orderId", "must not be empty")
	case q.Currency != a.currency:
		return 0, nil, sandbox.Invalid("currency", "the account takes "+a.currency+" only")
	case q.ExpireBy < 0 || q.ExpireBy > latest:
		return 0, nil, sandbox.Invalid("expireBy", "must be seconds since 1970")
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
		err = sandbox.NotFound("payment")
	}
	return found, err
}

func (a api) get(r *http.Request) (int, any, error) {
	found, err := a.find(r)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, recordOf(found), sandbox.Only(r.URL.Query())
}

// refundRequest is the body of POST /payments/{orderId}/refund.
type refundRequest struct {
	Amount jsontext.Value `json:"amount"`
}

func (a api) refund(r *http.Request) (int, any, error) {
	key, err := sandbox.IdempotencyKey(r)
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
	n := sandbox.NewRefund{Dialect: Name, Ref: found.ID, Key: key}
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

// latest is far behind any time that is meant.
const latest = 1e11

// list is by change: a payment that changes while a caller turns the pages moves to
// the end.
func (a api) list(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	if err := sandbox.Only(q, "from", "to", "count", "skip"); err != nil {
		return 0, nil, err
	}
	w, err := sandbox.SecondsWindow(q, Name)
	if err != nil {
		return 0, nil, err
	}
	w.Changed = true
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
