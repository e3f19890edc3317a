package standardwebhooks

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Name is what a sender of Standard Webhooks is called in routes and records.
const Name = "standardwebhooks"

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets sign the webhooks; at least one, each with an id of its own.
	Secrets []signing.Secret
	// BaseURL is the API's address, to which "/payments" is added, and APIKey is sent
	// to it as a bearer token. An adapter without them verifies and parses, and
	// refuses to call.
	BaseURL, APIKey string
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, to read dates in Retry-After; nil means time.Now.
	Now func() time.Time
}

// Adapter is a sender of Standard Webhooks as the shop sees it. It is safe for
// concurrent use.
type Adapter struct {
	secrets []signing.Secret
	api     *call.API
}

var (
	_ payment.Verifier = (*Adapter)(nil)
	_ payment.Fetcher  = (*Adapter)(nil)
	_ payment.Creator  = (*Adapter)(nil)
	_ payment.Refunder = (*Adapter)(nil)
)

// New returns an adapter, or says what is wrong with c without printing any
// secret. It refuses secrets that stand for no bytes: an empty key would verify
// what anybody can sign. One that isn't base64 verifies nothing. How strong a
// secret is, CheckSecret tells.
func New(c Config) (*Adapter, error) {
	if err := signing.Check(Name, c.Secrets); err != nil {
		return nil, err
	}
	for _, s := range c.Secrets {
		if key, ok := keyBytes(s.Key); ok && len(key) == 0 {
			return nil, errors.New(Name + ": a webhook secret has nothing behind " + prefix)
		}
	}
	api, err := call.New(call.Config{
		Provider: Name, Base: c.BaseURL, Credentials: call.Bearer(c.APIKey), Reason: code, KeyUsed: "IDEMPOTENCY_KEY_REUSED", HTTP: c.HTTP, Now: c.Now,
	})
	if err != nil {
		return nil, err
	}
	return &Adapter{secrets: slices.Clone(c.Secrets), api: api}, nil
}

// Close drops idle connections.
func (a *Adapter) Close() { a.api.Close() }

// code reads the reason of a refusal, if it has one.
func code(answer []byte) string {
	reason := wire.Reason()
	if wire.ReadDocument(answer, wire.Members{"code": &reason}) != nil {
		return ""
	}
	return reason.S
}
