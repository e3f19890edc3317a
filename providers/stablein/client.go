package stablein

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
)

const (
	callTimeout = 5 * time.Second        // of one attempt
	pause       = 200 * time.Millisecond // before the second, unless told otherwise
	maxPause    = 2 * time.Second        // what asks for more is for the caller's schedule
	maxAnswer   = 1 << 20
)

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

// call is one question to the API. Reads, and writes with an idempotency key,
// may be asked twice; there are no others.
type call struct {
	what         string
	method, path string
	query        url.Values
	key          string // Idempotency-Key
	body         []byte
	namesPayment bool
}

// do returns the answer's body. It tries a second time if that may help and
// the context leaves time for it.
func (a *Adapter) do(ctx context.Context, c call) ([]byte, error) {
	if a.base == "" {
		return nil, refused(c.what, "no address of the API is set")
	}
	data, failure := a.attempt(ctx, c)
	if failure == nil {
		return data, nil
	}
	wait := max(failure.after, pause)
	deadline, limited := ctx.Deadline()
	if !failure.again || wait > maxPause || limited && time.Until(deadline) <= wait {
		return nil, failure
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, failed(ctx, c.what, ctx.Err())
	case <-timer.C:
	}
	if data, failure = a.attempt(ctx, c); failure != nil {
		return nil, failure
	}
	return data, nil
}

func (a *Adapter) attempt(ctx context.Context, c call) ([]byte, *callError) {
	address := a.base + c.path
	if len(c.query) > 0 {
		address += "?" + c.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, c.method, address, bytes.NewReader(c.body))
	if err != nil {
		return nil, &callError{what: c.what, why: "no request can be made of it", kind: payment.ErrRefused}
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "onceshop")
	if a.apiKey != "" {
		req.Header.Set("Authorization", "Bearer "+a.apiKey)
	}
	if c.method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Idempotency-Key", c.key)
	}
	res, err := a.http.Do(req)
	if err != nil {
		return nil, failed(ctx, c.what, err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	failure := answered(c.what, res.StatusCode, code(data), c.namesPayment)
	switch {
	case failure != nil:
		failure.after = a.retryAfter(res.Header.Get("Retry-After"))
		return nil, failure
	case err != nil:
		return nil, failed(ctx, c.what, err)
	case len(data) > maxAnswer:
		return nil, &callError{what: c.what, why: "the answer is longer than 1 MiB", kind: payment.ErrLater}
	}
	return data, nil
}

// retryAfter reads seconds or a date.
func (a *Adapter) retryAfter(s string) time.Duration {
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if t, err := http.ParseTime(s); err == nil {
		return max(0, t.Sub(a.now()))
	}
	return 0
}

// reasonCode is narrow, so that nothing but a code gets into our errors.
var reasonCode = regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)

// code reads the reason of a refusal, if it has one.
func code(answer []byte) string {
	r := refusal{word{max: 64}}
	if readDocument(answer, &r) != nil || !reasonCode.MatchString(r.code.s) {
		return ""
	}
	return r.code.s
}

type refusal struct{ code word }

func (r *refusal) read(dec *jsontext.Decoder) error {
	return readObject(dec, member{"code", &r.code})
}

// sendable tells whether s can be an Idempotency-Key.
func sendable(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != "" && len(s) <= maxRef
}
