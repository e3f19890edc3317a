package call

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"onceshop/payment"
)

// Error is a call that didn't succeed. It holds what was tried and why it
// failed in words of our own: neither the key nor anything the API wrote.
type Error struct {
	provider string
	what     string // e.g. "fetch a payment"
	why      string
	kind     error // of package payment
	status   int
	code     string
	cause    error         // the caller's own context error, if that was the reason
	keyUsed  bool          // another request was made under the key
	after    time.Duration // how long the API asked to be left alone
	again    bool          // one more attempt may help
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s: %s: %v", e.provider, e.what, e.why, e.kind)
}

// Unwrap returns the kind, one of package payment's errors, and beside it the caller's
// own context error if that was the reason, and payment.ErrKeyUsed.
func (e *Error) Unwrap() []error {
	kinds := []error{e.kind}
	if e.cause != nil {
		kinds = append(kinds, e.cause)
	}
	if e.keyUsed {
		kinds = append(kinds, payment.ErrKeyUsed)
	}
	return kinds
}

// Status is the answer's HTTP status; 0 if there was no answer.
func (e *Error) Status() int { return e.status }

// Code is the code of the refusal, as Config.Reason read it; empty if it had none.
func (e *Error) Code() string { return e.code }

func (a *API) fault(what, why string, kind error) *Error {
	return &Error{provider: a.Provider, what: what, why: why, kind: kind}
}

// Refused is a request that can't be made, or that a provider won't take.
func (a *API) Refused(what, why string) error { return a.fault(what, why, payment.ErrRefused) }

// Unknown is a reference that can't be one of the provider's.
func (a *API) Unknown(what, why string) error { return a.fault(what, why, payment.ErrNotFound) }

// Later is a request that is worth repeating, later.
func (a *API) Later(what, why string) error { return a.fault(what, why, payment.ErrLater) }

// Unreadable is an answer that can't be read without doubt; why continues "the
// answer". It is worth asking again, later.
func (a *API) Unreadable(what, why string) error {
	return a.fault(what, "the answer "+why, payment.ErrLater)
}

// failed is a request or a reading of its answer that broke off. A timeout is
// not tried again: who is too slow isn't helped by a second call.
func (a *API) failed(ctx context.Context, what string, err error) *Error {
	e := a.fault(what, "", payment.ErrLater)
	e.cause = ctx.Err()
	var timeout net.Error
	var dns *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(e.cause, context.Canceled):
		e.why = "cancelled"
	case errors.As(err, &timeout) && timeout.Timeout() || e.cause != nil:
		e.why = "timed out"
	case errors.As(err, &certificate):
		e.why = "the server's certificate isn't trusted"
	case errors.As(err, &dns):
		e.why, e.again = "the server's name wasn't found", true
	case errors.As(err, &op) && op.Op == "dial":
		e.why, e.again = "can't connect to the server", true
	default:
		e.why, e.again = "the connection broke", true
	}
	return e
}

// answered turns a status into an error, or nil for success.
func (a *API) answered(r Request, status int, answer []byte) *Error {
	if status == http.StatusOK || status == http.StatusCreated || status == http.StatusAccepted {
		return nil
	}
	e := a.fault(r.What, fmt.Sprintf("status %d", status), payment.ErrLater)
	e.status, e.code = status, a.reason(answer)
	if e.code != "" {
		e.why += " " + e.code
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.kind = payment.ErrUnauthorised
	case status == http.StatusNotFound && r.NamesPayment:
		e.kind = payment.ErrNotFound
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status == http.StatusTooEarly || status >= 500:
		e.again = true
	case status == http.StatusConflict && a.Busy, r.Key != "" && e.code != "" && e.code == a.KeyBusy:
		e.why += ", the same request is still under way"
	case r.Key != "" && e.code != "" && e.code == a.KeyUsed:
		// It proves that something was done under the key, not that nothing was.
		e.why += ", the key was used for another request"
		e.keyUsed = true
	case status >= 400:
		e.kind = payment.ErrRefused
	case status >= 300:
		// Following would carry the key to wherever the answer points.
		e.why += ", a redirect, which isn't followed"
	}
	return e
}
