package config

import (
	"fmt"
	"log/slog"
)

// Secret is a value that is handed on and never shown: not by %v, %+v or %#v of
// the whole Config, not in a log line, not as JSON.
type Secret string

// Reveal returns the value itself.
func (s Secret) Reveal() string { return string(s) }

// Bytes returns the value as a key.
func (s Secret) Bytes() []byte { return []byte(s) }

const hidden = "(secret)"

// String hides the value, and shows whether there is one.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// Format hides the value from every verb, %q and %x included.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// LogValue hides the value from structured logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the value from JSON.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
