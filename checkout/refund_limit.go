package checkout

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store/db"
)

// Returnable is how much of a payment can still be given back, and what keeps the rest.
type Returnable struct {
	Left     payment.Money
	Disputes []db.Dispute // those that keep some of it, with how much they do
	Asked    []Asked      // refunds on their way, the oldest first

	held      payment.Amount // Left and what is asked for
	free      payment.Amount // Left and what was asked for without an answer
	told      payment.Amount
	decisions []*decision
}

// Asked is a refund of an order's payment that was asked for and isn't told of yet.
type Asked struct {
	Amount payment.Amount // what isn't told of
	Since  time.Time      // when it was first asked for
	Taken  bool           // the provider has taken it; otherwise its answer was lost
}

// ReturnableOf looks at an order's payment as it is recorded.
func ReturnableOf(ctx context.Context, q *db.Queries, p db.Payment) (r Returnable, err error) {
	left := p.Received.Sub(p.Refunded)
	if p.DisputeStatus == payment.DisputeOpen || p.DisputeStatus == payment.DisputeLost {
		disputes, err := q.ListDisputesOfPayment(ctx, p.ID)
		if err != nil {
			return r, err
		}
		for _, d := range Keeping(p, disputes) {
			r.Disputes = append(r.Disputes, d)
			left = left.Sub(d.Amount)
		}
	}
	r.held, r.free = left, left
	refunds, err := q.ListRefundsOfPayment(ctx, p.ID)
	if err != nil {
		return r, err
	}
	r.told = told(p, refunds)
	if r.decisions, err = decisions(ctx, q, p); err != nil {
		return r, err
	}
	await(r.decisions, r.told)
	for _, d := range r.decisions {
		if d.untold.Sign() > 0 {
			r.Asked = append(r.Asked, Asked{Amount: d.untold, Since: d.at, Taken: d.taken})
			if left = left.Sub(d.untold); d.taken {
				r.free = r.free.Sub(d.untold)
			}
		}
	}
	r.Left = payment.Money{Amount: left.OrZero(), Currency: p.Currency}
	return r, nil
}

// Again is the amount of the last refund that may be decided once more without giving
// anything back twice, since nobody knows yet what became of it.
func (r Returnable) Again() (amount payment.Amount, ok bool) {
	for _, d := range slices.Backward(r.decisions) {
		if d.isOpen() {
			return d.amount, true
		}
	}
	return amount, false
}

// same is the decision that deciding so much is once more; nil: it is a new one.
func (r Returnable) same(amount payment.Amount) *decision {
	if d := newest(r.decisions, amount); d != nil && d.isOpen() {
		return d
	}
	return nil
}

// Keeping are the disputes that keep some of a payment, with how much: what is lost is
// with the buyer, and what is open he would get a second time if we lost it. Of one whose
// amount isn't known in the payment's currency it is all that was there.
func Keeping(p db.Payment, disputes []db.Dispute) (all []db.Dispute) {
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
	for _, a := range r.Asked {
		money, at := payment.Money{Amount: a.Amount, Currency: r.Left.Currency}, a.Since.UTC().Format("2006-01-02 15:04:05 UTC")
		if a.Taken {
			causes = append(causes, fmt.Sprintf("%s were asked for at %s and aren't told yet as given back", money, at))
		} else {
			causes = append(causes, fmt.Sprintf("%s were asked for at %s without an answer: decide the same once more", money, at))
		}
	}
	return strings.Join(causes, "; ")
}

// check refuses what can't be given back. What the provider has taken is on its way
// already. What it hasn't answered may never come to anything, and mustn't keep the money
// for ever: of a payment no provider gives back more than there is.
func (r Returnable) check(amount payment.Amount, same *decision) error {
	limit := r.free
	if same != nil {
		limit = r.held
	}
	if amount.Cmp(limit) > 0 {
		return r.refusal(limit)
	}
	return nil
}

// Refusal is why more than what is left isn't given back.
func (r Returnable) Refusal() error { return r.refusal(r.Left.Amount) }

func (r Returnable) refusal(limit payment.Amount) error {
	words := fmt.Sprintf("Only %s of this payment can be given back", payment.Money{Amount: limit.OrZero(), Currency: r.Left.Currency})
	if limit.Sign() <= 0 {
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
