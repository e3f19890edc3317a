package standardwebhooks

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/sandbox"
)

// Name is the dialect's, in paths and in the database.
const Name = "standardwebhooks"

// Config is what the stand-in needs to know.
type Config struct {
	APIKey string // what callers send as bearer token
}

// Dialect stands in for a sender of Standard Webhooks.
type Dialect struct{ Config }

// New returns the dialect, or says what is wrong with its key.
func New(c Config) (*Dialect, error) {
	if err := sandbox.CheckKey("API_KEY", c.APIKey); err != nil {
		return nil, err
	}
	return &Dialect{c}, nil
}

// Profile is what the engine needs to know.
func (*Dialect) Profile() sandbox.Profile {
	return sandbox.Profile{
		Name: Name, Title: "Standard Webhooks",
		Retries: []time.Duration{
			5 * time.Second, 5 * time.Minute, 30 * time.Minute,
			2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
		},
		Without: []string{"capture_fail", "risk"},
		Hidden:  []string{"underpay", "overpay", "twice", "late"},
	}
}

// NewRef names refunds and disputes. A page goes by the merchant's order_ref, and the
// payment_ref is another name for the order.
func (*Dialect) NewRef(of sandbox.Kind, id uuid.UUID) string {
	switch of {
	case sandbox.RefundKind:
		return "ref_" + sandbox.Hex(id.String())
	case sandbox.DisputeKind:
		return "dis_" + sandbox.Hex(id.String())
	}
	return ""
}

// paymentPrefix begins a payment_ref.
const paymentPrefix = "pay_"

func paymentRef(r sandbox.Record) string { return paymentPrefix + sandbox.Hex(r.ID) }

// Sign signs the bytes under the message's id and the time of this attempt, with every
// secret that the endpoint has: two while one is being replaced.
func (*Dialect) Sign(d *sandbox.Dispatch) error {
	id, at := "msg_"+sandbox.Hex(d.Event.ID), strconv.FormatInt(d.At.Unix(), 10)
	var entries []string
	for _, secret := range d.Secrets {
		key, err := keyOf(secret)
		if err != nil {
			return err
		}
		mac := sandbox.HMAC(string(key), id+"."+at+"."+string(d.Body))
		entries = append(entries, "v1,"+base64.StdEncoding.EncodeToString(mac))
	}
	d.Header.Set("Webhook-Id", id)
	d.Header.Set("Webhook-Timestamp", at)
	d.Header.Set("Webhook-Signature", strings.Join(entries, " "))
	return nil
}

// Accepts any 2xx; a receiver that is gone ends its endpoint.
func (*Dialect) Accepts(status int, _ []byte) sandbox.Answer {
	if status == http.StatusGone {
		return sandbox.Ended
	}
	return sandbox.Any2xx(status)
}

const secretPrefix = "whsec_"

// The lengths of what a secret stands for.
const (
	minSecret = 24
	maxSecret = 64
)

// CheckSecret takes what the specification calls a secret.
func (*Dialect) CheckSecret(secret string) error {
	key, err := keyOf(secret)
	if err == nil && (len(key) < minSecret || len(key) > maxSecret) {
		err = errors.New("must stand for 24 to 64 bytes")
	}
	return err
}

func keyOf(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
	if err != nil {
		return nil, errors.New("must be base64, behind whsec_ or not")
	}
	return key, nil
}

// NewSecret makes one up.
func (*Dialect) NewSecret() string {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

var _ sandbox.Dialect = (*Dialect)(nil)
