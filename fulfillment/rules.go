package fulfillment

import (
	"time"

	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

// Facts is what the rules look at.
type Facts struct {
	PaymentStatus payment.Status
	RefundStatus  payment.RefundStatus
	Amount        payment.Amount
	Dispute       payment.DisputeStatus
	Refunded      payment.Amount
	Risk          payment.Risk
	Revision      payment.Amount // of the snapshot that we act on
	Recorded      payment.Amount // the newest that we know of
	Review        string         // why a person has to look first; empty: nothing
	Now           time.Time      // the database's clock
}

// CanFulfill reports, clause by clause, whether an order may be delivered: all of
// them have to hold. A word we don't know counts as no.
func CanFulfill(f Facts) []payment.Clause {
	until := "no end"
	if f.Risk.ValidUntil != nil {
		until = "valid until " + f.Risk.ValidUntil.UTC().Format("2006-01-02 15:04:05 UTC")
	}
	assessed := f.Risk.Decision != "" && f.Risk.ServiceStatus != "" && f.Risk.ChainEnforcement != ""
	switch {
	case !assessed:
		until = "not assessed"
	case f.Risk == payment.NotAssessed():
		until = "not assessed by this provider"
	}
	word := func(name, has, wants string) payment.Clause {
		return payment.Clause{Name: name, Has: orNone(has), Wants: wants, OK: has == wants}
	}
	risk := func(name, has, wants string) payment.Clause {
		if has == payment.Unassessed {
			return payment.Clause{Name: name, Has: "not assessed by this provider", Wants: wants, OK: true}
		}
		return word(name, has, wants)
	}
	return []payment.Clause{
		word("Payment", string(f.PaymentStatus), string(payment.Paid)),
		{Name: "Refund", Has: string(f.RefundStatus), Wants: "not full",
			OK: f.RefundStatus == payment.NotRefunded || f.RefundStatus == payment.PartiallyRefunded},
		{Name: "Refunded amount", Has: f.Refunded.String(), Wants: "less than " + f.Amount.String(), OK: f.Refunded.Cmp(f.Amount) < 0},
		{Name: "Dispute", Has: string(f.Dispute), Wants: "none open or lost",
			OK: f.Dispute == payment.NotDisputed || f.Dispute == payment.DisputeWon},
		{Name: "Risk assessment", Has: until, Wants: "current",
			OK: assessed && (f.Risk.ValidUntil == nil || f.Now.Before(*f.Risk.ValidUntil))},
		risk("Decision", f.Risk.Decision, payment.DecisionAllow),
		risk("Merchant service", f.Risk.ServiceStatus, payment.ServiceEnabled),
		risk("Chain enforcement", f.Risk.ChainEnforcement, payment.ChainAllowed),
		{Name: "Provider revision", Has: f.Revision.String(), Wants: "at least " + f.Recorded.String(), OK: f.Revision.Cmp(f.Recorded) >= 0},
		{Name: "Review", Has: orNone(f.Review), Wants: "none", OK: f.Review == ""},
	}
}

// Blocker returns the first clause that doesn't hold, or nil.
func Blocker(clauses []payment.Clause) *payment.Clause {
	for i := range clauses {
		if !clauses[i].OK {
			return &clauses[i]
		}
	}
	return nil
}

// FactsOf reads the facts from an order and its payments. recorded is the
// provider's revision at which the delivery was decided; the zero value asks for
// nothing newer than what is there.
func FactsOf(o db.Order, payments []db.Payment, recorded payment.Amount, now time.Time) Facts {
	f := Facts{
		PaymentStatus: o.PaymentStatus, RefundStatus: o.RefundStatus, Amount: o.Total, Refunded: o.RefundedAmount,
		Dispute: o.DisputeStatus,
		Risk: payment.Risk{Decision: o.FulfillmentDecision, ServiceStatus: o.ServiceStatus,
			ChainEnforcement: o.ChainEnforcement, AssessedAt: o.RiskAssessedAt, ValidUntil: o.RiskValidUntil},
		Recorded: recorded, Review: store.Deref(o.ReviewReason), Now: now,
	}
	for _, p := range payments {
		if o.PaidBy != nil && p.ID == *o.PaidBy {
			f.Revision = p.ProviderRevision
		}
	}
	return f
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
