package checkout

import (
	"context"
	"fmt"
	"strings"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store/db"
)

// Returnable is how much of a payment can still be given back, and what keeps the rest.
type Returnable struct {
	Left     payment.Money
	Disputes []db.Dispute // those that keep some of it, with how much they do
}

// ReturnableOf looks at a payment as it is recorded.
func ReturnableOf(ctx context.Context, q *db.Queries, p db.Payment) (r Returnable, err error) {
	left := p.Received.Sub(p.Refunded)
	if p.DisputeStatus == payment.DisputeOpen || p.DisputeStatus == payment.DisputeLost {
		disputes, err := q.ListDisputesOfPayment(ctx, p.ID)
		if err != nil {
			return r, err
		}
		for _, d := range keeping(p, disputes) {
			r.Disputes = append(r.Disputes, d)
			left = left.Sub(d.Amount)
		}
	}
	r.Left = payment.Money{Amount: left, Currency: p.Currency}
	return r, nil
}

// keeping are the disputes that keep some of a payment, with how much: what is lost is
// with the buyer, and what is open he would get a second time if we lost it. Of one whose
// amount isn't known in the payment's currency it is all that was there.
func keeping(p db.Payment, disputes []db.Dispute) (all []db.Dispute) {
	rest := p.Received.Sub(p.Refunded)
	for _, status := range []payment.DisputeStatus{payment.DisputeLost, payment.DisputeOpen} {
		for _, d := range disputes {
			if d.PaymentID != p.ID || d.Status != status || rest.Sign() <= 0 {
				continue
			}
			if d.Amount.Sign() == 0 || d.Amount.Cmp(rest) > 0 {
				d.Amount = rest
			}
			rest = rest.Sub(d.Amount)
			all = append(all, d)
		}
	}
	return all
}

// Why tells what keeps money that arrived and wasn't given back; empty: nothing.
func (r Returnable) Why() string {
	var causes []string
	for _, d := range r.Disputes {
		money := payment.Money{Amount: d.Amount, Currency: r.Left.Currency}
		if d.Status == payment.DisputeOpen {
			causes = append(causes, fmt.Sprintf("%s are disputed (%s): accept the dispute at the provider, or wait until it is settled", money, d.ProviderRef))
		} else {
			causes = append(causes, fmt.Sprintf("%s were taken back by the buyer's bank (dispute %s)", money, d.ProviderRef))
		}
	}
	return strings.Join(causes, "; ")
}

// Refusal is why more than that isn't given back.
func (r Returnable) Refusal() error {
	words := fmt.Sprintf("Only %s of this payment can be given back", r.Left)
	if r.Left.Amount.Sign() <= 0 {
		words = "This payment holds nothing that could be given back"
	}
	if why := r.Why(); why != "" {
		words += ": " + why
	}
	for _, d := range r.Disputes {
		if d.Status == payment.DisputeOpen {
			return problem.Clash("%s.", words)
		}
	}
	return problem.Bad("amount", "%s.", words)
}
