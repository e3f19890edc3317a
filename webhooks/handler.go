package webhooks

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"onceshop/payment"
	"onceshop/requestlog"
	"onceshop/store"
)

// MaxBody is how many bytes the body of a webhook may have; a longer one is answered 413.
const MaxBody = 1 << 20

const (
	smallBody   = 64 << 10         // bytes; real events rarely have more
	largeBodies = 48               // that are received at once
	readWithin  = 14 * time.Second // a sender slower than this is cut off
	storeWithin = 8 * time.Second  // providers give up at 10 s and want an answer before
)

// Handler answers POST /webhooks/{provider}; the provider is the last element of
// the path. A provider that isn't in Providers has no route. A Handler must not be
// copied.
type Handler struct {
	Providers map[string]payment.Verifier
	Inbox     *Inbox
	Now       func() time.Time // the clock for signed timestamps
	Log       *slog.Logger
	Metrics   *Metrics

	large atomic.Int64 // large bodies being received
}

// ServeHTTP verifies, parses and stores, in this order, and answers as documented
// for each code of answer.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	provider := path.Base(r.URL.Path)
	verifier, known := h.Providers[provider]
	if !known {
		provider = "unknown" // a stranger's path isn't a metric label
	}
	answer := answerPanic
	defer func() {
		if p := recover(); p != nil {
			h.Log.Error("webhook panicked", "request_id", requestlog.ID(r.Context()), "provider", provider, "panic", p, "stack", string(debug.Stack()))
		}
		h.Metrics.answered(provider, answer.code)
		if r.Context().Err() != nil {
			h.Metrics.hungUp(provider)
		}
		answer.write(w, requestlog.ID(r.Context()))
	}()

	requestlog.Route(r.Context(), "/webhooks/{provider}")
	requestlog.Add(r.Context(), slog.String("provider", provider))
	if !known {
		answer = answerUnknown
		return
	}
	answer = h.take(w, r, provider, verifier)
	requestlog.Add(r.Context(), slog.String("answer", answer.code))
}

func (h *Handler) take(w http.ResponseWriter, r *http.Request, provider string, verifier payment.Verifier) answer {
	if r.Method != http.MethodPost {
		return answerMethod
	}
	if len(r.Header.Values("Content-Encoding")) > 0 {
		return answerEncoded // the signature covers bytes we would have to inflate first
	}
	// Not every ResponseWriter has deadlines; the server's own then holds.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(readWithin))
	raw, err := h.read(w, r)
	if errors.Is(err, errCrowded) {
		return answerLater
	}
	if err != nil {
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			return answerTooLarge
		}
		return answerUnreadable
	}

	keyID, err := verifier.Verify(r.Header, raw, h.Now())
	if err != nil {
		if errors.Is(err, payment.ErrSignature) && signedOnce(verifier, r.Header, raw) {
			requestlog.Add(r.Context(), slog.String("signed_by", "a webhook secret that has ended"))
		}
		return answerFor(err)
	}
	events, err := verifier.Parse(r.Header, raw)
	if err != nil {
		return answerFor(err)
	}
	queueing, neverRefuse := verifier.(queueing)
	received := make([]store.Received, len(events))
	for i, e := range events {
		e.Provider, e.KeyID = provider, keyID
		received[i] = store.Received{Event: e, Body: raw, Copies: 1, NeverRefuse: neverRefuse}
		h.Metrics.verified(provider, keyID)
	}
	requestlog.Add(r.Context(), slog.String("event_id", events[0].ID), slog.String("event_type", events[0].Type))

	// The provider may hang up; what it has sent is stored all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), storeWithin)
	defer cancel()
	outcomes, err := h.Inbox.Store(ctx, received)
	if err != nil {
		h.Log.Error("event not stored", "request_id", requestlog.ID(ctx), "provider", provider, "event_id", events[0].ID, "error", err)
		return answerLater
	}
	for i, o := range outcomes {
		if o == Conflicting || o == Parked {
			h.Log.Warn("known event id with other content", "security", true, "request_id", requestlog.ID(ctx), "provider", provider,
				"event_id", events[i].ID, "key_id", keyID, "parked", o == Parked)
		}
	}
	switch {
	case slices.Contains(outcomes, Conflicting):
		return answerConflict
	case neverRefuse:
		return answer{200, answerStored.code, queueing.Accepted()}
	}
	return answerStored
}

// signedOnce tells of a delivery whose signature no present secret made whether one
// that has ended did: before its end, all of them count. The sender learns nothing of it,
// not even by the time that it takes, for every such delivery is looked at twice.
func signedOnce(verifier payment.Verifier, header http.Header, raw []byte) bool {
	_, err := verifier.Verify(header, raw, time.Time{})
	return err == nil || errors.Is(err, payment.ErrStale) // the signature holds, its time is another
}

// queueing is a provider that sends one event after the other and waits with all of
// them while one is refused. It wants an answer of its own.
type queueing interface{ Accepted() string }

// errCrowded means that too many large bodies are being received at once.
var errCrowded = errors.New("too many large bodies at once")

// read takes the whole body. Small ones cost no more than their connection; large
// ones, and those that don't tell their size, share a bounded memory: anybody can
// send them, signed or not.
func (h *Handler) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength < 0 || r.ContentLength > smallBody {
		if h.large.Add(1) > largeBodies {
			h.large.Add(-1)
			return nil, errCrowded
		}
		defer h.large.Add(-1)
	}
	return io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
}

// answer is one of the answers that a provider may get.
type answer struct {
	status int
	code   string
	detail string
}

var (
	answerStored     = answer{200, "RECEIVED", ""}
	answerMalformed  = answer{400, "MALFORMED_EVENT", "The body is signed but isn't one unambiguous JSON event."}
	answerStale      = answer{400, "STALE_TIMESTAMP", "The signature is right but its timestamp is more than 300 s off. Sign each delivery anew and check the clock."}
	answerUnreadable = answer{400, "UNREADABLE_BODY", "The body did not arrive whole."}
	answerSignature  = answer{401, "INVALID_SIGNATURE", "The signature doesn't match the body."}
	answerUnknown    = answer{404, "UNKNOWN_PROVIDER", "There is no such webhook."}
	answerMethod     = answer{405, "METHOD_NOT_ALLOWED", "Webhooks are sent by POST."}
	answerConflict   = answer{409, "EVENT_ID_CONFLICT", "Another event with this id but other content has been received."}
	answerTooLarge   = answer{413, "BODY_TOO_LARGE", "The body is larger than 1 MiB."}
	answerEncoded    = answer{415, "ENCODED_BODY", "Send the body as it was signed, without Content-Encoding."}
	answerPanic      = answer{500, "INTERNAL_ERROR", "The event was not stored; send it again."}
	answerLater      = answer{503, "NOT_STORED", "The event could not be stored now; send it again."}
)

func answerFor(err error) answer {
	switch {
	case errors.Is(err, payment.ErrStale):
		return answerStale
	case errors.Is(err, payment.ErrMalformed):
		return answerMalformed
	default:
		return answerSignature
	}
}

func (a answer) write(w http.ResponseWriter, requestID string) {
	w.Header().Set("Cache-Control", "no-store")
	if a.status == http.StatusOK && a.detail != "" {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, a.detail)
		return
	}
	if a.status == http.StatusOK {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"received":true}`) // a sender that left is no fault of ours
		return
	}
	switch a.status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", http.MethodPost)
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "30")
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"title": http.StatusText(a.status), "status": a.status, "code": a.code, "detail": a.detail, "request_id": requestID,
	})
}
