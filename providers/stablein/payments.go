package stablein

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/payment"
)

// Create asks for a hosted payment. The same key again returns the same one.
// An answer that isn't about the order, amount and currency asked for is not
// passed on: the buyer would pay for something else.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	body := map[string]string{
		"merchantOrderId": c.OrderRef,
		"amount":          c.Amount.String(),
		"currency":        c.Currency,
		"description":     c.Description,
		"returnUrl":       c.ReturnURL,
		"cancelUrl":       c.CancelURL,
	}
	if !c.ExpiresAt.IsZero() {
		body["expiresAt"] = c.ExpiresAt.UTC().Format(time.RFC3339Nano)
	}
	data, err := a.post(ctx, call{what: what, path: "/v1/orders", key: c.IdempotencyKey}, body)
	if err != nil {
		return payment.Created{}, err
	}
	ans, s, err := readAnswer(what, data)
	switch {
	case err != nil:
		return payment.Created{}, err
	case s.OrderRef != "" && s.OrderRef != c.OrderRef, s.Amount.Cmp(c.Amount) != 0, s.Currency != c.Currency:
		return payment.Created{}, unreadable(what, "is about another order, amount or currency")
	case !isPage(ans.paymentURL.s):
		return payment.Created{}, unreadable(what, "has no paymentUrl with http or https")
	}
	return payment.Created{Ref: s.Ref, URL: ans.paymentURL.s}, nil
}

// Fetch reads the payment's current record.
func (a *Adapter) Fetch(ctx context.Context, ref string) (payment.Snapshot, error) {
	const what = "fetch a payment"
	path, err := orderPath(what, ref)
	if err != nil {
		return payment.Snapshot{}, err
	}
	data, err := a.do(ctx, call{what: what, method: http.MethodGet, path: path, namesPayment: true})
	if err != nil {
		return payment.Snapshot{}, err
	}
	return readAnswerAbout(what, ref, data)
}

// Refund gives amount of a payment back and returns the payment's record
// afterwards. The same key again refunds nothing more.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, amount payment.Amount, reason string) (payment.Snapshot, error) {
	const what = "refund a payment"
	path, err := orderPath(what, ref)
	switch {
	case err != nil:
		return payment.Snapshot{}, err
	case amount.Sign() <= 0:
		return payment.Snapshot{}, refused(what, "the amount isn't positive")
	}
	body := map[string]string{"amount": amount.String(), "reason": reason}
	data, err := a.post(ctx, call{what: what, path: path + "/refunds", key: idempotencyKey, namesPayment: true}, body)
	if err != nil {
		return payment.Snapshot{}, err
	}
	return readAnswerAbout(what, ref, data)
}

func (a *Adapter) post(ctx context.Context, c call, body map[string]string) ([]byte, error) {
	if !sendable(c.key) {
		return nil, refused(c.what, "the idempotency key is empty, too long or can't be a header")
	}
	data, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return nil, refused(c.what, "a text isn't valid UTF-8")
	}
	c.method, c.body = http.MethodPost, data
	return a.do(ctx, c)
}

// orderPath refuses what could name another path than the payment's.
func orderPath(what, ref string) (string, error) {
	if !isRef(ref) || ref == "." || ref == ".." {
		return "", &callError{what: what, why: "its reference isn't one of StableIn's", kind: payment.ErrNotFound}
	}
	return "/v1/orders/" + url.PathEscape(ref), nil
}
