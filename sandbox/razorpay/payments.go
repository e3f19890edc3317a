package razorpay

import (
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/sandbox"
)

// findPayment returns the payment in the path, if the record has it yet.
func (a api) findPayment(r *http.Request) (sandbox.Record, sandbox.Payment, error) {
	found, id, err := a.find(r, paymentPrefix)
	if err != nil {
		return found, sandbox.Payment{}, err
	}
	p, ok := found.PaymentByRef(id)
	if !ok {
		err = sandbox.NotFound("entity")
	}
	return found, p, err
}

func (a api) getPayment(r *http.Request) (int, any, error) {
	found, p, err := a.findPayment(r)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, paymentOf(found, p), only(r.URL.Query())
}

func (a api) listPayments(r *http.Request) (int, any, error) {
	return a.listOf(r, sandbox.PaymentKind, func(f sandbox.Found) any { return paymentOf(f.Record, *f.Payment) })
}

func (a api) listRefunds(r *http.Request) (int, any, error) {
	return a.listOf(r, sandbox.RefundKind, func(f sandbox.Found) any { return refundOf(f.Record, *f.Refund) })
}

func (a api) listDisputes(r *http.Request) (int, any, error) {
	return a.listOf(r, sandbox.DisputeKind, func(f sandbox.Found) any { return disputeOf(f.Record, *f.Dispute) })
}

// listRefundsOf lists the refunds of one payment.
func (a api) listRefundsOf(r *http.Request) (int, any, error) {
	w, err := window(r.URL.Query())
	if err != nil {
		return 0, nil, err
	}
	found, p, err := a.findPayment(r)
	if err != nil {
		return 0, nil, err
	}
	var items []any
	if givenBack(p) && w.Skip == 0 {
		items = append(items, automaticRefund(found, p))
	}
	w.Order, w.PaymentID = p.Ref, p.ID
	list, err := a.List(r.Context(), sandbox.RefundKind, w)
	if err != nil {
		return 0, nil, err
	}
	for _, f := range list {
		items = append(items, refundOf(f.Record, *f.Refund))
	}
	return http.StatusOK, collect(items), nil
}

func (a api) getRefund(r *http.Request) (int, any, error) {
	found, id, err := a.find(r, refundPrefix)
	if f, ok := found.RefundByRef(id); err == nil && ok {
		return http.StatusOK, refundOf(found, f), only(r.URL.Query())
	}
	if err != nil && !has(err, "NOT_FOUND") {
		return 0, nil, err
	}
	// It may be one that Razorpay made by itself.
	ref := paymentPrefix + strings.TrimPrefix(id, refundPrefix)
	if found, err = a.Get(r.Context(), Name, ref); err != nil {
		return 0, nil, err
	}
	if p, ok := found.PaymentByRef(ref); ok && givenBack(p) {
		return http.StatusOK, automaticRefund(found, p), only(r.URL.Query())
	}
	return 0, nil, sandbox.NotFound("entity")
}

func (a api) getDispute(r *http.Request) (int, any, error) {
	found, id, err := a.find(r, disputePrefix)
	if err != nil {
		return 0, nil, err
	}
	d, ok := found.DisputeByRef(id)
	if !ok {
		return 0, nil, sandbox.NotFound("entity")
	}
	return http.StatusOK, disputeOf(found, d), only(r.URL.Query())
}

// refundRequest is the body of POST /payments/{id}/refund.
type refundRequest struct {
	Amount  jsontext.Value `json:"amount"`
	Speed   string         `json:"speed"`
	Notes   notes          `json:"notes"`
	Receipt string         `json:"receipt"`
}

var refundKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

const (
	refundKeyHeader = "X-Refund-Idempotency"
	minRefundKey    = 10
	maxRefundKey    = 200
)

// createRefund gives money of one payment back; without an amount, all that is left.
func (a api) createRefund(r *http.Request) (int, any, error) {
	var q refundRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	found, p, err := a.findPayment(r)
	if err != nil {
		return 0, nil, err
	}
	n := sandbox.NewRefund{Dialect: Name, Ref: p.Ref, PaymentID: p.ID, All: q.Amount == nil}
	switch key := r.Header.Get(refundKeyHeader); {
	case key == "":
	case len(key) < minRefundKey:
		return 0, nil, bad("The idempotency key must be at least 10 characters long.")
	case !refundKey.MatchString(key) || len(key) > maxRefundKey:
		return 0, nil, bad("The idempotency key must only contain alphanumeric characters, underscores, and hyphens")
	default:
		n.Key = p.Ref + " " + key // a key counts for the payment that it came with
	}
	if q.Speed != "" && q.Speed != "normal" && q.Speed != "optimum" {
		return 0, nil, bad("speed: must be normal or optimum")
	}
	if err := q.Notes.check(); err != nil {
		return 0, nil, err
	}
	if !n.All {
		if n.Amount, err = ours(q.Amount, found.Currency); err != nil {
			return 0, nil, bad("%s", err)
		}
	}
	if p.Captured.Sign() == 0 {
		return 0, nil, bad("The payment status should be captured for action to be taken")
	}
	n.Reason = q.Notes["reason"]
	if utf8.RuneCountInString(n.Reason) > maxNote {
		n.Reason = ""
	}
	if n.Extra, err = json.Marshal(refundExtra{q.Notes, q.Receipt, q.Speed}, json.Deterministic(true)); err != nil {
		return 0, nil, err
	}
	f, record, err := a.Refund(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, refundOf(record, f), nil
}
