package stablein

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

// callError is a call that didn't succeed. It holds what was tried and why it
// failed in words of our own: neither the key nor anything the API wrote.
type callError struct {
	what  string // e.g. "fetch a payment"
	why   string
	kind  error // of package payment
	cause error // the caller's own context error, if that was the reason
	after time.Duration
	again bool // one more attempt may help
}

func (e *callError) Error() string {
	return fmt.Sprintf("stablein: %s: %s: %v", e.what, e.why, e.kind)
}

func (e *callError) Unwrap() []error {
	if e.cause != nil {
		return []error{e.kind, e.cause}
	}
	return []error{e.kind}
}

// RetryAfter is how long the API asked to be left alone; 0 if it didn't.
// Callers find it with errors.As, as an interface of their own.
func (e *callError) RetryAfter() time.Duration { return e.after }

func refused(what, why string) error {
	return &callError{what: what, why: why, kind: payment.ErrRefused}
}

func unreadable(what, why string) error {
	return &callError{what: what, why: "the answer " + why, kind: payment.ErrLater}
}

// failed is a request or a reading of its answer that broke off. A timeout is
// not tried again: who is too slow isn't helped by a second call.
func failed(ctx context.Context, what string, err error) *callError {
	e := &callError{what: what, kind: payment.ErrLater, cause: ctx.Err()}
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

// answered turns a status into an error, or nil for success. namesPayment
// tells whether a 404 can mean a payment; elsewhere it is a wrong address.
func answered(what string, status int, code string, namesPayment bool) *callError {
	e := &callError{what: what, why: fmt.Sprintf("status %d", status)}
	if code != "" {
		e.why += " " + code
	}
	switch {
	case status == http.StatusOK || status == http.StatusCreated || status == http.StatusAccepted:
		return nil
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e.kind = payment.ErrUnauthorised
	case status == http.StatusNotFound && namesPayment:
		e.kind = payment.ErrNotFound
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status == http.StatusTooEarly:
		e.kind, e.again = payment.ErrLater, true
	case status >= 500:
		e.kind, e.again = payment.ErrLater, true
	case status >= 400:
		e.kind = payment.ErrRefused
	case status >= 300:
		// Following would carry the key to wherever the answer points.
		e.kind = payment.ErrLater
		e.why += ", a redirect, which isn't followed"
	default:
		e.kind = payment.ErrLater
	}
	return e
}
