package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
)

// The headers of a delivery.
const (
	headerEventID   = "StableIn-Event-Id"
	headerTimestamp = "StableIn-Timestamp"
	headerSignature = "StableIn-Signature"
)

// sign returns the signature header: HMAC-SHA256 over timestamp, dot and the
// exact body, keyed by the secret's text.
func sign(secret string, timestamp int64, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(strconv.AppendInt(nil, timestamp, 10))
	mac.Write([]byte{'.'})
	mac.Write(body)
	return "v1=" + hex.EncodeToString(mac.Sum(nil))
}

func setHeaders(h http.Header, eventID, secret string, timestamp int64, body []byte) {
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "StableIn-Sandbox/1")
	h.Set(headerEventID, eventID)
	h.Set(headerTimestamp, strconv.FormatInt(timestamp, 10))
	h.Set(headerSignature, sign(secret, timestamp, body))
}
