package stablein

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"onceshop/payment"
)

// Name is what StableIn is called in routes and records.
const Name = "stablein"

// Config is what an Adapter needs to know.
type Config struct {
	// Secrets sign the webhooks; at least one, each with an id of its own.
	Secrets []Secret
	// BaseURL is the API's address without the path "/v1". An adapter without
	// one verifies and parses, and refuses to call.
	BaseURL string
	// APIKey is sent as a bearer token.
	APIKey string
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, to read dates in Retry-After; nil means time.Now.
	Now func() time.Time
}

// Adapter is StableIn as the shop sees it. It is safe for concurrent use.
type Adapter struct {
	secrets []Secret
	base    string
	apiKey  string
	http    *http.Client
	now     func() time.Time
}

var (
	_ payment.Verifier = (*Adapter)(nil)
	_ payment.Fetcher  = (*Adapter)(nil)
	_ payment.Creator  = (*Adapter)(nil)
)

// New returns an adapter, or says what is wrong with c without printing any
// secret. It refuses to work without secrets or with an empty one: an empty
// key would verify what anybody can sign. How strong a secret is, CheckSecret
// tells.
func New(c Config) (*Adapter, error) {
	if len(c.Secrets) == 0 {
		return nil, errors.New("stablein: no webhook secret is set")
	}
	seen := make(map[string]bool)
	for _, s := range c.Secrets {
		switch {
		case s.ID == "":
			return nil, errors.New("stablein: a webhook secret has no id")
		case seen[s.ID]:
			return nil, fmt.Errorf("stablein: two webhook secrets have the id %q", s.ID)
		case s.Key == "":
			return nil, fmt.Errorf("stablein: webhook secret %q is empty", s.ID)
		}
		seen[s.ID] = true
	}
	if c.BaseURL != "" && !isWebAddress(c.BaseURL) {
		return nil, errors.New("stablein: the API's address is not an http or https URL without user, query and fragment")
	}
	if strings.ContainsFunc(c.APIKey, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("stablein: the API key has a character that a header can't carry")
	}
	a := &Adapter{
		secrets: append([]Secret(nil), c.Secrets...),
		base:    strings.TrimRight(c.BaseURL, "/"),
		apiKey:  c.APIKey,
		http:    client(c.HTTP),
		now:     c.Now,
	}
	if a.now == nil {
		a.now = time.Now
	}
	return a, nil
}

// Close drops idle connections.
func (a *Adapter) Close() { a.http.CloseIdleConnections() }

// isWebAddress refuses addresses with a user, because they would appear in
// errors with it.
func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.User == nil && u.RawQuery == "" && u.Fragment == "" && u.Opaque == ""
}
