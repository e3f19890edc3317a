package payflow

import (
	"encoding/hex"
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
	if c.KeyID == "" || strings.Contains(c.KeyID, ":") {
		return nil, &sandbox.SettingError{Setting: "KEY_ID", Problem: "is not set, or has a colon; make one up without"}
	}
	if err := sandbox.CheckKey("KEY_SECRET", c.KeySecret); err != nil {
		return nil, err
	}
	if _, known := payment.Exponent(c.Currency); !known {
		return nil, &sandbox.SettingError{Setting: "CURRENCY", Problem: "is not a currency that is known here"}
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
