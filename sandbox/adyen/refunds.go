package adyen

import (
	"net/http"
	"slices"
	"unicode/utf8"

	"onceshop/sandbox"
)

// refundRequest is the body of POST /payments/{pspReference}/refunds.
type refundRequest struct {
	Amount          *amount `json:"amount"`
	MerchantAccount string  `json:"merchantAccount"`
	Reason          string  `json:"merchantRefundReason"`
	Reference       string  `json:"reference"`
}

// reasons are those that a refund may have.
var reasons = []string{"", "FRAUD", "CUSTOMER REQUEST", "RETURN", "DUPLICATE", "OTHER"}

// received answers a request that is carried out later, as far as the caller knows.
type received struct {
	Amount          amount `json:"amount"`
	MerchantAccount string `json:"merchantAccount"`
	Reason          string `json:"merchantRefundReason,omitzero"`
	Payment         string `json:"paymentPspReference"`
	PSPReference    string `json:"pspReference"`
	Reference       string `json:"reference,omitzero"`
	Status          string `json:"status"`
}

func (a api) createRefund(r *http.Request) (int, any, error) {
	key, err := idempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var q refundRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	if err := q.check(); err != nil {
		return 0, nil, err
	}
	if err := a.isOurs(q.MerchantAccount); err != nil {
		return 0, nil, err
	}
	psp := r.PathValue("psp")
	found, err := a.Get(r.Context(), Name, psp)
	p, ok := found.PaymentByRef(psp)
	if sandbox.IsNotFound(err) || err == nil && !ok {
		err = invalid(noPayment, "Original pspReference required for this operation")
	}
	if err != nil {
		return 0, nil, err
	}
	if q.Amount.Currency != found.Currency {
		return 0, nil, invalid(invalidCurrency, "the payment is in another currency")
	}
	n := sandbox.NewRefund{Dialect: Name, Ref: psp, PaymentID: p.ID, Key: key, Reason: q.Reason, Extra: []byte(q.Reference)}
	if n.Amount, err = units.From(q.Amount.Value.Amount, q.Amount.Currency); err != nil {
		return 0, nil, invalid(invalidAmount, err.Error())
	}
	f, _, err := a.Refund(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, received{*q.Amount, a.account, q.Reason, psp, f.Ref, q.Reference, "received"}, nil
}

func (q refundRequest) check() error {
	switch {
	case q.Amount == nil:
		return invalid(noAmount, "No amount specified")
	case utf8.RuneCountInString(q.Reference) > maxReference:
		return invalid(badRequest, "the reference must have at most 80 characters")
	case !slices.Contains(reasons, q.Reason):
		return invalid(badRequest, "there is no such merchantRefundReason")
	}
	return nil
}
