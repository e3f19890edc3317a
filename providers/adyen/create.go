package adyen

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/internal/ellipsis"
	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/wire"
)

const (
	maxKey         = 64  // bytes of an idempotency key
	maxMerchantRef = 80  // bytes of a reference of ours
	maxDescription = 280 // bytes: Adyen counts characters, which are never more
)

// amount is money in Adyen's minor units.
type amount struct {
	Currency string         `json:"currency"`
	Value    jsontext.Value `json:"value"` // digits, as a number
}

type paymentLink struct {
	Amount          amount `json:"amount"`
	Description     string `json:"description,omitempty"`
	ExpiresAt       string `json:"expiresAt,omitempty"`
	MerchantAccount string `json:"merchantAccount"`
	Reference       string `json:"reference"`
	ReturnURL       string `json:"returnUrl,omitempty"`
}

// Create asks for a payment link, a hosted page for one payment. Adyen knows the
// payments made on it by our reference, so that is what the payment is called. An
// answer that isn't about the reference, amount and currency asked for is not passed
// on: the buyer would pay for something else.
func (a *Adapter) Create(ctx context.Context, c payment.Creation) (payment.Created, error) {
	const what = "create a payment"
	asked, err := theirs(payment.Money{Amount: c.Amount, Currency: c.Currency})
	switch {
	case err != nil:
		return payment.Created{}, a.api.Refused(what, err.Error())
	case !wire.IsPlain(c.OrderRef, maxMerchantRef) || strings.Contains(c.OrderRef, ":"):
		// With a colon in it a signature would hold for other fields as well.
		return payment.Created{}, a.api.Refused(what, "our reference is empty, too long, or has a colon in it")
	}
	link := paymentLink{
		Amount: amount{c.Currency, jsontext.Value(asked.String())}, Description: ellipsis.Shorten(c.Description, maxDescription),
		MerchantAccount: a.accounts[0], Reference: c.OrderRef, ReturnURL: c.ReturnURL,
	}
	if !c.ExpiresAt.IsZero() {
		link.ExpiresAt = c.ExpiresAt.UTC().Format(time.RFC3339)
	}
	var made struct {
		url, reference, currency, account wire.Text
		value                             wire.Integer
	}
	err = a.post(ctx, call.Request{What: what, Path: "/paymentLinks"}, c.IdempotencyKey, link, wire.Members{
		"url": &made.url, "reference": &made.reference, "merchantAccount": &made.account,
		"amount": wire.Members{"currency": &made.currency, "value": &made.value},
	})
	switch {
	case err != nil:
		return payment.Created{}, err
	case made.reference.S != c.OrderRef, !made.value.Given, !made.value.Equal(asked), made.currency.S != c.Currency,
		made.account.Given && made.account.S != a.accounts[0]:
		return payment.Created{}, a.api.Unreadable(what, "is about another reference, amount, currency or account")
	case !call.IsPage(made.url.S):
		return payment.Created{}, a.api.Unreadable(what, "has no url with http or https")
	}
	return payment.Created{Ref: c.OrderRef, URL: made.url.S}, nil
}

func (a *Adapter) post(ctx context.Context, r call.Request, key string, body any, into wire.Value) error {
	if len(key) > maxKey {
		// What is too long for Adyen still has to be one key for one request.
		sum := sha256.Sum256([]byte(key))
		key = hex.EncodeToString(sum[:])
	}
	return a.api.PostKeyed(ctx, r, key, body, into)
}
