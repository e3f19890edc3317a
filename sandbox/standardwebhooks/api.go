package standardwebhooks

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"onceshop/payment"
	"onceshop/sandbox"
)

// api serves the routes of one engine.
type api struct{ *sandbox.Server }

// Routes serves the API.
func (d *Dialect) Routes(s *sandbox.Server) http.Handler {
	a := api{s}
	rules := sandbox.API{Authorised: sandbox.Bearer(d.APIKey), Refusal: refusal, Challenge: "Bearer"}
	return s.Serve(rules, map[string]sandbox.APIFunc{
		"POST /payments":               a.create,
		"GET /payments":                a.list,
		"GET /payments/{ref}":          a.get,
		"POST /payments/{ref}/refunds": a.refund,
	})
}

// failure is the answer to what went wrong.
type failure struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func refusal(e *sandbox.Error) (int, any) { return e.Status, failure{e.Code, e.Detail} }

// largest is the greatest number that every reader of JSON holds exactly.
var largest = payment.NewAmount(1<<53 - 1)

func amount(raw jsontext.Value) (payment.Amount, error) {
	n, err := payment.ParseAmount(string(raw))
	if err != nil || n.Sign() <= 0 || n.Cmp(largest) > 0 {
		return n, sandbox.Invalid("amount_minor", "must be a whole number from 1 to "+largest.String())
	}
	return n, nil
}

// request is the body of POST /payments.
type request struct {
	OrderRef    string         `json:"order_ref"`
	Amount      jsontext.Value `json:"amount_minor"`
	Currency    string         `json:"currency"`
	Description string         `json:"description"`
	ReturnURL   string         `json:"return_url"`
	CancelURL   string         `json:"cancel_url"`
	ExpiresAt   time.Time      `json:"expires_at"`
}

// madeJSON answers it.
type madeJSON struct {
	Payment paymentJSON `json:"payment"`
	URL     string      `json:"url"`
}

func (a api) create(r *http.Request) (int, any, error) {
	key, err := sandbox.IdempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var q request
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	if q.OrderRef == "" {
		return 0, nil, sandbox.Invalid("order_ref", "must not be empty")
	}
	if _, known := payment.Exponent(q.Currency); !known {
		return 0, nil, sandbox.Invalid("currency", "isn't known here")
	}
	n, err := amount(q.Amount)
	if err != nil {
		return 0, nil, err
	}
	made, err := a.Create(r.Context(), sandbox.NewOrder{
		Dialect: Name, Key: key, PageRef: q.OrderRef, MerchantRef: q.OrderRef, Amount: n, Currency: q.Currency, Description: q.Description,
		ReturnURL: q.ReturnURL, CancelURL: q.CancelURL, ExpiresAt: q.ExpiresAt,
	})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, madeJSON{paymentOf(made), a.PayURL(made.ID)}, nil
}

// find returns the payment in the path, by its order_ref or its payment_ref.
func (a api) find(r *http.Request) (sandbox.Record, error) {
	ref := r.PathValue("ref")
	found, err := a.Get(r.Context(), Name, ref)
	if err == nil && found.PageRef == ref {
		return found, nil
	}
	if err != nil && !sandbox.IsNotFound(err) {
		return found, err
	}
	hex, ok := strings.CutPrefix(ref, paymentPrefix)
	id, err := uuid.Parse(hex)
	if !ok || err != nil || len(hex) != 32 {
		return found, sandbox.NotFound("payment")
	}
	return a.Get(r.Context(), Name, id.String())
}

func (a api) get(r *http.Request) (int, any, error) {
	found, err := a.find(r)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, paymentOf(found), sandbox.Only(r.URL.Query())
}

// refundRequest is the body of POST /payments/{ref}/refunds.
type refundRequest struct {
	Amount jsontext.Value `json:"amount_minor"`
	Reason string         `json:"reason"`
}

// refundedJSON answers it.
type refundedJSON struct {
	Refund refundJSON `json:"refund"`
}

const maxReason = 255

func (a api) refund(r *http.Request) (int, any, error) {
	key, err := sandbox.IdempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var q refundRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	if utf8.RuneCountInString(q.Reason) > maxReason {
		return 0, nil, sandbox.Invalid("reason", "must have at most 255 characters")
	}
	found, err := a.find(r)
	if err != nil {
		return 0, nil, err
	}
	n, err := amount(q.Amount)
	if err != nil {
		return 0, nil, err
	}
	f, _, err := a.Refund(r.Context(), sandbox.NewRefund{Dialect: Name, Ref: found.ID, Key: key, Amount: n, Reason: q.Reason})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, refundedJSON{refundOf(f)}, nil
}

// listJSON is a page of payments; the last one has no NextCursor.
type listJSON struct {
	Payments   []paymentJSON `json:"payments"`
	NextCursor string        `json:"next_cursor,omitzero"`
}

// The lengths of lists.
const (
	usualLimit = 50
	maxLimit   = 100
)

// list is by change. A payment that changes while a caller turns the pages moves to
// the end and comes once more.
func (a api) list(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	if err := sandbox.Only(q, "updated_since", "cursor", "limit"); err != nil {
		return 0, nil, err
	}
	w, limit := sandbox.Window{Dialect: Name, Changed: true}, usualLimit
	var err error
	if text := q.Get("limit"); text != "" {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxLimit {
			return 0, nil, sandbox.Invalid("limit", "must be from 1 to 100")
		}
	}
	if text := q.Get("updated_since"); text != "" {
		if w.From, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return 0, nil, sandbox.Invalid("updated_since", "must be a time as in RFC 3339")
		}
	}
	if text := q.Get("cursor"); text != "" {
		if w.From, w.After, err = readCursor(text); err != nil {
			return 0, nil, sandbox.Invalid("cursor", "isn't one of ours")
		}
	}
	w.Limit = limit + 1
	found, err := a.List(r.Context(), sandbox.PageKind, w)
	if err != nil {
		return 0, nil, err
	}
	out := listJSON{Payments: []paymentJSON{}}
	if len(found) > limit {
		found = found[:limit]
		out.NextCursor = cursor(found[limit-1].Record)
	}
	for _, f := range found {
		out.Payments = append(out.Payments, paymentOf(f.Record))
	}
	return http.StatusOK, out, nil
}

// cursor is a place in the list: behind a payment as it is now.
func cursor(r sandbox.Record) string {
	return base64.RawURLEncoding.EncodeToString([]byte(r.UpdatedAt.UTC().Format(timeLayout) + " " + r.ID))
}

func readCursor(text string) (at time.Time, id string, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return at, "", err
	}
	when, id, _ := strings.Cut(string(raw), " ")
	if at, err = time.Parse(timeLayout, when); err == nil {
		err = uuid.Validate(id)
	}
	return at, id, err
}
