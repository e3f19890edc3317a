package standardwebhooks

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"onceshop/providers/signing"
	"onceshop/providers/wire"
)

// The headers of a delivery. Their names are compared without case.
const (
	IDHeader        = "Webhook-Id"
	TimestampHeader = "Webhook-Timestamp"
	SignatureHeader = "Webhook-Signature"
)

// version is the one signature that we hold secrets for. v1a is made with a
// private key; others are to come.
const version = "v1"

// Verify returns the id of the secret that signed raw, or payment.ErrSignature,
// or payment.ErrStale for a signature that holds under a timestamp more than
// 300 s off. It doesn't look into raw.
func (a *Adapter) Verify(header http.Header, raw []byte, now time.Time) (keyID string, err error) {
	h, err := readHeaders(header)
	if err != nil {
		return "", err
	}
	keyID, ok := match(a.secrets, h, raw, now)
	if !ok {
		return "", signing.ErrNoMatch
	}
	if err := signing.Fresh(h.unix, now); err != nil {
		return "", err
	}
	return keyID, nil
}

func match(secrets []signing.Secret, h headers, raw []byte, now time.Time) (keyID string, ok bool) {
	return signing.Match(secrets, now, func(secret string) ([sha256.Size]byte, bool) {
		key, ok := keyBytes(secret)
		return h.digest(key, raw), ok && len(key) > 0
	}, h.digests...)
}

// Sign returns the signature header of a message sent at timestamp, as the
// specification describes it. It refuses a secret and an id that nobody could
// verify.
func Sign(secret, id string, timestamp int64, body []byte) (string, error) {
	key, ok := keyBytes(secret)
	h := headers{id: id, timestamp: strconv.FormatInt(timestamp, 10)}
	switch {
	case !ok || len(key) == 0:
		return "", errors.New(Name + ": the secret isn't base64 after " + prefix)
	case !isID(id):
		return "", errors.New(Name + ": the id is empty, too long or has a dot, a blank at its ends or a control character")
	case timestamp < 0:
		return "", errors.New(Name + ": the timestamp lies before 1970")
	}
	sum := h.digest(key, body)
	return version + "," + base64.StdEncoding.EncodeToString(sum[:]), nil
}

// headers are a delivery's headers, of the right form and not yet believed.
type headers struct {
	id        string
	timestamp string // as received
	unix      int64
	digests   [][sha256.Size]byte // what the entries of our version say
}

// digest takes the timestamp as it was received: formatting a number again
// could turn a text that was refused into one that verifies.
func (h headers) digest(key, raw []byte) [sha256.Size]byte {
	return signing.Digest(key, []byte(h.id), []byte("."), []byte(h.timestamp), []byte("."), raw)
}

func readHeaders(header http.Header) (h headers, err error) {
	if h.id, err = signing.Header(header, IDHeader); err != nil {
		return h, err
	}
	if h.timestamp, err = signing.Header(header, TimestampHeader); err != nil {
		return h, err
	}
	signature, err := signing.Header(header, SignatureHeader)
	if err != nil {
		return h, err
	}
	if !isID(h.id) {
		return h, signing.Malformed(IDHeader)
	}
	var ok bool
	if h.unix, ok = signing.Timestamp(h.timestamp); !ok {
		return h, signing.Malformed(TimestampHeader)
	}
	if h.digests, ok = parseSignature(signature); !ok {
		return h, signing.Malformed(SignatureHeader)
	}
	return h, nil
}

// isID refuses a dot, because it is what separates the id from the timestamp: the
// same bytes would be signed for another id at another time.
func isID(s string) bool { return wire.IsRef(s) && !strings.Contains(s, ".") }

// parseSignature reads entries of a version, a comma and the signature, with one
// blank between them. Those of other versions are skipped: a sender who changes
// over sends both. An entry of ours that can't be right makes all of the header
// malformed, and so does a header without any.
func parseSignature(s string) (digests [][sha256.Size]byte, ok bool) {
	for entry := range strings.SplitSeq(s, " ") {
		of, text, ok := strings.Cut(entry, ",")
		if !ok || of == "" || text == "" {
			return nil, false
		}
		if of != version {
			continue
		}
		sum, ok := parseDigest(text)
		if !ok {
			return nil, false
		}
		digests = append(digests, sum)
	}
	return digests, len(digests) > 0
}

func parseDigest(text string) (sum [sha256.Size]byte, ok bool) {
	if len(text) != base64.StdEncoding.EncodedLen(len(sum)) {
		return sum, false
	}
	// Decoding needs room for what padding could have been; line breaks, which the
	// decoder skips, leave fewer than 32 bytes.
	var room [sha256.Size + 1]byte
	n, err := base64.StdEncoding.Strict().Decode(room[:], []byte(text))
	return [sha256.Size]byte(room[:]), err == nil && n == len(sum)
}
