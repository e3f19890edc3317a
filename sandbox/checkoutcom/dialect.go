package checkoutcom

import (
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/sandbox"
)

// Name is the dialect's, in paths and in the database.
const Name = "checkoutcom"

// Config is what the stand-in needs to know.
type Config struct {
	APIKey string // what callers send as bearer token, sk_sbox_…
	// AuthorizationHeader is a fixed value that deliveries carry beside their
	// signature, as a webhook may be set up to; empty: none.
	AuthorizationHeader string
}

// Dialect stands in for Checkout.com.
type Dialect struct {
	Config
	sandbox.TextSecrets
}

// New returns the dialect, or says what is wrong with its settings.
func New(c Config) (*Dialect, error) {
	if err := sandbox.CheckKey("API_KEY", c.APIKey, "sk_sbox_"); err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.AuthorizationHeader) != c.AuthorizationHeader {
		return nil, &sandbox.SettingError{Setting: "AUTHORIZATION_HEADER", Problem: "has white space around it"}
	}
	return &Dialect{Config: c}, nil
}

// Profile is what the engine needs to know of Checkout.com.
func (*Dialect) Profile() sandbox.Profile {
	return sandbox.Profile{
		Name: Name, Title: "Checkout.com",
		Retries: []time.Duration{
			5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
			time.Hour, 4 * time.Hour, 12 * time.Hour, 12 * time.Hour,
		},
		Without: []string{"underpay", "overpay", "capture_fail", "refund_fail", "risk"},
		Hidden:  []string{"twice", "late"},
		Untimed: true,
	}
}

// idLetters is how long ids are behind their prefix.
const idLetters = 26

// NewRef makes ids in Checkout.com's form.
func (*Dialect) NewRef(of sandbox.Kind, id uuid.UUID) string {
	prefix := map[sandbox.Kind]string{
		sandbox.PageKind: "hpp_", sandbox.PaymentKind: "pay_", sandbox.RefundKind: "act_", sandbox.DisputeKind: "dsp_",
	}[of]
	if prefix == "" {
		return "" // the payment as a whole has no id
	}
	return prefix + sandbox.Letters(id, of, sandbox.Base32, idLetters)
}

// What else has an id, made out of that of the payment or the event.
const (
	authorization sandbox.Kind = 64 + iota
	capture
	void
	event
)

// derived is the id of something that the engine has no record of.
func derived(prefix string, of sandbox.Kind, id string) string {
	u, err := uuid.Parse(id)
	if err != nil {
		return "" // the engine's ids are UUIDs
	}
	return prefix + sandbox.Letters(u, of, sandbox.Base32, idLetters)
}

// Sign puts the signature of the body into a header, and the fixed one beside it.
func (d *Dialect) Sign(out *sandbox.Dispatch) error {
	out.Header.Set("Cko-Signature", hex.EncodeToString(sandbox.HMAC(out.Secrets[0], string(out.Body))))
	out.Header.Set("Content-Type", "application/json; charset=utf-8")
	if d.AuthorizationHeader != "" {
		out.Header.Set("Authorization", d.AuthorizationHeader)
	}
	return nil
}

// Accepts any 2xx.
func (*Dialect) Accepts(status int, _ []byte) sandbox.Answer { return sandbox.Any2xx(status) }

var _ sandbox.Dialect = (*Dialect)(nil)
