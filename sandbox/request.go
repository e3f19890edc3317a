package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// ReadJSON reads one strict JSON document: unknown and doubled members are
// mistakes that a practice platform should show. No body is an empty object.
func ReadJSON(r *http.Request, v any) error {
	body, err := io.ReadAll(r.Body)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return &Error{http.StatusRequestEntityTooLarge, "BODY_TOO_LARGE", "at most 1 MiB is read"}
	}
	if err != nil {
		return &Error{http.StatusBadRequest, "BODY_UNREADABLE", "the body broke off"}
	}
	if len(body) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, v, json.RejectUnknownMembers(true)); err != nil {
		return &Error{http.StatusBadRequest, "MALFORMED_JSON", malformed(err)}
	}
	return nil
}

// malformed tells a caller where the body is wrong, without this program's own
// names for things.
func malformed(err error) string {
	if member, ok := errors.AsType[*json.SemanticError](err); ok {
		switch {
		case errors.Is(member, json.ErrUnknownName):
			return fmt.Sprintf("the member %s is not known here", member.JSONPointer)
		case member.JSONPointer != "":
			return fmt.Sprintf("the member %s is not of the form it has to be", member.JSONPointer)
		}
	}
	return "the body is not one valid JSON document of the form it has to be"
}

// IdempotencyKey is required where a repeated call must not act twice.
func IdempotencyKey(r *http.Request) (string, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" || len(key) > 255 || strings.TrimSpace(key) != key {
		return "", &Error{http.StatusBadRequest, "IDEMPOTENCY_KEY_MISSING", "send an Idempotency-Key of 1 to 255 bytes"}
	}
	return key, nil
}

// Only refuses parameters that aren't known.
func Only(q url.Values, known ...string) error {
	for name := range q {
		if !slices.Contains(known, name) {
			return Invalid(name, "isn't known here")
		}
	}
	return nil
}

// SecondsWindow reads which page of a list is asked for by count and skip, and by from
// and to in seconds since 1970, both included.
func SecondsWindow(q url.Values, dialect string) (Window, error) {
	const latest = 1e11
	w := Window{Dialect: dialect, Limit: 10}
	for _, p := range []struct {
		name string
		most int64
		set  func(n int64)
	}{
		{"from", latest, func(n int64) { w.From = time.Unix(n, 0).UTC() }},
		// That second's last instant is still in it.
		{"to", latest, func(n int64) { w.To = time.Unix(n+1, 0).UTC().Add(-time.Microsecond) }},
		{"count", 100, func(n int64) { w.Limit = cmp.Or(int(n), w.Limit) }},
		{"skip", 1e9, func(n int64) { w.Skip = int(n) }},
	} {
		if !q.Has(p.name) {
			continue
		}
		n, err := strconv.ParseInt(q.Get(p.name), 10, 64)
		if err != nil || n < 0 || n > p.most {
			return w, Invalid(p.name, "must be a whole number from 0 to "+strconv.FormatInt(p.most, 10))
		}
		p.set(n)
	}
	return w, nil
}
