package call

import (
	"cmp"
	"errors"
	"net/http"
	"strings"
)

// Credentials sign our requests in. The zero value is none.
type Credentials struct {
	put   func(*http.Request)
	fault error // why they can't be sent, as a predicate that repeats nothing of them
}

// Bearer signs in with a key as bearer token.
func Bearer(key string) Credentials { return inHeader("Authorization", "Bearer ", key) }

// InHeader signs in with a key in a header of its own.
func InHeader(name, key string) Credentials { return inHeader(name, "", key) }

func inHeader(name, scheme, key string) Credentials {
	if key == "" {
		return Credentials{}
	}
	return Credentials{func(r *http.Request) { r.Header.Set(name, scheme+key) }, CheckCredential(key)}
}

// Basic signs in with a key's id and secret.
func Basic(id, secret string) Credentials {
	c := Credentials{put: func(r *http.Request) { r.SetBasicAuth(id, secret) }}
	switch {
	case id == "" && secret == "":
		return Credentials{}
	case id == "" || secret == "":
		c.fault = errors.New("needs both its id and its secret")
	default:
		c.fault = cmp.Or(CheckUser(id), CheckCredential(secret))
	}
	return c
}

// CheckCredential tells what keeps a key from being sent.
func CheckCredential(key string) error {
	if !IsHeader(key) {
		return errors.New("has a character that a header can't carry")
	}
	return nil
}

// CheckUser is CheckCredential for the id of a key that has a secret besides.
func CheckUser(id string) error {
	if strings.Contains(id, ":") {
		return errors.New("has a colon, which ends an id")
	}
	return CheckCredential(id)
}
