package sandbox

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"onceshop/lease"
)

// StableIn is the name of the platform's first dialect, served at the root.
const StableIn = "stablein"

// stablein is StableIn's dialect.
type stablein struct{}

func (stablein) Profile() Profile {
	return Profile{
		Name: StableIn, Title: "StableIn", Retries: lease.Backoff(), Chain: true,
		Without: []string{"authorise", "capture", "attempt_fail", "capture_fail", "refund_fail", "dispute", "dispute_win", "dispute_lose"},
	}
}

// NewRef: an order, which is all that StableIn tells of, goes by the engine's id.
func (stablein) NewRef(Kind, uuid.UUID) string { return "" }

// eventJSON is an event's body.
type eventJSON struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	CreatedAt timestamp      `json:"createdAt"`
	Order     jsontext.Value `json:"order"`
}

// Announce: every change is one event, named by the engine's word.
func (stablein) Announce(c Change) ([]Event, error) {
	order, err := json.Marshal(c.After.json())
	if err != nil {
		return nil, err
	}
	e := c.Event(c.Word)
	e.Body, err = json.Marshal(eventJSON{e.ID, e.Type, timestamp(e.CreatedAt), order})
	return []Event{e}, err
}

// The headers of a delivery.
const (
	headerEventID   = "StableIn-Event-Id"
	headerTimestamp = "StableIn-Timestamp"
	headerSignature = "StableIn-Signature"
)

// Sign knows one signature: of two secrets the first one makes it.
func (stablein) Sign(d *Dispatch) error {
	at := d.At.Unix()
	d.Header.Set("User-Agent", "StableIn-Sandbox/1")
	d.Header.Set(headerEventID, d.Event.ID)
	d.Header.Set(headerTimestamp, strconv.FormatInt(at, 10))
	d.Header.Set(headerSignature, sign(d.Secrets[0], at, d.Body))
	return nil
}

// sign returns the signature header: HMAC-SHA256 over timestamp, dot and the
// exact body, keyed by the secret's text.
func sign(secret string, timestamp int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(strconv.AppendInt(nil, timestamp, 10))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return "v1=" + hex.EncodeToString(mac.Sum(nil))
}

// Accepts: a conflict can't be mended by sending again.
func (stablein) Accepts(status int, _ []byte) Answer {
	if status == http.StatusConflict {
		return Refused
	}
	return Any2xx(status)
}

// minSecret refuses what is too short to be a secret.
const minSecret = 16

func (stablein) CheckSecret(secret string) error {
	if len(secret) < minSecret {
		return errors.New("must have at least 16 bytes")
	}
	return nil
}

func (stablein) NewSecret() string { return rand.Text() }

// Routes: StableIn's are at the root, see Server.stableIn.
func (stablein) Routes(*Server) http.Handler { return http.NotFoundHandler() }

var _ Dialect = stablein{}
