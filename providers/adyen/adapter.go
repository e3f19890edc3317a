package adyen

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Name is what Adyen is called in routes and records.
const Name = "adyen"

// DefaultTestBaseURL is where Adyen's test platform answers. The live one answers
// each company at an address of its own, see Config.LivePrefix.
const DefaultTestBaseURL = "https://checkout-test.adyen.com/v71"

// CaptureMode is when a merchant account takes the money that it has reserved. It is
// a setting of the account, and no event tells of it.
type CaptureMode string

// The capture modes.
const (
	Automatic CaptureMode = "automatic" // at once: an authorisation is a payment
	Manual    CaptureMode = "manual"    // when asked to: a payment is what was captured
)

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets sign the webhooks; at least one, each with an id of its own. A key is
	// the endpoint's HMAC key, in hexadecimal digits.
	Secrets []signing.Secret
	// MerchantAccounts are ours: items of others are refused, whoever signed them.
	// The first takes the payments that are asked for.
	MerchantAccounts []string
	// BasicUser and BasicPassword are what the endpoint was given in Adyen's
	// Customer Area. Where they are set, every delivery has to carry them; both or
	// neither.
	BasicUser, BasicPassword string
	// CaptureMode is the accounts' own setting, and has to be named. Where it changes,
	// what was told before is read in the new way too.
	CaptureMode CaptureMode

	// APIKey is sent as X-API-Key. An adapter without one verifies, parses and folds,
	// and refuses to call.
	APIKey string
	// Live picks the platform that is asked. Of events it decides nothing: their
	// field "live" isn't signed, and each platform's endpoints have keys of their own.
	Live bool
	// LivePrefix begins the address of the live platform, as the Customer Area shows
	// it.
	LivePrefix string
	// BaseURL is the API's address with its version; empty means the platform's own.
	BaseURL string
	// Told returns all stored events under one of our references. A refund has to
	// name the payment as Adyen does, and only they tell it; nil: Refund refuses.
	Told func(ctx context.Context, ref string) ([]payment.Event, error)
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, to read dates in Retry-After; nil means time.Now.
	Now func() time.Time
}

// Adapter is Adyen as the shop sees it. It is safe for concurrent use.
type Adapter struct {
	secrets   []signing.Secret
	accounts  []string
	basic     *credentials // nil: none are asked for
	automatic bool
	told      func(ctx context.Context, ref string) ([]payment.Event, error)
	api       *call.API
}

var (
	_ payment.Verifier = (*Adapter)(nil)
	_ payment.Folder   = (*Adapter)(nil)
	_ payment.Creator  = (*Adapter)(nil)
	_ payment.Refunder = (*Adapter)(nil)
)

// New returns an adapter, or says what is wrong with c without printing any
// secret. It refuses to work without secrets, with an empty one and with one that
// isn't hexadecimal. How strong a secret is, CheckSecret tells.
func New(c Config) (*Adapter, error) {
	if err := checkSecrets(c.Secrets); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	base, err := c.address()
	if err != nil {
		return nil, err
	}
	api, err := call.New(call.Config{
		Provider: Name, Base: base, Credentials: call.InHeader("X-API-Key", c.APIKey), Reason: code, KeyBusy: "code-704", HTTP: c.HTTP, Now: c.Now,
	})
	if err != nil {
		return nil, err
	}
	a := &Adapter{
		secrets: slices.Clone(c.Secrets), accounts: slices.Clone(c.MerchantAccounts), automatic: c.CaptureMode == Automatic,
		told: c.Told, api: api,
	}
	if c.BasicUser != "" {
		a.basic = newCredentials(c.BasicUser, c.BasicPassword)
	}
	return a, nil
}

// Close drops idle connections.
func (a *Adapter) Close() { a.api.Close() }

// Accepted is the body that Adyen's older contract wants to see in an answer; the
// newer one is content with the status. An adapter that has it is one whose sender
// waits with everything while one delivery is refused.
func (a *Adapter) Accepted() string { return "[accepted]" }

func (c Config) address() (string, error) {
	switch {
	case c.BaseURL != "":
		return c.BaseURL, nil
	case !c.Live:
		return DefaultTestBaseURL, nil
	case c.LivePrefix == "" && c.APIKey == "":
		return "", nil
	}
	if err := CheckLivePrefix(c.LivePrefix); err != nil {
		return "", fmt.Errorf("%s: the live prefix %w", Name, err)
	}
	return "https://" + c.LivePrefix + "-checkout-live.adyenpayments.com/checkout/v71", nil
}

// errorCode is how Adyen writes its reasons.
var errorCode = regexp.MustCompile(`^[0-9]{1,4}(_[0-9]{1,5})?$`)

// code reads the reason of a refusal, if it has one.
func code(answer []byte) string {
	reason := wire.Word{Max: 12}
	if wire.ReadDocument(answer, wire.Members{"errorCode": &reason}) != nil || !errorCode.MatchString(reason.S) {
		return ""
	}
	return "code-" + reason.S
}
