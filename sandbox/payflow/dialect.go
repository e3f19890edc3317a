package payflow

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"onceshop/payment"
	"onceshop/sandbox"
)

// Name is the dialect's, in paths and in the database.
const Name = "payflow"

// DefaultCurrency is what the account takes unless Config says otherwise.
const DefaultCurrency = "INR"

// Config is what the stand-in needs to know.
type Config struct {
	KeyID, KeySecret string // the API key, sent with basic authentication
	Currency         string // the only one that the account takes; empty: DefaultCurrency
}

// Dialect stands in for PayFlow.
type Dialect struct {
	Config
	sandbox.TextSecrets
}

// New returns the dialect, or says what is wrong with its settings.
func New(c Config) (*Dialect, error) {
	if c.Currency == "" {
		c.Currency = DefaultCurrency
	}
	_, known := payment.Exponent(c.Currency)
	switch {
	case c.KeyID == "" || strings.Contains(c.KeyID, ":"):
		return nil, errors.New("sandbox/payflow: the id of the API key must not be empty, nor have a colon")
	case len(c.KeySecret) < 16:
		return nil, errors.New("sandbox/payflow: the secret of the API key must have at least 16 characters")
	case !known:
		return nil, errors.New("sandbox/payflow: the currency isn't one that is known here")
	}
	return &Dialect{Config: c}, nil
}

// Profile is what the engine needs to know of PayFlow.
func (*Dialect) Profile() sandbox.Profile {
	return sandbox.Profile{
		Name: Name, Title: "PayFlow",
		Retries: []time.Duration{
			10 * time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
		},
		Without: []string{"capture_fail", "refund_fail", "risk"},
		Hidden:  []string{"underpay", "overpay", "twice", "late"},
	}
}

// NewRef names refunds and disputes; payments go by the merchant's orderId, and
// attempts have no record.
func (*Dialect) NewRef(of sandbox.Kind, id uuid.UUID) string {
	switch of {
	case sandbox.RefundKind:
		return "pf_re_" + sandbox.Hex(id.String())
	case sandbox.DisputeKind:
		return "pf_dp_" + sandbox.Hex(id.String())
	}
	return ""
}

// Sign stamps the body with the time of this attempt and signs it with the newest
// secret.
func (*Dialect) Sign(d *sandbox.Dispatch) error {
	var e event
	if err := json.Unmarshal(d.Event.Body, &e); err != nil {
		return err
	}
	e.Timestamp = d.At.Unix()
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	d.Body = body
	d.Header.Set("X-PayFlow-Signature", hex.EncodeToString(sandbox.HMAC(d.Secrets[0], string(body))))
	return nil
}

// Accepts 200 and nothing else.
func (*Dialect) Accepts(status int, _ []byte) sandbox.Answer {
	if status == http.StatusOK {
		return sandbox.Accepted
	}
	return sandbox.Again
}

var _ sandbox.Dialect = (*Dialect)(nil)
