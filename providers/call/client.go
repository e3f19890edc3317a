package call

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/providers/wire"
)

const (
	callTimeout = 5 * time.Second        // of one attempt
	pause       = 200 * time.Millisecond // before the second, unless told otherwise
	maxPause    = 2 * time.Second        // what asks for more is for the caller's schedule
	maxAnswer   = 1 << 20
)

// Config is what an API needs to know.
type Config struct {
	Provider string // its name in errors
	// Base is the API's address, to which paths are added. An API without one
	// refuses to call.
	Base string
	// Credentials sign our requests in. An API without them refuses to call.
	Credentials Credentials
	// Header is in every request.
	Header map[string]string
	// KeyHeader carries idempotency keys; empty: Idempotency-Key.
	KeyHeader string
	// Busy says that a 409 means that the same request is still under way.
	Busy bool
	// KeyUsed and KeyBusy are the codes of refusals which say that the idempotency key
	// had another request before, and that one under it is still under way. Empty: the
	// API has no such code.
	KeyUsed, KeyBusy string
	// Reason reads the code of a refusal from its answer, "" if there is none.
	// Nothing but a code gets into our errors; nil reads none.
	Reason func(answer []byte) string
	// HTTP makes the calls; nil means a client of our own. Its redirects and
	// cookies are switched off, and a missing timeout becomes 5 seconds.
	HTTP *http.Client
	// Now tells the time, to read dates in Retry-After; nil means time.Now.
	Now func() time.Time
}

// API is a provider's API. It is safe for concurrent use.
type API struct{ Config }

// New refuses an address that isn't one, or that has a user in it, who would
// appear in errors, and credentials that no request can carry.
func New(c Config) (*API, error) {
	if err := CheckAddress(c.Base); c.Base != "" && err != nil {
		return nil, fmt.Errorf("%s: the API's address %w", c.Provider, err)
	}
	if err := c.Credentials.fault; err != nil {
		return nil, fmt.Errorf("%s: the API key %w", c.Provider, err)
	}
	c.Base, c.HTTP = strings.TrimRight(c.Base, "/"), client(c.HTTP)
	if c.KeyHeader == "" {
		c.KeyHeader = "Idempotency-Key"
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return &API{c}, nil
}

// Close drops idle connections.
func (a *API) Close() { a.HTTP.CloseIdleConnections() }

// client returns a copy of c that follows no redirect and keeps no cookie: both
// could carry our key's doings elsewhere.
func client(c *http.Client) *http.Client {
	if c == nil {
		c = &http.Client{Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: 3 * time.Second}).DialContext,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    16,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: 64 << 10,
		}}
	}
	own := *c
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	own.Jar = nil
	if own.Timeout == 0 {
		own.Timeout = callTimeout
	}
	return &own
}

// Request is one question to the API. It is asked a second time where that may
// help, unless Once is set: reads may be repeated, and writes with an idempotency
// key.
type Request struct {
	What         string // e.g. "fetch a payment"; begins our errors
	Method, Path string // no method: GET
	Query        url.Values
	Header       map[string]string
	Key          string // idempotency key; empty: none
	Body         []byte
	NamesPayment bool // a 404 means an unknown payment; elsewhere it is a wrong address
	Once         bool // a repetition could act twice
}

// Do asks and reads the answer's document. One that can't be read without doubt is
// worth asking for again, later.
func (a *API) Do(ctx context.Context, r Request, into wire.Value) error {
	answer, err := a.ask(ctx, r)
	if err != nil {
		return err
	}
	if err := wire.ReadDocument(answer, into); err != nil {
		return a.Unreadable(r.What, err.Error())
	}
	return nil
}

// ask returns the answer's body. It tries a second time if that may help and
// the context leaves time for it.
func (a *API) ask(ctx context.Context, r Request) ([]byte, error) {
	switch {
	case a.Base == "":
		return nil, a.Refused(r.What, "no address of the API is set")
	case a.Credentials.put == nil:
		return nil, a.Refused(r.What, "no API key is set")
	}
	data, failure := a.attempt(ctx, r)
	if failure == nil {
		return data, nil
	}
	wait := max(failure.after, pause)
	deadline, limited := ctx.Deadline()
	if r.Once || !failure.again || wait > maxPause || limited && time.Until(deadline) <= wait {
		return nil, failure
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, a.failed(ctx, r.What, ctx.Err())
	case <-timer.C:
	}
	if data, failure = a.attempt(ctx, r); failure != nil {
		return nil, failure
	}
	return data, nil
}

func (a *API) attempt(ctx context.Context, r Request) ([]byte, *Error) {
	address := a.Base + r.Path
	if len(r.Query) > 0 {
		address += "?" + r.Query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, address, bytes.NewReader(r.Body))
	if err != nil {
		return nil, a.fault(r.What, "no request can be made of it", payment.ErrRefused)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "onceshop")
	for _, header := range []map[string]string{a.Header, r.Header} {
		for name, value := range header {
			req.Header.Set(name, value)
		}
	}
	if r.Key != "" {
		req.Header.Set(a.KeyHeader, r.Key)
	}
	a.Credentials.put(req)
	res, err := a.HTTP.Do(req)
	if err != nil {
		return nil, a.failed(ctx, r.What, err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	failure := a.answered(r, res.StatusCode, data)
	switch {
	case failure != nil:
		failure.after = a.retryAfter(res.Header.Get("Retry-After"))
		return nil, failure
	case err != nil:
		return nil, a.failed(ctx, r.What, err)
	case len(data) > maxAnswer:
		return nil, a.fault(r.What, "the answer is longer than 1 MiB", payment.ErrLater)
	}
	return data, nil
}

// retryAfter reads seconds or a date.
func (a *API) retryAfter(s string) time.Duration {
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, t.Sub(a.Now()))
	}
	return 0
}

// reasonCode is narrow, so that nothing but a code gets into our errors.
var reasonCode = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*([_-][A-Za-z0-9]+)*$`)

func (a *API) reason(answer []byte) string {
	if a.Reason == nil {
		return ""
	}
	code := a.Reason(answer)
	if len(code) > 64 || !reasonCode.MatchString(code) {
		return ""
	}
	return code
}
