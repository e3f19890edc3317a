package stripe

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Name is what Stripe is called in routes and records.
const Name = "stripe"

// DefaultBaseURL is where Stripe answers, in live and in test mode: the key tells
// them apart.
const DefaultBaseURL = "https://api.stripe.com"

// Version is the version of the API that is asked for in every call, whatever the
// account's own is: fields move between versions.
const Version = "2026-03-25.dahlia"

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets sign the webhooks; at least one, each with an id of its own. They are
	// the endpoint's signing secrets, whsec_ included.
	Secrets []signing.Secret
	// APIKey is a secret or a restricted key, sk_… or rk_…. An adapter without one
	// verifies and parses, and refuses to call.
	APIKey string
	// BaseURL is the API's address without the path "/v1"; empty means
	// DefaultBaseURL.
	BaseURL string
	// Live is set where the shop sells for real. Events and answers of the other
	// mode aren't the shop's.
	Live bool
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, to read dates in Retry-After and to keep a page's end
	// where Stripe takes it; nil means time.Now.
	Now func() time.Time
}

// Adapter is Stripe as the shop sees it. It is safe for concurrent use.
type Adapter struct {
	secrets []signing.Secret
	api     *call.API
	live    bool
}

var (
	_ payment.Verifier = (*Adapter)(nil)
	_ payment.Fetcher  = (*Adapter)(nil)
	_ payment.Creator  = (*Adapter)(nil)
	_ payment.Refunder = (*Adapter)(nil)
)

// New returns an adapter, or says what is wrong with c without printing any
// secret. It refuses to work without webhook secrets or with an empty one, and with
// an API key of the other mode than the shop's: it would sell for nothing, or
// charge in a test. How strong a webhook secret is, CheckSecret tells.
func New(c Config) (*Adapter, error) {
	if err := signing.Check(Name, c.Secrets); err != nil {
		return nil, err
	}
	if err := CheckKey(c.APIKey, c.Live); c.APIKey != "" && err != nil {
		return nil, fmt.Errorf("%s: the API key %w", Name, err)
	}
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	api, err := call.New(call.Config{
		Provider: Name, Base: c.BaseURL, Credentials: call.Bearer(c.APIKey), Busy: true,
		Header: map[string]string{"Stripe-Version": Version}, Reason: code, KeyUsed: keyUsed, HTTP: c.HTTP, Now: c.Now,
	})
	if err != nil {
		return nil, err
	}
	return &Adapter{secrets: slices.Clone(c.Secrets), api: api, live: c.Live}, nil
}

// Close drops idle connections.
func (a *Adapter) Close() { a.api.Close() }

// keyForm is how secret and restricted keys begin, those of an organisation
// included. A key that names no mode is taken: the answers tell theirs.
var keyForm = regexp.MustCompile(`^(?:sk|rk)_(?:org_)?(?:(live|test)_)?.`)

// CheckKey tells what is wrong with an API key, without repeating it.
func CheckKey(key string, live bool) error {
	switch form := keyForm.FindStringSubmatch(key); {
	case form == nil:
		return errors.New("is neither a secret key (sk_…) nor a restricted one (rk_…)")
	case form[1] != "":
		return call.CheckMode(form[1] == "live", live)
	}
	return nil
}

// secretPrefix begins the signing secret of every endpoint. It is part of the key.
const secretPrefix = "whsec_"

// CheckSecret tells what is wrong with a webhook secret of Stripe's, without
// repeating it. The prefix makes nothing harder to guess, so it doesn't count.
func CheckSecret(key string) error {
	if err := signing.CheckSecret(key); err != nil {
		return err
	}
	rest, ok := strings.CutPrefix(key, secretPrefix)
	switch {
	case !ok:
		return errors.New("doesn't begin with whsec_")
	case len(rest) < 16:
		return errors.New("has less than 16 bytes behind whsec_")
	}
	return nil
}

// reasonCode is how Stripe writes its reasons; its keys have digits or capitals.
var reasonCode = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// keyPrefixes begin what an error must never say, whatever stands in the place of
// a code.
var keyPrefixes = []string{"sk_", "rk_", "pk_", secretPrefix}

// keyUsed is the type of a refusal that says that the key came with other values before.
const keyUsed = "idempotency_error"

// code reads the reason of a refusal, if it has one: its code, or else its type.
func code(answer []byte) string {
	reason, kind := wire.Reason(), wire.Reason()
	if wire.ReadDocument(answer, wire.Members{"error": wire.Members{"code": &reason, "type": &kind}}) != nil {
		return ""
	}
	if reason.S == "" || kind.S == keyUsed {
		reason = kind
	}
	if !reasonCode.MatchString(reason.S) || slices.ContainsFunc(keyPrefixes, func(p string) bool { return strings.HasPrefix(reason.S, p) }) {
		return ""
	}
	return reason.S
}
