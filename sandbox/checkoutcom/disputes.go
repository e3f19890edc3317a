package checkoutcom

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/sandbox"
)

// evidenceTime is how long a merchant may answer.
const evidenceTime = 10 * 24 * time.Hour

// disputed is what events and lists say of a dispute alike.
type disputed struct {
	ID                 string  `json:"id"`
	Category           string  `json:"category"`
	Amount             minor   `json:"amount"`
	Currency           string  `json:"currency"`
	ReasonCode         string  `json:"reason_code"`
	PaymentID          string  `json:"payment_id"`
	PaymentActionID    string  `json:"payment_action_id"`
	PaymentReference   string  `json:"payment_reference,omitzero"`
	PaymentMethod      string  `json:"payment_method"`
	EvidenceRequiredBy instant `json:"evidence_required_by"`
}

// categories are those that a dispute may have, with a code that a bank gives for it.
var categories = map[string]string{
	"general": "13.1", "duplicate": "12.6", "fraudulent": "10.4", "unrecognized": "10.4", "incorrect_amount": "12.5",
	"not_as_described": "13.3", "credit_not_issued": "13.7", "canceled_recurring": "13.2", "product_service_not_received": "13.1",
}

func disputedOf(r sandbox.Record, d sandbox.Dispute) disputed {
	p, _ := r.Payment(d.PaymentID)
	category := d.Reason
	if categories[category] == "" {
		category = "general"
	}
	return disputed{
		ID: d.Ref, Category: category, Amount: units.To(d.Amount, r.Currency), Currency: r.Currency, ReasonCode: categories[category],
		PaymentID: p.Ref, PaymentActionID: derived("act_", capture, p.ID), PaymentReference: sandbox.Kept[extra](r.Extra).Reference,
		PaymentMethod: "VISA", EvidenceRequiredBy: instant(d.CreatedAt.Add(evidenceTime)),
	}
}

// dispute is one in a list.
type dispute struct {
	disputed
	Status     string  `json:"status"`
	ReceivedOn instant `json:"received_on"`
	LastUpdate instant `json:"last_update"`
}

func disputeStatus(d sandbox.Dispute) string {
	if d.Status == payment.DisputeOpen {
		return "evidence_required"
	}
	return string(d.Status) // won, lost
}

// disputeList is a page of disputes, with what was asked for.
type disputeList struct {
	Limit            int       `json:"limit"`
	Skip             int       `json:"skip"`
	From             *instant  `json:"from,omitzero"`
	To               *instant  `json:"to,omitzero"`
	ID               string    `json:"id,omitzero"`
	Statuses         string    `json:"statuses,omitzero"`
	PaymentID        string    `json:"payment_id,omitzero"`
	PaymentReference string    `json:"payment_reference,omitzero"`
	TotalCount       int       `json:"total_count"`
	Data             []dispute `json:"data"`
}

// maxDisputes is more than a practice platform sees.
const maxDisputes = 10_000

// listDisputes finds disputes, those that changed last first. A window is about
// their last change.
func (a api) listDisputes(r *http.Request) (int, any, error) {
	p := query(r)
	out := disputeList{
		Limit: p.number("limit", 50, 1, 250), Skip: p.number("skip", 0, 0, maxSkip), ID: p.text("id"), Statuses: p.text("statuses"),
		PaymentID: p.text("payment_id"), PaymentReference: p.text("payment_reference"), Data: []dispute{},
	}
	from, to := p.instant("from"), p.instant("to")
	if err := p.done(); err != nil {
		return 0, nil, err
	}
	out.From, out.To = sandbox.OrNull(instant(from)), sandbox.OrNull(instant(to))
	w := sandbox.Window{Dialect: Name, MerchantRef: out.PaymentReference, Order: out.PaymentID, Limit: maxDisputes}
	found, err := a.List(r.Context(), sandbox.DisputeKind, w)
	if err != nil {
		return 0, nil, err
	}
	wanted := strings.Split(out.Statuses, ",")
	found = slices.DeleteFunc(found, func(f sandbox.Found) bool {
		d, said := f.Dispute, disputedOf(f.Record, *f.Dispute)
		return !from.IsZero() && d.UpdatedAt.Before(from) || !to.IsZero() && d.UpdatedAt.After(to) ||
			out.ID != "" && said.ID != out.ID || out.PaymentID != "" && said.PaymentID != out.PaymentID ||
			out.PaymentReference != "" && said.PaymentReference != out.PaymentReference ||
			out.Statuses != "" && !slices.Contains(wanted, disputeStatus(*d))
	})
	slices.SortStableFunc(found, func(a, b sandbox.Found) int {
		return cmp.Or(b.Dispute.UpdatedAt.Compare(a.Dispute.UpdatedAt), cmp.Compare(b.Dispute.ID, a.Dispute.ID))
	})
	out.TotalCount = len(found)
	for _, f := range paged(found, out.Skip, out.Limit) {
		out.Data = append(out.Data, dispute{
			disputedOf(f.Record, *f.Dispute), disputeStatus(*f.Dispute), instant(f.Dispute.CreatedAt), instant(f.Dispute.UpdatedAt),
		})
	}
	return http.StatusOK, out, nil
}
