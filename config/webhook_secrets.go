package config

import (
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"onceshop/providers/signing"
)

// WebhookSecrets are the secrets that verify one provider's webhooks, as they are
// written into a setting: one, or several separated by commas, each as
//
//	[name:]secret[@end]
//
// Several count while one takes over from another, or where the provider has the
// shop's address twice. The name is kept with each event that the secret verified;
// end is the last moment at which it counts. A secret that has a colon or an @ in
// it therefore wants a name or an end around it, and one with a comma can't be used.
//
// Like a Secret it is never shown.
type WebhookSecrets string

// List returns the secrets, in the order in which they are written. Its error is a
// predicate and repeats none of them, nor a name: that may be a part of a secret.
func (w WebhookSecrets) List() ([]signing.Secret, error) {
	if w == "" {
		return nil, nil
	}
	entries := w.entries()
	list := make([]signing.Secret, 0, len(entries))
	names, keys := map[string]bool{}, map[string]bool{}
	for i, entry := range entries {
		s, err := readSecret(entry)
		if s.ID == "" {
			s.ID = usualName(i)
		}
		switch {
		case err != nil:
		case names[s.ID]:
			err = errors.New("has the name of another one")
		case keys[s.Key]:
			err = errors.New("is the same as another one")
		}
		if err != nil {
			return nil, inPlace(i, len(entries), err)
		}
		names[s.ID], keys[s.Key] = true, true
		list = append(list, s)
	}
	return list, nil
}

// Ended tells whether there are secrets but none counts any more: every webhook
// would be refused.
func (w WebhookSecrets) Ended(now time.Time) bool {
	list, err := w.List()
	counts := func(s signing.Secret) bool { return s.ValidAt(now) }
	return err == nil && len(list) > 0 && !slices.ContainsFunc(list, counts)
}

// Check is what is wrong with the secrets, as a predicate. strength is the
// provider's own rule for one of them.
func (w WebhookSecrets) Check(strength func(secret string) error) error {
	list, err := w.List()
	if err != nil {
		return err
	}
	for i, s := range list {
		if err := strength(s.Key); err != nil {
			return inPlace(i, len(list), err)
		}
	}
	return nil
}

// entries cuts at commas, but for the one of a signature that somebody took for a
// secret: two halves of it would be two faults, neither of which says what happened.
func (w WebhookSecrets) entries() (list []string) {
	whole := true
	for part := range strings.SplitSeq(string(w), ",") {
		if whole {
			list = append(list, part)
		} else {
			list[len(list)-1] += "," + part
		}
		name, secret, named := strings.Cut(part, ":")
		if !named {
			secret = name
		}
		whole = secret+"," != signing.SignaturePrefix
	}
	return list
}

var secretName = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

func readSecret(entry string) (s signing.Secret, err error) {
	switch {
	case entry == "":
		return s, errors.New("is empty")
	case strings.TrimSpace(entry) != entry:
		return s, errors.New("has white space around it")
	}
	s.Key = entry
	if at := strings.LastIndex(s.Key, "@"); at >= 0 {
		if s.ValidUntil, err = time.Parse(time.RFC3339, s.Key[at+1:]); err != nil {
			return s, errors.New("has an end that isn't a time such as 2026-12-31T23:59:59Z; an @ begins one")
		}
		s.Key = s.Key[:at]
	}
	if name, key, named := strings.Cut(s.Key, ":"); named {
		if !secretName.MatchString(name) {
			return s, errors.New("has a name that isn't 1 to 32 of a-z, 0-9 and -; a colon ends one")
		}
		s.ID, s.Key = name, key
	}
	switch {
	case s.Key == "" && !s.ValidUntil.IsZero():
		return s, errors.New("is an end without a secret")
	case s.Key == "":
		return s, errors.New("is a name without a secret")
	case strings.TrimSpace(s.Key) != s.Key:
		return s, errors.New("has white space around it")
	}
	return s, nil
}

func usualName(i int) string {
	switch i {
	case 0:
		return "current"
	case 1:
		return "previous"
	}
	return fmt.Sprintf("secret-%d", i+1)
}

// inPlace tells which of several secrets a fault is of.
func inPlace(i, of int, err error) error {
	if of == 1 {
		return err
	}
	return fmt.Errorf("(secret %d of %d) %w", i+1, of, err)
}

// String hides the secrets, and shows whether there are any.
func (w WebhookSecrets) String() string { return Secret(w).String() }

// Format hides the secrets from every verb, %q and %x included.
func (w WebhookSecrets) Format(f fmt.State, verb rune) { Secret(w).Format(f, verb) }

// LogValue hides the secrets from structured logs.
func (w WebhookSecrets) LogValue() slog.Value { return Secret(w).LogValue() }

// MarshalText hides the secrets from JSON.
func (w WebhookSecrets) MarshalText() ([]byte, error) { return Secret(w).MarshalText() }
