package adyen

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

type modification struct {
	Amount          amount `json:"amount"`
	MerchantAccount string `json:"merchantAccount"`
	Reference       string `json:"reference"`
}

// Refund asks for amount of a payment to be given back. The same key again asks for
// nothing more, also after the request came to nothing: Adyen only repeats its answer.
// That says that it has received the request; what became of it, an event tells, which
// carries the reference sent here: it is the payment's own, so that the event finds its
// payment. Adyen takes no reasons in free words.
func (a *Adapter) Refund(ctx context.Context, idempotencyKey, ref string, back payment.Amount, _ string) error {
	const what = "refund a payment"
	switch {
	case back.Sign() <= 0:
		return a.api.Refused(what, "the amount isn't positive")
	case a.told == nil:
		return a.api.Refused(what, "nobody tells which payment of Adyen's it is")
	}
	events, err := a.told(ctx, ref)
	if err != nil {
		return fmt.Errorf("%s: %s: the stored events can't be read: %w: %w", Name, what, payment.ErrLater, err)
	}
	from, err := a.holder(ref, events, back)
	if err != nil {
		return fmt.Errorf("%s: %s: %w: %w", Name, what, payment.ErrRefused, err)
	}
	asked, err := theirs(payment.Money{Amount: back, Currency: from.currency})
	if err != nil {
		return a.api.Refused(what, err.Error())
	}
	var status, psp wire.Text
	err = a.post(ctx, call.Request{What: what, Path: "/payments/" + url.PathEscape(from.psp) + "/refunds", NamesPayment: true}, idempotencyKey,
		modification{amount{from.currency, jsontext.Value(asked.String())}, from.account, ref},
		wire.Members{"status": &status, "paymentPspReference": &psp})
	if err != nil {
		return err
	}
	if status.S != "received" || psp.Given && psp.S != from.psp {
		return a.api.Unreadable(what, "doesn't say that the refund of this payment was received")
	}
	return nil
}

// holder is the payment of Adyen's that holds the money.
type holder struct{ psp, account, currency string }

// holder finds the payment that amount can be given back from: the one that holds
// the most, where an order was paid more than once.
func (a *Adapter) holder(ref string, events []payment.Event, amount payment.Amount) (holder, error) {
	facts, err := readFacts(events)
	if err != nil {
		return holder{}, err
	}
	facts = about(ref, facts)
	told := currencies(facts)
	switch {
	case uncounted(facts) != "" || len(told) > 1:
		return holder{}, errors.New("its money can't be counted")
	case len(told) == 0:
		return holder{}, errors.New("no event tells of it")
	}
	l := newLedger(facts, told[0], a.automatic)
	var found *attempt
	var most payment.Amount
	for _, p := range l.each() {
		refunded, _ := l.givenBack(p)
		held := l.gross(p).Sub(l.takenBack(p)).Sub(refunded)
		if isPart(p.ref, maxReference) && held.Cmp(amount) >= 0 && held.Cmp(most) > 0 {
			found, most = p, held
		}
	}
	if found == nil {
		return holder{}, errors.New("no payment under this reference holds as much")
	}
	return holder{found.ref, found.account, told[0]}, nil
}
