package adyen

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/sandbox"
)

// Name is the dialect's, in paths and in the database.
const Name = "adyen"

// When a merchant account takes the money that it has reserved.
const (
	Automatic = "automatic" // at once
	Manual    = "manual"    // when asked to
)

// Config is what the stand-in needs to know. The first three are required.
type Config struct {
	APIKey          string // what callers send as X-API-Key
	MerchantAccount string // whose links and payments they are
	CaptureMode     string // Automatic or Manual: the account's setting
	// BasicUser and BasicPassword are sent with each delivery; empty: none.
	BasicUser, BasicPassword string
}

// Dialect stands in for Adyen.
type Dialect struct{ Config }

// New returns the dialect, or says what is wrong with its settings.
func New(c Config) (*Dialect, error) {
	if err := sandbox.CheckKey("API_KEY", c.APIKey); err != nil {
		return nil, err
	}
	wrong := func(setting, problem string) error { return &sandbox.SettingError{Setting: setting, Problem: problem} }
	switch {
	case c.MerchantAccount == "" || strings.ContainsAny(c.MerchantAccount, ": "):
		return nil, wrong("MERCHANT_ACCOUNTS", "is not set, or has a colon or a blank; make a name up without them")
	case c.CaptureMode != Automatic && c.CaptureMode != Manual:
		return nil, wrong("CAPTURE_MODE", "is neither automatic nor manual")
	case c.BasicUser == "" && c.BasicPassword != "":
		return nil, wrong("WEBHOOK_USER", "is not set, but its password is; make one up")
	case c.BasicUser != "" && c.BasicPassword == "":
		return nil, wrong("WEBHOOK_PASSWORD", "is not set, but its user is; make one up")
	case strings.Contains(c.BasicUser, ":"):
		return nil, wrong("WEBHOOK_USER", "has a colon in it, which ends a user's name")
	}
	return &Dialect{c}, nil
}

// Profile is what the engine needs to know of Adyen.
func (d *Dialect) Profile() sandbox.Profile {
	p := sandbox.Profile{
		Name: Name, Title: "Adyen", Retries: retries(),
		Without: []string{"underpay", "overpay", "risk"},
		Hidden:  []string{"twice", "late"},
		Untimed: true,
	}
	if d.CaptureMode == Automatic {
		p.Without = append(p.Without, "authorise", "capture")
	}
	return p
}

// retries are three quick attempts, and then a queue that is tried for 30 days.
func retries() []time.Duration {
	waits := []time.Duration{
		9 * time.Second, 18 * time.Second, 27 * time.Second,
		2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour,
	}
	var sum time.Duration
	for _, w := range waits {
		sum += w
	}
	for ; sum+8*time.Hour <= 30*24*time.Hour; sum += 8 * time.Hour {
		waits = append(waits, 8*time.Hour)
	}
	return waits
}

// pspLetters is how long a pspReference is.
const pspLetters = 16

// NewRef makes ids in Adyen's form: everything but a link has a pspReference.
func (*Dialect) NewRef(of sandbox.Kind, id uuid.UUID) string {
	switch of {
	case sandbox.PageKind:
		return "PL" + sandbox.Letters(id, of, sandbox.Digits+"ABCDEF", pspLetters)
	case sandbox.IntentKind:
		return "" // the payment as a whole has no id
	}
	return sandbox.Letters(id, of, sandbox.Digits+sandbox.UpperLetters, pspLetters)
}

// What else has a pspReference, made out of the id of what it belongs to.
const (
	captured  = "captured"
	cancelled = "cancelled"
	expired   = "expired"
	closed    = "closed"
)

// derived is the pspReference of something that the engine has no record of.
func derived(id string, what ...string) string {
	u, err := uuid.Parse(id)
	if err != nil {
		return "" // the engine's ids are UUIDs
	}
	u = uuid.NewSHA1(u, []byte(strings.Join(what, " ")))
	return sandbox.Letters(u, sandbox.PaymentKind, sandbox.Digits+sandbox.UpperLetters, pspLetters)
}

// Accepts any 2xx; the body is a matter of older contracts.
func (*Dialect) Accepts(status int, _ []byte) sandbox.Answer { return sandbox.Any2xx(status) }

const secretBytes = 32

// CheckSecret takes HMAC keys as Adyen shows them.
func (*Dialect) CheckSecret(secret string) error {
	if key, err := hex.DecodeString(secret); err != nil || len(key) < secretBytes/2 {
		return errors.New("must be at least 32 hexadecimal digits")
	}
	return nil
}

// NewSecret makes one up.
func (*Dialect) NewSecret() string {
	key := make([]byte, secretBytes)
	_, _ = rand.Read(key) // never fails
	return strings.ToUpper(hex.EncodeToString(key))
}

var _ sandbox.Dialect = (*Dialect)(nil)
