package sandbox

import (
	"errors"
	"net/http"

	"onceshop/database"
)

// Error is a refusal the caller can understand. Everything else that goes wrong
// is internal and shown without its text.
type Error struct {
	Status int    // the HTTP answer
	Code   string // for programs
	Detail string // for people
}

func (e *Error) Error() string { return e.Detail }

// Invalid refuses a request for what one of its members or parameters says.
func Invalid(field, detail string) error {
	return &Error{http.StatusUnprocessableEntity, "INVALID_FIELD", field + ": " + detail}
}

func conflict(code, detail string) error { return &Error{http.StatusConflict, code, detail} }

// NotFound says that there is no such thing.
func NotFound(what string) error {
	return &Error{http.StatusNotFound, "NOT_FOUND", "there is no such " + what}
}

// IsNotFound tells whether that is what is wrong.
func IsNotFound(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Status == http.StatusNotFound
}

func keyReused() error {
	return conflict("IDEMPOTENCY_KEY_REUSED", "this Idempotency-Key was used with another request")
}

// asError turns any error into an answer.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if database.IsUnavailable(err) {
		return &Error{http.StatusServiceUnavailable, "UNAVAILABLE", "try again shortly"}
	}
	return &Error{http.StatusInternalServerError, "INTERNAL", "something went wrong here"}
}
