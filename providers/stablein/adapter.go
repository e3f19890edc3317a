package stablein

import (
	"net/http"
	"regexp"
	"slices"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Name is what StableIn is called in routes and records.
const Name = "stablein"

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets sign the webhooks; at least one, each with an id of its own.
	Secrets []signing.Secret
	// BaseURL is the API's address without the path "/v1", and APIKey is sent to it
	// as a bearer token. An adapter without them verifies and parses, and refuses to
	// call.
	BaseURL, APIKey string
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, to read dates in Retry-After; nil means time.Now.
	Now func() time.Time
}

// Adapter is StableIn as the shop sees it. It is safe for concurrent use.
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
// secret. It refuses to work without secrets or with an empty one: an empty
// key would verify what anybody can sign. How strong a secret is,
// [signing.CheckSecret] tells.
func New(c Config) (*Adapter, error) {
	if err := signing.Check(Name, c.Secrets); err != nil {
		return nil, err
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

// reasonCode is how StableIn writes its reasons.
var reasonCode = regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)

// code reads the reason of a refusal, if it has one.
func code(answer []byte) string {
	reason := wire.Reason()
	if wire.ReadDocument(answer, wire.Members{"code": &reason}) != nil || !reasonCode.MatchString(reason.S) {
		return ""
	}
	return reason.S
}
