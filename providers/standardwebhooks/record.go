package standardwebhooks

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// record is a payment as the API answers it.
type record struct {
	ref                        wire.Ref
	orderRef                   wire.LenientText
	status, currency           wire.Word
	amount, received, refunded wire.Integer
	refunds                    []payment.Refund
	disputes                   []payment.Dispute
}

// Read reads a payment.
func (r *record) Read(dec *jsontext.Decoder) error {
	r.status, r.currency = wire.State(), wire.Currency()
	return wire.Members{
		"payment_ref":          &r.ref,
		"order_ref":            &r.orderRef,
		"status":               &r.status,
		"amount_minor":         &r.amount,
		"received_minor":       &r.received,
		"refunded_total_minor": &r.refunded,
		"currency":             &r.currency,
		"refunds": &wire.List{Each: func(dec *jsontext.Decoder) error {
			f, err := readRefund(dec)
			r.refunds = append(r.refunds, f)
			return err
		}},
		"disputes": &wire.List{Each: func(dec *jsontext.Decoder) error {
			d, err := readDispute(dec)
			r.disputes = append(r.disputes, d)
			return err
		}},
	}.Read(dec)
}

// snapshot demands what the shop decides by. The rules for what is absent are in
// the package's documentation.
func (r *record) snapshot() (payment.Snapshot, error) {
	_, known := payment.Exponent(r.currency.S)
	switch {
	case r.ref == "":
		return payment.Snapshot{}, wire.Faultf("has no payment_ref")
	case r.status.S == "":
		return payment.Snapshot{}, wire.Faultf("has no status")
	case !r.amount.Given:
		return payment.Snapshot{}, wire.Faultf("has no amount_minor")
	case !known:
		return payment.Snapshot{}, wire.Faultf("has no currency that we know")
	}
	s := payment.Snapshot{
		Ref:          string(r.orderRef),
		OrderRef:     string(r.orderRef),
		Status:       payment.Status(r.status.S),
		RefundStatus: payment.RefundStatusOf(r.refunded.Amount, r.amount.Amount),
		Amount:       r.amount.Amount,
		Received:     r.received.Amount,
		Refunded:     r.refunded.Amount,
		Currency:     r.currency.S,
		Risk:         payment.NotAssessed(),
		Refunds:      r.refunds,
		Disputes:     r.disputes,
	}
	if s.Ref == "" {
		s.Ref = string(r.ref)
	}
	if !r.received.Given && s.Status == payment.Paid {
		s.Received = s.Amount
	}
	seen := map[string]bool{}
	for _, f := range s.Refunds {
		if seen[f.Ref] {
			return s, wire.Faultf("names a refund twice")
		}
		seen[f.Ref] = true
		if f.Status == payment.RefundFailed {
			s.Reversed = s.Reversed.Add(f.Amount)
		}
	}
	seen = map[string]bool{}
	for _, d := range s.Disputes {
		if seen[d.Ref] {
			return s, wire.Faultf("names a dispute twice")
		}
		seen[d.Ref] = true
	}
	return s, nil
}

func readRefund(dec *jsontext.Decoder) (payment.Refund, error) {
	var ref wire.Ref
	var amount wire.Integer
	status := wire.State()
	err := wire.Members{"refund_ref": &ref, "amount_minor": &amount, "status": &status}.Read(dec)
	f := payment.Refund{Ref: string(ref), Amount: amount.Amount, Status: payment.RefundState(status.S)}
	switch {
	case err != nil:
		return f, err
	case ref == "" || !amount.Given:
		return f, wire.Faultf("has a refund without refund_ref or amount_minor")
	}
	switch f.Status {
	case payment.RefundPending, payment.RefundDone, payment.RefundFailed:
		return f, nil
	}
	return f, wire.Faultf("has a refund that is neither pending nor done nor failed")
}

func readDispute(dec *jsontext.Decoder) (payment.Dispute, error) {
	var ref wire.Ref
	var amount wire.Integer
	var reason wire.LenientText
	status := wire.State()
	err := wire.Members{"dispute_ref": &ref, "amount_minor": &amount, "reason": &reason, "status": &status}.Read(dec)
	d := payment.Dispute{Ref: string(ref), Amount: amount.Amount, Reason: string(reason), Status: payment.DisputeStatus(status.S)}
	switch {
	case err != nil:
		return d, err
	case ref == "" || !amount.Given:
		return d, wire.Faultf("has a dispute without dispute_ref or amount_minor")
	}
	switch d.Status {
	case payment.DisputeOpen, payment.DisputeWon, payment.DisputeLost:
		return d, nil
	}
	return d, wire.Faultf("has a dispute that is neither open nor won nor lost")
}
