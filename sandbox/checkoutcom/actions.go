package checkoutcom

import (
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/sandbox"
)

// action is something that was done to a payment.
type action struct {
	ID              string         `json:"id"`
	Type            string         `json:"type"`
	ProcessedOn     instant        `json:"processed_on"`
	Amount          minor          `json:"amount"`
	Approved        bool           `json:"approved"`
	ResponseCode    string         `json:"response_code,omitzero"`
	ResponseSummary string         `json:"response_summary,omitzero"`
	Reference       string         `json:"reference,omitzero"`
	Metadata        jsontext.Value `json:"metadata,omitzero"`
}

// The answers of banks.
const (
	approvedCode, approvedWords = "10000", "Approved"
	declinedCode, declinedWords = "20051", "Insufficient Funds"
)

// listActions tells what was done to a payment, the newest first.
func (a api) listActions(r *http.Request) (int, any, error) {
	found, p, err := a.find(r)
	if err != nil {
		return 0, nil, err
	}
	x := sandbox.Kept[extra](found.Extra)
	first := action{
		ID: derived("act_", authorization, p.ID), Type: "Authorization", ProcessedOn: instant(p.CreatedAt),
		Amount: units.To(p.Amount, found.Currency), Reference: x.Reference, Metadata: x.Metadata,
	}
	done := func(c action) action {
		c.Approved, c.ResponseCode, c.ResponseSummary = true, approvedCode, approvedWords
		return c
	}
	list := []action{first}
	switch {
	case p.Status == sandbox.AttemptFailed:
		list[0].ResponseCode, list[0].ResponseSummary = declinedCode, declinedWords
	case p.Status != sandbox.AttemptConfirming:
		list[0] = done(first)
	}
	if p.Captured.Sign() > 0 {
		list = append(list, done(action{
			ID: derived("act_", capture, p.ID), Type: "Capture", ProcessedOn: instant(p.UpdatedAt),
			Amount: units.To(p.Captured, found.Currency), Reference: x.Reference, Metadata: x.Metadata,
		}))
	}
	if p.Status == sandbox.AttemptCancelled {
		list = append(list, done(action{
			ID: derived("act_", void, p.ID), Type: "Void", ProcessedOn: instant(p.UpdatedAt),
			Amount: units.To(p.Amount.Sub(p.Captured), found.Currency), Reference: x.Reference,
		}))
	}
	for _, f := range found.Refunds {
		if f.PaymentID == p.ID {
			y := sandbox.Kept[refundExtra](f.Extra)
			list = append(list, done(action{
				ID: f.Ref, Type: "Refund", ProcessedOn: instant(f.CreatedAt), Amount: units.To(f.Amount, found.Currency),
				Reference: y.Reference, Metadata: y.Metadata,
			}))
		}
	}
	slices.Reverse(list)
	return http.StatusOK, list, query(r).done()
}

// refundRequest is the body of POST /payments/{id}/refunds; without an amount it is
// about all there is.
type refundRequest struct {
	Amount    *minor         `json:"amount"`
	Reference string         `json:"reference"`
	Metadata  jsontext.Value `json:"metadata"`
}

// refundExtra is what a refund's request says and its action repeats.
type refundExtra struct {
	Reference string         `json:"reference"`
	Metadata  jsontext.Value `json:"metadata,omitzero"`
}

// accepted answers what is carried out later, as far as the caller knows.
type accepted struct {
	ActionID  string          `json:"action_id"`
	Reference string          `json:"reference,omitzero"`
	Links     map[string]link `json:"_links"`
}

func (a api) createRefund(r *http.Request) (int, any, error) {
	var q refundRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	found, p, err := a.find(r)
	if err != nil {
		return 0, nil, err
	}
	n := sandbox.NewRefund{
		Dialect: Name, Ref: p.Ref, PaymentID: p.ID, Key: r.Header.Get("Cko-Idempotency-Key"), All: q.Amount == nil,
	}
	switch {
	case len(q.Reference) > maxReference:
		return 0, nil, invalid("reference_invalid", "must have at most 50 characters")
	case q.Metadata != nil && q.Metadata.Kind() != '{':
		return 0, nil, invalid("metadata_invalid", "must be an object")
	case q.Amount != nil:
		if n.Amount, err = units.From(q.Amount.Amount, found.Currency); err != nil {
			return 0, nil, invalid("amount_invalid", err.Error())
		}
	}
	if n.Extra, err = json.Marshal(refundExtra{q.Reference, q.Metadata}, json.Deterministic(true)); err != nil {
		return 0, nil, err
	}
	f, _, err := a.Refund(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	links := map[string]link{"payment": {a.address("/payments/" + p.Ref)}}
	return http.StatusAccepted, accepted{f.Ref, q.Reference, links}, nil
}
