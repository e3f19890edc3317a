package checkoutcom

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// attempt is Checkout.com's record of one attempt to pay, which it calls a
// payment. A hosted page may see several.
type attempt struct {
	id        wire.Ref
	reference wire.Text
	status    wire.Word
	amount    wire.Integer // what was asked for
	currency  wire.Word
	balances  balances
	refunds   []action // none before they were asked for
}

func newAttempt() attempt {
	return attempt{status: wire.State(), currency: wire.Currency()}
}

func (t *attempt) Read(dec *jsontext.Decoder) error {
	err := wire.Members{
		"id":        &t.id,
		"reference": &t.reference,
		"status":    &t.status,
		"amount":    &t.amount,
		"currency":  &t.currency,
		"balances":  &t.balances,
	}.Read(dec)
	switch {
	case err != nil:
		return err
	case !isPaymentID(string(t.id)):
		return wire.Faultf("has a payment without an id")
	case t.status.S == "":
		return wire.Faultf("has a payment without a status")
	case !t.amount.Given:
		return wire.Faultf("has a payment without an amount")
	case t.currency.S == "":
		return wire.Faultf("has a payment without a currency")
	}
	return nil
}

// merchant is the reference that the payment was made with, "" if it has none, or
// one that can't be told from an id of Checkout.com: then it stands alone.
func (t *attempt) merchant() string {
	if !wire.IsRef(t.reference.S) || isPaymentID(t.reference.S) {
		return ""
	}
	return t.reference.S
}

// balances are a payment's running totals, in events and in records.
type balances struct{ authorised, captured, refunded, refundable wire.Integer }

func (b *balances) Read(dec *jsontext.Decoder) error {
	return wire.Members{
		"total_authorized":    &b.authorised,
		"total_captured":      &b.captured,
		"total_refunded":      &b.refunded,
		"available_to_refund": &b.refundable,
	}.Read(dec)
}

// told tells whether the balances say how much was captured and given back.
func (b *balances) told() bool { return b.captured.Given && b.refunded.Given }

// holds is how much can be given back.
func (b *balances) holds() payment.Amount {
	held := b.captured.Sub(b.refunded.Amount)
	if b.refundable.Given && b.refundable.Cmp(held) < 0 {
		return b.refundable.Amount
	}
	return held
}

// word is the status without regard to case and to how its words are joined, as
// both differ between parts of the API.
func (t *attempt) word() string { return strings.ReplaceAll(strings.ToLower(t.status.S), "_", " ") }

// hasMoney tells whether money was captured, so that the balances are needed: of
// the states that we know, these have it, and of one that we don't know it may.
func (t *attempt) hasMoney() bool {
	switch t.state() {
	case payment.Pending, payment.Confirming, payment.Failed, payment.Expired:
		return false
	}
	return t.word() != "authorized"
}

// state is what the attempt's own status means. Whether captured is paid, the
// amounts decide: here it is no more than authorised.
func (t *attempt) state() payment.Status {
	switch t.word() {
	case "pending", "requested", "active":
		return payment.Pending
	case "capture pending":
		return payment.Confirming
	case "authorized", "partially captured", "captured", "paid", "partially refunded", "refunded":
		return payment.Authorised
	case "declined", "canceled", "cancelled", "voided":
		return payment.Failed
	case "expired":
		return payment.Expired
	}
	return payment.Status(t.status.S)
}

// unknown is the rank of a word that we don't know. It may promise anything.
const unknown = 3

// rank orders the states of attempts by how much they promise.
func rank(s payment.Status) int {
	switch s {
	case payment.Failed, payment.Expired:
		return 1
	case payment.Pending:
		return 2
	case payment.Confirming, payment.Authorised:
		return 4
	}
	return unknown
}

// whole is a number of minor units that may be written with a fraction of zeros:
// the description of disputes has "number" where that of payments has "integer".
type whole struct{ wire.Integer }

// Read refuses any fraction but zero.
func (n *whole) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return wire.Skip(dec)
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return wire.Syntax(dec, err)
	}
	digits, fraction, _ := strings.Cut(string(raw), ".")
	amount, err := payment.ParseAmount(digits)
	if err != nil || amount.Sign() < 0 || strings.Trim(fraction, "0") != "" {
		return wire.Faultf("is not a whole number")
	}
	n.Integer = wire.Integer{Amount: amount, Given: true}
	return nil
}
