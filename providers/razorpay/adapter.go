package razorpay

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/call"
	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// Name is what Razorpay is called in routes and records.
const Name = "razorpay"

// DefaultBaseURL is Razorpay's API, for test keys and live ones.
const DefaultBaseURL = "https://api.razorpay.com/v1"

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets sign the webhooks; at least one, each with an id of its own. They
	// are chosen in Razorpay's dashboard and aren't the API key's secret.
	Secrets []signing.Secret
	// Accounts are the ids (acc_…) whose events are ours; empty: all that are
	// correctly signed.
	Accounts []string
	// BaseURL is the API's address with its version; empty: DefaultBaseURL.
	BaseURL string
	// KeyID and KeySecret are the API key. An adapter without one verifies and
	// parses, and refuses to call.
	KeyID, KeySecret string
	// Live tells that the shop sells for real: the key has to be a live one then,
	// and a test one otherwise. Events don't say which they are of; the secret
	// that verified them does.
	Live bool
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time; nil means time.Now.
	Now func() time.Time
}

// Adapter is Razorpay as the shop sees it. It is safe for concurrent use.
type Adapter struct {
	secrets   []signing.Secret
	accounts  []string
	keySecret string
	api       *call.API
}

var (
	_ payment.Verifier = (*Adapter)(nil)
	_ payment.Fetcher  = (*Adapter)(nil)
	_ payment.Creator  = (*Adapter)(nil)
	_ payment.Refunder = (*Adapter)(nil)
)

// New returns an adapter, or says what is wrong with c without printing any
// secret. It refuses to work without secrets or with an empty one: an empty
// key would verify what anybody can sign. How strong a secret is, CheckSecret
// tells.
func New(c Config) (*Adapter, error) {
	if err := signing.Check(Name, c.Secrets); err != nil {
		return nil, err
	}
	if err := CheckKeyID(c.KeyID, c.Live); c.KeyID != "" && err != nil {
		return nil, fmt.Errorf("%s: the API key %w", Name, err)
	}
	if err := CheckAccounts(c.Accounts); err != nil {
		return nil, fmt.Errorf("%s: the list of accounts %w", Name, err)
	}
	if c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
	}
	api, err := call.New(call.Config{
		Provider: Name, Base: c.BaseURL, Credentials: call.Basic(c.KeyID, c.KeySecret), KeyHeader: "X-Refund-Idempotency", Busy: true,
		Reason: code, HTTP: c.HTTP, Now: c.Now,
	})
	if err != nil {
		return nil, err
	}
	return &Adapter{secrets: slices.Clone(c.Secrets), accounts: slices.Clone(c.Accounts), keySecret: c.KeySecret, api: api}, nil
}

// CheckKeyID tells what is wrong with the id of an API key.
func CheckKeyID(id string, live bool) error {
	ofLive := strings.HasPrefix(id, "rzp_live_")
	if !ofLive && !strings.HasPrefix(id, "rzp_test_") {
		return errors.New("begins neither with rzp_live_ nor with rzp_test_")
	}
	return cmp.Or(call.CheckMode(ofLive, live), call.CheckUser(id))
}

const maxAccount = 64

// CheckAccounts tells what is wrong with a list of accounts.
func CheckAccounts(accounts []string) error {
	for _, account := range accounts {
		if !strings.HasPrefix(account, "acc_") || !wire.IsPlain(account, maxAccount) {
			return fmt.Errorf("has an account that isn't an acc_… of at most %d bytes without blanks around it and control characters", maxAccount)
		}
	}
	return nil
}

// Close drops idle connections.
func (a *Adapter) Close() { a.api.Close() }

// Our codes for refusals that Razorpay tells in words only.
const (
	referenceUsed = "REFERENCE_USED"
	noSuchID      = "NO_SUCH_ID"
)

// code reads the reason of a refusal.
func code(answer []byte) string {
	reason, description := wire.Reason(), wire.Text{}
	err := wire.ReadDocument(answer, wire.Members{"error": wire.Members{"code": &reason, "description": &description}})
	if err != nil {
		return ""
	}
	words := strings.ToLower(description.S)
	switch {
	case strings.Contains(words, "reference") && strings.Contains(words, "already"):
		return referenceUsed
	case strings.Contains(words, "id") && strings.Contains(words, "does not exist"):
		return noSuchID
	}
	return reason.S
}
