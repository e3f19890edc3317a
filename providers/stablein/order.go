package stablein

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// order is StableIn's record of one payment, as events repeat it and the API
// answers it.
type order struct {
	id                         wire.Ref
	merchantOrderID            wire.LenientText
	revision                   wire.Number
	paymentStatus              wire.Word
	refundStatus               wire.Word
	amount, received, refunded wire.Number
	currency                   wire.Word
	confirmations              wire.Number
	decision                   wire.Word
	risk                       risk
}

func newOrder() order {
	return order{
		paymentStatus: wire.State(), refundStatus: wire.State(), currency: wire.Currency(), decision: wire.State(),
		risk: risk{serviceStatus: wire.State(), chainEnforcement: wire.State()},
	}
}

func (o *order) Read(dec *jsontext.Decoder) error { return o.members().Read(dec) }

func (o *order) members() wire.Members {
	return wire.Members{
		"id":                  &o.id,
		"merchantOrderId":     &o.merchantOrderID,
		"revision":            &o.revision,
		"paymentStatus":       &o.paymentStatus,
		"refundStatus":        &o.refundStatus,
		"amount":              &o.amount,
		"receivedAmount":      &o.received,
		"refundedAmount":      &o.refunded,
		"currency":            &o.currency,
		"confirmations":       &o.confirmations,
		"fulfillmentDecision": &o.decision,
		"merchantRisk":        &o.risk,
	}
}

type risk struct {
	serviceStatus, chainEnforcement wire.Word
	assessedAt, validUntil          wire.Instant
}

func (r *risk) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"serviceStatus":    &r.serviceStatus,
		"chainEnforcement": &r.chainEnforcement,
		"assessedAt":       &r.assessedAt,
		"validUntil":       &r.validUntil,
	}.Read(dec)
}

// snapshot demands what the shop decides by. The rules for what is absent are
// in the package's documentation.
func (o *order) snapshot() (payment.Snapshot, error) {
	switch {
	case o.id == "":
		return payment.Snapshot{}, wire.Faultf("has no id")
	case !o.revision.Given:
		return payment.Snapshot{}, wire.Faultf("has no revision")
	case o.paymentStatus.S == "":
		return payment.Snapshot{}, wire.Faultf("has no paymentStatus")
	case !o.amount.Given:
		return payment.Snapshot{}, wire.Faultf("has no amount")
	case !isCode(o.currency.S):
		return payment.Snapshot{}, wire.Faultf("has no currency code")
	}
	confirmations, err := strconv.ParseInt(o.confirmations.String(), 10, 32)
	if err != nil {
		return payment.Snapshot{}, wire.Faultf("has more confirmations than any chain")
	}
	s := payment.Snapshot{
		Ref:           string(o.id),
		OrderRef:      string(o.merchantOrderID),
		Revision:      o.revision.Amount,
		Status:        payment.Status(o.paymentStatus.S),
		RefundStatus:  payment.RefundStatus(o.refundStatus.S),
		Amount:        o.amount.Amount,
		Received:      o.received.Amount,
		Refunded:      o.refunded.Amount,
		Currency:      o.currency.S,
		Confirmations: int(confirmations),
		Risk: payment.Risk{
			// The word for no assessment isn't StableIn's to say: it allows nothing.
			Decision:         payment.Assessed(o.decision.S),
			ServiceStatus:    payment.Assessed(o.risk.serviceStatus.S),
			ChainEnforcement: payment.Assessed(o.risk.chainEnforcement.S),
			AssessedAt:       o.risk.assessedAt.Pointer(),
			ValidUntil:       o.risk.validUntil.Pointer(),
		},
	}
	if s.RefundStatus == "" {
		s.RefundStatus = payment.NotRefunded
	}
	if !o.received.Given && s.Status == payment.Paid {
		s.Received = s.Amount
	}
	return s, nil
}

func isCode(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
