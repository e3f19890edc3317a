package checkoutcom

import (
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Name is what Checkout.com is called in routes and records.
const Name = "checkoutcom"

// Where the API is, unless Config says otherwise.
const (
	DefaultBaseURL     = "https://api.checkout.com"
	DefaultTestBaseURL = "https://api.sandbox.checkout.com"
)

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets are the signature keys of the workflow's webhook action; at least
	// one, each with an id of its own.
	Secrets []signing.Secret
	// AuthorizationHeader is the fixed value that was configured with the webhook;
	// empty: none. Where it is set, a delivery needs it beside its signature.
	AuthorizationHeader string
	// BaseURL is the API's address; empty: the published one of the mode. Newer
	// accounts have one of their own.
	BaseURL string
	// APIKey is the secret key, "sk_…", that of the sandbox "sk_sbox_…". It needs
	// the right to take payments, to refund, to see disputes and to search. An
	// adapter without one verifies and parses, and refuses to call.
	APIKey string
	// Live is set where the shop sells for real.
	Live bool
	// BillingCountry is the country of the billing address that Checkout.com
	// demands before the buyer has told us one: two capital letters, mostly the
	// shop's own country. An adapter without one refuses to create payments.
	BillingCountry string
	// ProcessingChannelID is the channel, "pc_…", of accounts that have several.
	ProcessingChannelID string
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, for the end of a list's window and dates in
	// Retry-After; nil means time.Now.
	Now func() time.Time
}

// Adapter is Checkout.com as the shop sees it. It is safe for concurrent use.
type Adapter struct {
	secrets       []signing.Secret
	authorization string
	country       string
	channel       string
	now           func() time.Time
	api           *call.API
}

var (
	_ payment.Verifier = (*Adapter)(nil)
	_ payment.Fetcher  = (*Adapter)(nil)
	_ payment.Creator  = (*Adapter)(nil)
	_ payment.Refunder = (*Adapter)(nil)
)

// New returns an adapter, or says what is wrong with c without printing any
// secret. How strong a webhook secret is, [signing.CheckSecret] tells.
func New(c Config) (*Adapter, error) {
	if err := signing.Check(Name, c.Secrets); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	base := c.BaseURL
	switch {
	case base != "":
	case c.Live:
		base = DefaultBaseURL
	default:
		base = DefaultTestBaseURL
	}
	now := c.Now
	if now == nil {
		now = time.Now
	}
	api, err := call.New(call.Config{
		Provider: Name, Base: base, Credentials: call.Bearer(c.APIKey), KeyHeader: "Cko-Idempotency-Key", Reason: code, KeyUsed: "idempotency_key_invalid", HTTP: c.HTTP, Now: now,
	})
	if err != nil {
		return nil, err
	}
	return &Adapter{
		secrets: slices.Clone(c.Secrets), authorization: c.AuthorizationHeader, country: c.BillingCountry,
		channel: c.ProcessingChannelID, now: now, api: api,
	}, nil
}

// Close drops idle connections.
func (a *Adapter) Close() { a.api.Close() }

// reasonCode is how Checkout.com writes its reasons. Keys of any kind, "sk_…",
// don't have this form.
var reasonCode = regexp.MustCompile(`^[a-z]{3,}(_[a-z0-9]+)*$`)

// code reads the reason of a refusal, its first one, if it has any.
func code(answer []byte) string {
	var kind, first wire.Text
	codes := wire.List{Each: func(dec *jsontext.Decoder) error {
		var reason wire.Text
		err := reason.Read(dec)
		if !first.Given {
			first = reason
		}
		return err
	}}
	if wire.ReadDocument(answer, wire.Members{"error_type": &kind, "error_codes": &codes}) != nil {
		return ""
	}
	for _, reason := range []string{first.S, kind.S} {
		if reasonCode.MatchString(reason) {
			return reason
		}
	}
	return ""
}
