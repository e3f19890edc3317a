package payflow

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Name is what PayFlow is called in routes and records.
const Name = "payflow"

// DefaultCurrency is what amounts are in unless Config says otherwise.
const DefaultCurrency = "INR"

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets sign the webhooks; at least one, each with an id of its own.
	Secrets []signing.Secret
	// Currency is the only one that the account takes: events name none. Empty:
	// DefaultCurrency.
	Currency string
	// BaseURL is the API's address, of which none is published, and KeyID and KeySecret
	// are the key to it. An adapter without them verifies and parses, and refuses to
	// call.
	BaseURL, KeyID, KeySecret string
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, to read dates in Retry-After; nil means time.Now.
	Now func() time.Time
}

// Adapter is PayFlow as the shop sees it. It is safe for concurrent use.
type Adapter struct {
	secrets  []signing.Secret
	currency string
	api      *call.API
}

var (
	_ payment.Verifier = (*Adapter)(nil)
	_ payment.Fetcher  = (*Adapter)(nil)
	_ payment.Creator  = (*Adapter)(nil)
	_ payment.Refunder = (*Adapter)(nil)
)

// New returns an adapter, or says what is wrong with c without printing any
// secret. It refuses to work without secrets or with an empty one: an empty
// key would verify what anybody can sign. How strong a secret is,
// [signing.CheckSecret] tells.
func New(c Config) (*Adapter, error) {
	if err := signing.Check(Name, c.Secrets); err != nil {
		return nil, err
	}
	if c.Currency == "" {
		c.Currency = DefaultCurrency
	}
	if err := CheckCurrency(c.Currency); err != nil {
		return nil, fmt.Errorf("%s: the currency %w", Name, err)
	}
	api, err := call.New(call.Config{
		Provider: Name, Base: c.BaseURL, Credentials: call.Basic(c.KeyID, c.KeySecret), Busy: true, Reason: code, KeyUsed: "IDEMPOTENCY_KEY_REUSED", HTTP: c.HTTP, Now: c.Now,
	})
	if err != nil {
		return nil, err
	}
	return &Adapter{secrets: slices.Clone(c.Secrets), currency: c.Currency, api: api}, nil
}

// CheckCurrency tells what is wrong with the currency of an account.
func CheckCurrency(code string) error {
	if _, known := payment.Exponent(code); !known {
		return errors.New("is not a currency that is known here")
	}
	return nil
}

// Close drops idle connections.
func (a *Adapter) Close() { a.api.Close() }

// code reads the reason of a refusal, if it has one.
func code(answer []byte) string {
	reason := wire.Reason()
	if wire.ReadDocument(answer, wire.Members{"error": wire.Members{"code": &reason}}) != nil {
		return ""
	}
	return reason.S
}
