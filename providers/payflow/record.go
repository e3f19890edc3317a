package payflow

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// record is PayFlow's of one payment.
type record struct {
	orderID       wire.Ref
	amount        wire.Integer
	currency      wire.Word
	status        wire.Word
	received      wire.Integer
	refundedTotal wire.Integer
	refunds       parts
	disputes      parts
	updatedAt     wire.Seconds
}

func (r *record) Read(dec *jsontext.Decoder) error {
	r.currency, r.status = wire.Currency(), wire.State()
	return wire.Members{
		"orderId":       &r.orderID,
		"amount":        &r.amount,
		"currency":      &r.currency,
		"status":        &r.status,
		"received":      &r.received,
		"refundedTotal": &r.refundedTotal,
		"refunds":       &r.refunds,
		"disputes":      &r.disputes,
		"updatedAt":     &r.updatedAt,
	}.Read(dec)
}

// part is a refund or a dispute.
type part struct {
	id     wire.Ref
	amount wire.Integer
	status wire.Word
}

func (p *part) Read(dec *jsontext.Decoder) error {
	p.status = wire.State()
	return wire.Members{"id": &p.id, "amount": &p.amount, "status": &p.status}.Read(dec)
}

// parts are all of one kind; given tells none from not told.
type parts struct {
	all   []part
	given bool
}

func (p *parts) Read(dec *jsontext.Decoder) error {
	list := wire.List{Each: func(dec *jsontext.Decoder) error {
		var one part
		if err := one.Read(dec); err != nil {
			return err
		}
		if one.id == "" || !one.amount.Given {
			return wire.Faultf("has an element without id or amount")
		}
		p.all = append(p.all, one)
		return nil
	}}
	err := list.Read(dec)
	p.given = list.Given
	return err
}

// snapshot demands what the shop decides by.
func (r *record) snapshot() (payment.Snapshot, error) {
	status, known := map[string]payment.Status{
		"pending": payment.Pending, "processing": payment.Confirming, "authorized": payment.Authorised,
		"success": payment.Paid, "failed": payment.Failed, "expired": payment.Expired,
	}[r.status.S]
	_, exponent := payment.Exponent(r.currency.S)
	switch {
	case r.orderID == "":
		return payment.Snapshot{}, wire.Faultf("has no orderId")
	case !r.amount.Given:
		return payment.Snapshot{}, wire.Faultf("has no amount")
	case !exponent:
		return payment.Snapshot{}, wire.Faultf("has no currency that we know")
	case !known:
		return payment.Snapshot{}, wire.Faultf("has no status that we know")
	}
	s := payment.Snapshot{
		Ref: string(r.orderID), OrderRef: string(r.orderID), Status: status,
		Amount: r.amount.Amount, Received: r.received.Amount, Refunded: r.refundedTotal.Amount,
		RefundStatus: payment.RefundStatusOf(r.refundedTotal.Amount, r.amount.Amount), Currency: r.currency.S, Risk: payment.NotAssessed(),
	}
	if !r.received.Given && status == payment.Paid {
		s.Received = s.Amount
	}
	if err := r.addRefunds(&s); err != nil {
		return payment.Snapshot{}, err
	}
	return s, r.addDisputes(&s)
}

// addRefunds holds the single refunds against the total, where both are told.
func (r *record) addRefunds(s *payment.Snapshot) error {
	states := map[string]payment.RefundState{"pending": payment.RefundPending, "success": payment.RefundDone, "failed": payment.RefundFailed}
	var done, asked payment.Amount
	for _, p := range r.refunds.all {
		state, known := states[p.status.S]
		switch state {
		case payment.RefundDone:
			done, asked = done.Add(p.amount.Amount), asked.Add(p.amount.Amount)
		case payment.RefundPending:
			asked = asked.Add(p.amount.Amount)
		case payment.RefundFailed:
			s.Reversed = s.Reversed.Add(p.amount.Amount)
		}
		if !known {
			return wire.Faultf("has a refund without a status that we know")
		}
		s.Refunds = append(s.Refunds, payment.Refund{Ref: string(p.id), Amount: p.amount.Amount, Status: state})
	}
	if r.refunds.given && (s.Refunded.Cmp(done) < 0 || s.Refunded.Cmp(asked) > 0) {
		return wire.Faultf("has another refundedTotal than its refunds add up to")
	}
	return nil
}

func (r *record) addDisputes(s *payment.Snapshot) error {
	states := map[string]payment.DisputeStatus{"open": payment.DisputeOpen, "won": payment.DisputeWon, "lost": payment.DisputeLost}
	for _, p := range r.disputes.all {
		status, known := states[p.status.S]
		if !known {
			return wire.Faultf("has a dispute without a status that we know")
		}
		s.Disputes = append(s.Disputes, payment.Dispute{Ref: string(p.id), Amount: p.amount.Amount, Status: status})
	}
	return nil
}
