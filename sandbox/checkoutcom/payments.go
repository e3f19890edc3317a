package checkoutcom

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// balances are the running totals of a payment.
type balances struct {
	Authorized         minor `json:"total_authorized"`
	Voided             minor `json:"total_voided"`
	AvailableToVoid    minor `json:"available_to_void"`
	Captured           minor `json:"total_captured"`
	AvailableToCapture minor `json:"available_to_capture"`
	Refunded           minor `json:"total_refunded"`
	AvailableToRefund  minor `json:"available_to_refund"`
}

// balancesOf are those of one attempt as it is now.
func balancesOf(r sandbox.Record, p sandbox.Payment) balances {
	in := func(a payment.Amount) minor { return units.To(a, r.Currency) }
	refunded := r.RefundedOf(p)
	left := p.Captured.Sub(refunded)
	if left.Sign() < 0 {
		left = payment.Amount{}
	}
	b := balances{Authorized: in(p.Amount), Captured: in(p.Captured), Refunded: in(refunded), AvailableToRefund: in(left)}
	switch rest := in(p.Amount.Sub(p.Captured)); p.Status {
	case sandbox.AttemptAuthorised:
		b.AvailableToVoid, b.AvailableToCapture = rest, rest
	case sandbox.AttemptCancelled:
		b.Voided = rest
	}
	return b
}

// approved reports whether a bank has ever said yes.
func approved(p sandbox.Payment) bool {
	return p.Status != sandbox.AttemptFailed && p.Status != sandbox.AttemptConfirming
}

// status is the word for where an attempt stands.
func status(r sandbox.Record, p sandbox.Payment) string {
	refunded := r.RefundedOf(p)
	switch {
	case p.Status == sandbox.AttemptFailed:
		return "Declined"
	case p.Status == sandbox.AttemptConfirming:
		return "Pending"
	case refunded.Sign() > 0 && refunded.Cmp(p.Captured) >= 0:
		return "Refunded"
	case refunded.Sign() > 0:
		return "Partially Refunded"
	case p.Status == sandbox.AttemptCaptured:
		return "Captured"
	case p.Captured.Sign() > 0:
		return "Partially Captured"
	case p.Status == sandbox.AttemptCancelled:
		return "Voided"
	case p.Status == sandbox.AttemptExpired:
		return "Expired"
	}
	return "Authorized"
}

// paymentJSON is one attempt to pay.
type paymentJSON struct {
	ID          string          `json:"id"`
	RequestedOn instant         `json:"requested_on"`
	Source      source          `json:"source"`
	Amount      minor           `json:"amount"`
	Currency    string          `json:"currency"`
	PaymentType string          `json:"payment_type"`
	Reference   string          `json:"reference,omitzero"`
	Description string          `json:"description,omitzero"`
	Approved    bool            `json:"approved"`
	Status      string          `json:"status"`
	Balances    *balances       `json:"balances,omitzero"`
	Metadata    jsontext.Value  `json:"metadata,omitzero"`
	Links       map[string]link `json:"_links"`
}

type source struct {
	Type   string `json:"type"`
	Scheme string `json:"scheme"`
}

var card = source{"card", "Visa"}

func (a api) payment(r sandbox.Record, p sandbox.Payment) paymentJSON {
	x := sandbox.Kept[extra](r.Extra)
	self := a.address("/payments/" + p.Ref)
	out := paymentJSON{
		ID: p.Ref, RequestedOn: instant(p.CreatedAt), Source: card, Amount: units.To(p.Amount, r.Currency), Currency: r.Currency,
		PaymentType: "Regular", Reference: x.Reference, Description: x.Description, Approved: approved(p), Status: status(r, p),
		Metadata: x.Metadata, Links: map[string]link{"self": {self}, "actions": {self + "/actions"}},
	}
	if out.Approved {
		b := balancesOf(r, p)
		out.Balances = &b
	}
	return out
}

// find returns the attempt in the path.
func (a api) find(r *http.Request) (sandbox.Record, sandbox.Payment, error) {
	found, err := a.Get(r.Context(), Name, r.PathValue("id"))
	p, ok := found.PaymentByRef(r.PathValue("id"))
	if err == nil && !ok {
		err = sandbox.NotFound("thing")
	}
	return found, p, err
}

func (a api) getPayment(r *http.Request) (int, any, error) {
	found, p, err := a.find(r)
	return http.StatusOK, a.payment(found, p), cmp.Or(err, query(r).done())
}

// maxAttempts is more than anybody tries on pages of one reference.
const maxAttempts = 10_000

// paymentList is a page of payments.
type paymentList struct {
	Limit      int           `json:"limit"`
	Skip       int           `json:"skip"`
	TotalCount int           `json:"total_count"`
	Data       []paymentJSON `json:"data"`
}

// listPayments finds the attempts on all pages of one reference.
func (a api) listPayments(r *http.Request) (int, any, error) {
	p := query(r)
	out := paymentList{Limit: p.number("limit", 10, 1, 100), Skip: p.number("skip", 0, 0, maxSkip), Data: []paymentJSON{}}
	reference := p.text("reference")
	if reference == "" {
		return 0, nil, invalid("reference_required", "name the reference")
	}
	if err := p.done(); err != nil {
		return 0, nil, err
	}
	found, err := a.List(r.Context(), sandbox.PaymentKind, sandbox.Window{Dialect: Name, MerchantRef: reference, Limit: maxAttempts})
	if err != nil {
		return 0, nil, err
	}
	// What has no reference is kept under a word of ours.
	found = slices.DeleteFunc(found, func(f sandbox.Found) bool { return sandbox.Kept[extra](f.Record.Extra).Reference != reference })
	out.TotalCount = len(found)
	for _, f := range paged(found, out.Skip, out.Limit) {
		out.Data = append(out.Data, a.payment(f.Record, *f.Payment))
	}
	return http.StatusOK, out, nil
}
