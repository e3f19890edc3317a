package call

import (
	"context"
	"maps"
	"net/http"

	"github.com/go-json-experiment/json"
)

// maxKey is the longest idempotency key that any provider takes.
const maxKey = 255

// CheckKey refuses an idempotency key that can't be sent.
func (a *API) CheckKey(what, key string) error {
	if !IsHeader(key) || len(key) > maxKey {
		return a.Refused(what, "the idempotency key is empty, too long or can't be a header")
	}
	return nil
}

// PostJSON sends body, as the same bytes whenever it is the same.
func (a *API) PostJSON(ctx context.Context, r Request, body any) ([]byte, error) {
	data, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return nil, a.Refused(r.What, "a text isn't valid UTF-8")
	}
	header := map[string]string{"Content-Type": "application/json"}
	maps.Copy(header, r.Header)
	r.Method, r.Body, r.Header = http.MethodPost, data, header
	return a.Do(ctx, r)
}

// PostKeyed is PostJSON under an idempotency key: the same key again acts once.
func (a *API) PostKeyed(ctx context.Context, r Request, key string, body any) ([]byte, error) {
	if err := a.CheckKey(r.What, key); err != nil {
		return nil, err
	}
	r.Key = key
	return a.PostJSON(ctx, r, body)
}
