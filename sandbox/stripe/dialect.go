package stripe

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/sandbox"
)

// Name is the dialect's, in paths and in the database.
const Name = "stripe"

// Version is the version of the API that events are written in.
const Version = "2026-03-25.dahlia"

// Config is what the stand-in needs to know.
type Config struct {
	APIKey string // what callers send as bearer token, sk_test_… or rk_test_…
}

// Dialect stands in for Stripe.
type Dialect struct {
	Config
	sandbox.TextSecrets
}

// New returns the dialect, or says what is wrong with its key.
func New(c Config) (*Dialect, error) {
	if err := sandbox.CheckKey("API_KEY", c.APIKey, "sk_test_", "rk_test_"); err != nil {
		return nil, err
	}
	return &Dialect{c, sandbox.TextSecrets{Prefix: "whsec_"}}, nil
}

// Profile is what the engine needs to know of Stripe.
func (*Dialect) Profile() sandbox.Profile {
	return sandbox.Profile{
		Name: Name, Title: "Stripe",
		Retries: []time.Duration{
			5 * time.Minute, 15 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour,
			10 * time.Hour, 12 * time.Hour, 12 * time.Hour, 12 * time.Hour, 12 * time.Hour,
		},
		Without: []string{"capture_fail", "risk"},
		Hidden:  []string{"underpay", "overpay", "twice", "late"},
	}
}

// NewRef makes ids in Stripe's form.
func (*Dialect) NewRef(of sandbox.Kind, id uuid.UUID) string {
	prefix := map[sandbox.Kind]string{
		sandbox.PageKind: "cs_test_", sandbox.IntentKind: "pi_", sandbox.PaymentKind: "ch_",
		sandbox.RefundKind: "re_", sandbox.DisputeKind: "dp_",
	}[of]
	n := 24
	if of == sandbox.PageKind {
		n = 58
	}
	return prefix + sandbox.Letters(id, of, sandbox.Base62, n)
}

// eventID is Stripe's form of an event's id.
func eventID(e sandbox.Event) string { return "evt_" + sandbox.Hex(e.ID) }

// Sign puts one signature for each of the endpoint's secrets into the header: while
// a secret is being replaced both sign.
func (*Dialect) Sign(d *sandbox.Dispatch) error {
	at := strconv.FormatInt(d.At.Unix(), 10)
	header := "t=" + at
	for _, secret := range d.Secrets {
		header += ",v1=" + hex.EncodeToString(sandbox.HMAC(secret, at+"."+string(d.Body)))
	}
	d.Header.Set("Stripe-Signature", header)
	d.Header.Set("Content-Type", "application/json; charset=utf-8")
	return nil
}

// Accepts any 2xx; the body is never looked at.
func (*Dialect) Accepts(status int, _ []byte) sandbox.Answer { return sandbox.Any2xx(status) }

// ReturnURL fills in the session's id where the merchant asked for it.
func (*Dialect) ReturnURL(r sandbox.Record) string {
	return strings.ReplaceAll(r.ReturnURL, "{CHECKOUT_SESSION_ID}", r.PageRef)
}

var (
	_ sandbox.Dialect  = (*Dialect)(nil)
	_ sandbox.Returner = (*Dialect)(nil)
)
