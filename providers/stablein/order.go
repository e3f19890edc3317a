package stablein

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
)

// order is StableIn's record of one payment, as events repeat it and the API
// answers it.
type order struct {
	id, merchantOrderID        ref
	revision                   number
	paymentStatus              word
	refundStatus               word
	amount, received, refunded number
	currency                   word
	confirmations              number
	decision                   word
	risk                       risk
	updatedAt                  instant
}

// The lengths are those of our records' columns.
func newOrder() order {
	return order{
		paymentStatus: word{max: 32}, refundStatus: word{max: 32}, currency: word{max: 12}, decision: word{max: 32},
		risk: risk{serviceStatus: word{max: 32}, chainEnforcement: word{max: 32}},
	}
}

func (o *order) read(dec *jsontext.Decoder) error { return readObject(dec, o.members()...) }

func (o *order) members() []member {
	return []member{
		{"id", &o.id},
		{"merchantOrderId", &o.merchantOrderID},
		{"revision", &o.revision},
		{"paymentStatus", &o.paymentStatus},
		{"refundStatus", &o.refundStatus},
		{"amount", &o.amount},
		{"receivedAmount", &o.received},
		{"refundedAmount", &o.refunded},
		{"currency", &o.currency},
		{"confirmations", &o.confirmations},
		{"fulfillmentDecision", &o.decision},
		{"merchantRisk", &o.risk},
		{"updatedAt", &o.updatedAt},
	}
}

type risk struct {
	serviceStatus, chainEnforcement word
	assessedAt, validUntil          instant
}

func (r *risk) read(dec *jsontext.Decoder) error {
	return readObject(dec,
		member{"serviceStatus", &r.serviceStatus},
		member{"chainEnforcement", &r.chainEnforcement},
		member{"assessedAt", &r.assessedAt},
		member{"validUntil", &r.validUntil},
	)
}

// snapshot demands what the shop decides by. The rules for what is absent are
// in the package's documentation.
func (o *order) snapshot() (payment.Snapshot, error) {
	switch {
	case o.id == "":
		return payment.Snapshot{}, faultf("has no id")
	case !o.revision.given:
		return payment.Snapshot{}, faultf("has no revision")
	case o.paymentStatus.s == "":
		return payment.Snapshot{}, faultf("has no paymentStatus")
	case !o.amount.given:
		return payment.Snapshot{}, faultf("has no amount")
	case !isCode(o.currency.s):
		return payment.Snapshot{}, faultf("has no currency code")
	}
	confirmations, err := strconv.ParseInt(o.confirmations.String(), 10, 32)
	if err != nil {
		return payment.Snapshot{}, faultf("has more confirmations than any chain")
	}
	s := payment.Snapshot{
		Ref:           string(o.id),
		OrderRef:      string(o.merchantOrderID),
		Revision:      o.revision.Amount,
		Status:        payment.Status(o.paymentStatus.s),
		RefundStatus:  payment.RefundStatus(o.refundStatus.s),
		Amount:        o.amount.Amount,
		Received:      o.received.Amount,
		Refunded:      o.refunded.Amount,
		Currency:      o.currency.s,
		Confirmations: int(confirmations),
		Risk: payment.Risk{
			Decision:         o.decision.s,
			ServiceStatus:    o.risk.serviceStatus.s,
			ChainEnforcement: o.risk.chainEnforcement.s,
			AssessedAt:       o.risk.assessedAt.pointer(),
			ValidUntil:       o.risk.validUntil.pointer(),
		},
		UpdatedAt: o.updatedAt.Time,
	}
	if s.RefundStatus == "" {
		s.RefundStatus = payment.NotRefunded
	}
	if !o.received.given && s.Status == payment.Paid {
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
