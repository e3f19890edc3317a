package call

import "net/http"

// Bearer signs in with a key as bearer token.
func Bearer(key string) func(*http.Request) {
	if key == "" {
		return nil
	}
	return InHeader("Authorization", "Bearer "+key)
}

// Basic signs in with a key's id and secret.
func Basic(id, secret string) func(*http.Request) {
	if id == "" {
		return nil
	}
	return func(r *http.Request) { r.SetBasicAuth(id, secret) }
}

// InHeader signs in with a key in a header of its own.
func InHeader(name, key string) func(*http.Request) {
	if key == "" {
		return nil
	}
	return func(r *http.Request) { r.Header.Set(name, key) }
}
