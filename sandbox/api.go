package sandbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// maxBody is the longest request that is read.
const maxBody = 1 << 20

// APIFunc handles one call: it returns the answer's status and JSON value, or an
// error that is refused in the API's way. A []byte is sent as it is.
type APIFunc func(r *http.Request) (status int, answer any, err error)

// API is how a provider's API treats its callers.
type API struct {
	// Authorised tells whether the caller has shown the credentials.
	Authorised func(r *http.Request) bool
	// Refusal is the answer to what went wrong: the provider's own status, which may
	// be the error's, and its body.
	Refusal func(e *Error) (status int, body any)
	// ContentType of refusals; default application/json.
	ContentType string
	// Challenge is the WWW-Authenticate of a caller who isn't authorised; empty: none.
	Challenge string
}

// Serve makes a provider's API of its calls, by their patterns as of http.ServeMux:
// it asks for credentials, bounds the body, is slow or away when the switches say so,
// and answers in JSON. What isn't among the calls isn't found.
func (s *Server) Serve(a API, calls map[string]APIFunc) http.Handler {
	mux := http.NewServeMux()
	for pattern, h := range calls {
		mux.Handle(pattern, s.call(a, s.faulty(h)))
	}
	if calls["/"] == nil {
		mux.Handle("/", s.call(a, s.faulty(unknown)))
	}
	return mux
}

func unknown(*http.Request) (int, any, error) { return 0, nil, NotFound("route or method") }

// api returns the routes under /v1/. The practice routes bypass the API's
// faults: they are how the faults are switched off again.
func (s *Server) api() http.Handler {
	mux := http.NewServeMux()
	a := API{s.authorised, problem, "application/problem+json", "Bearer"}
	provider := func(pattern string, h APIFunc) { mux.Handle(pattern, s.call(a, s.faulty(h))) }
	practice := func(pattern string, h APIFunc) { mux.Handle(pattern, s.call(a, h)) }

	provider("POST /v1/orders", s.postOrder)
	provider("GET /v1/orders", s.getOrders)
	provider("GET /v1/orders/{id}", s.getOrder)
	provider("POST /v1/orders/{id}/refunds", s.postRefund)
	provider("GET /v1/events", s.getEvents)

	practice("POST /v1/test/orders/{id}/{action}", s.postAction)
	practice("GET /v1/test/orders/{id}", s.getNamed)
	practice("GET /v1/test/faults", s.getFaults)
	practice("PUT /v1/test/faults", s.putFaults)
	practice("GET /v1/test/deliveries", s.getDeliveries)
	practice("POST /v1/test/deliveries/{id}/resend", s.postResend)
	practice("POST /v1/webhook-endpoints", s.postEndpoint)
	practice("GET /v1/webhook-endpoints", s.getEndpoints)
	practice("DELETE /v1/webhook-endpoints/{id}", s.deleteEndpoint)

	mux.Handle("/v1/", s.call(a, unknown))
	return mux
}

// call authorises, runs and answers one call.
func (s *Server) call(a API, h APIFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		if !a.Authorised(r) {
			if a.Challenge != "" {
				w.Header().Set("WWW-Authenticate", a.Challenge)
			}
			s.refuse(w, r, a, &Error{http.StatusUnauthorized, "UNAUTHORIZED", "send the API key as bearer token"})
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		status, answer, err := h(r)
		if err != nil {
			s.refuse(w, r, a, err)
			return
		}
		s.writeJSON(w, r, "application/json", status, answer)
	})
}

func hashKey(key string) [32]byte { return sha256.Sum256([]byte(key)) }

// authorised compares hashes, so that not even the length of the key shows in
// the time it takes.
func (s *Server) authorised(r *http.Request) bool { return bearer(r, s.keyHash) }

func bearer(r *http.Request, want [32]byte) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got := hashKey(token)
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// Bearer is an API.Authorised for a key that callers send as bearer token.
func Bearer(key string) func(r *http.Request) bool {
	want := hashKey(key)
	return func(r *http.Request) bool { return bearer(r, want) }
}

// Basic is an API.Authorised for a key whose id and secret callers send with basic
// authentication.
func Basic(id, secret string) func(r *http.Request) bool {
	return func(r *http.Request) bool {
		sentID, sentSecret, ok := r.BasicAuth()
		return Same(sentID, id) && Same(sentSecret, secret) && ok
	}
}

// Same compares texts, such as keys, in a time that tells nothing about them.
func Same(a, b string) bool {
	x, y := hashKey(a), hashKey(b)
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// faulty makes a call slow or unavailable when the switches say so.
func (s *Server) faulty(h APIFunc) APIFunc {
	return func(r *http.Request) (int, any, error) {
		f, err := generalFaults(r.Context(), s.db)
		if err != nil {
			return 0, nil, err
		}
		if f.APISlowMS > 0 {
			slow := time.NewTimer(time.Duration(f.APISlowMS) * time.Millisecond)
			defer slow.Stop()
			select {
			case <-slow.C:
			case <-r.Context().Done():
				return 0, nil, r.Context().Err()
			}
		}
		if f.APIDown {
			return 0, nil, &Error{http.StatusServiceUnavailable, "UNAVAILABLE", "switched off by a fault"}
		}
		return h(r)
	}
}

// refuse answers with an error, in the API's way. Internal causes go to the log
// only.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, a API, err error) {
	e := asError(err)
	if e.Status >= 500 && !errors.Is(err, context.Canceled) {
		s.log.Error("call failed", "method", r.Method, "path", r.URL.Path, "code", e.Code, "error", err)
	}
	if e.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	status, body := a.Refusal(e)
	s.writeJSON(w, r, cmp.Or(a.ContentType, "application/json"), status, body)
}

// problem is StableIn's refusal, in the shape of RFC 9457.
func problem(e *Error) (int, any) {
	return e.Status, problemJSON{
		Type: "about:blank", Title: http.StatusText(e.Status), Status: e.Status, Code: e.Code, Detail: e.Detail,
	}
}

type problemJSON struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func (s *Server) writeJSON(w http.ResponseWriter, r *http.Request, contentType string, status int, value any) {
	body, ready := value.([]byte)
	var err error
	if !ready {
		body, err = json.Marshal(value)
	}
	if err != nil {
		s.log.Error("answer not encoded", "path", r.URL.Path, "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(body) // a caller that is gone can't be told
}

// OrNull is a member of an answer that is null where there is nothing to say.
func OrNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
