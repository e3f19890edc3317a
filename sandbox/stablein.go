package sandbox

import (
	"encoding/hex"
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
type stablein struct{ TextSecrets }

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
	return "v1=" + hex.EncodeToString(HMAC(secret, strconv.FormatInt(timestamp, 10)+"."+string(body)))
}

// Accepts: a conflict can't be mended by sending again.
func (stablein) Accepts(status int, _ []byte) Answer {
	if status == http.StatusConflict {
		return Refused
	}
	return Any2xx(status)
}

// Routes: StableIn's are at the root, see Server.stableIn.
func (stablein) Routes(*Server) http.Handler { return http.NotFoundHandler() }

var _ Dialect = stablein{}
