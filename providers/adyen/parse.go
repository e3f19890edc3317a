package adyen

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"

	"onceshop/payment"
	"onceshop/providers/wire"
)

// Parse reads the events in raw, one for each item, with the decoder that Verify has
// used on the same bytes. Its errors are payment.ErrMalformed.
func (a *Adapter) Parse(_ http.Header, raw []byte) ([]payment.Event, error) {
	items, err := readItems(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	events := make([]payment.Event, len(items))
	for n, i := range items {
		events[n] = a.event(i)
	}
	return events, nil
}

// event reads an item. Its fingerprint is of the signed fields: repeats may carry a
// later date, and other details.
func (a *Adapter) event(i item) payment.Event {
	e := payment.Event{
		Provider:    Name,
		ID:          identity{i.MerchantAccountCode, i.PSPReference, i.EventCode, i.Success == "true"}.String(),
		Type:        i.EventCode,
		PaymentRef:  i.OriginalReference,
		OccurredAt:  i.date.Time,
		Fingerprint: sha256.Sum256([]byte(i.text())),
		Amount:      ours(i.value.Amount, i.value.Given, i.Currency),
		Currency:    i.Currency,
	}
	// A reference that can't be one of ours belongs to somebody else on the account.
	if wire.IsRef(i.MerchantReference) {
		e.OrderRef = i.MerchantReference
	}
	if e.PaymentRef == "" && isOfPayment(i.EventCode) {
		e.PaymentRef = i.PSPReference
	}
	e.Effect, e.Status = a.effectOf(i.EventCode, i.Success == "true")
	switch {
	case e.Effect == payment.EffectNone:
		e.Verdict, e.Reason = payment.Ignored, i.EventCode+" "+i.Success+" changes nothing"
	case e.Amount == nil && countsMoney(i.EventCode, i.Success == "true"):
		e.Verdict, e.Reason = payment.NeedsReview, i.EventCode+" tells no amount that we can count"
	}
	return e
}

// isOfPayment tells which events carry the payment's own reference where they name
// no other.
func isOfPayment(code string) bool {
	return code == authorisation || code == offerClosed || code == expire
}

// identity is what Adyen's events are known by, since they have no id.
type identity struct {
	account, psp, code string
	success            bool
}

func (i identity) String() string {
	return fmt.Sprintf("%s|%s|%s|%t", i.account, i.psp, i.code, i.success)
}

// parseIdentity reads exactly what String writes.
func parseIdentity(id string) (identity, bool) {
	parts := strings.Split(id, "|")
	if len(parts) != 4 {
		return identity{}, false
	}
	i := identity{parts[0], parts[1], parts[2], parts[3] == "true"}
	ok := isPart(i.account, maxAccount) && isPart(i.psp, maxReference) && isPart(i.code, maxCode)
	return i, ok && i.String() == id
}
