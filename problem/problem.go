// Package problem is the shop's one error type. A message is for the person who
// asked; everything that isn't a *Error is internal: logged, and shown as such.
// A duplicate and a stale event are results, not errors, and don't appear here.
package problem

import (
	"errors"
	"fmt"
)

// Kind says whose fault it is and so which status a page gets.
type Kind int

// The kinds. Unavailable is the only one that is worth the same request again.
const (
	Internal Kind = iota
	Invalid
	NotFound
	Forbidden
	Conflict
	Unavailable
)

// Error is a failure that a person can be told about. Field names the input that
// caused it, if one did.
type Error struct {
	Kind    Kind
	Field   string
	Message string
	Cause   error // for the log only
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of the first *Error in err's chain, else Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// Bad is an Invalid error of one field.
func Bad(field, format string, args ...any) error {
	return &Error{Kind: Invalid, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Missing is a NotFound error.
func Missing(format string, args ...any) error {
	return &Error{Kind: NotFound, Message: fmt.Sprintf(format, args...)}
}

// Clash is a Conflict error: the request was right, but not in this state.
func Clash(format string, args ...any) error {
	return &Error{Kind: Conflict, Message: fmt.Sprintf(format, args...)}
}

// Later is an Unavailable error with its cause for the log.
func Later(cause error, format string, args ...any) error {
	return &Error{Kind: Unavailable, Message: fmt.Sprintf(format, args...), Cause: cause}
}
