package call

import (
	"context"
	"maps"
	"net/http"

	"github.com/go-json-experiment/json"

	"onceshop/providers/wire"
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

// PostJSON sends body, as the same bytes whenever it is the same, and reads the
// answer.
func (a *API) PostJSON(ctx context.Context, r Request, body any, into wire.Value) error {
	data, err := json.Marshal(body, json.Deterministic(true))
	if err != nil {
		return a.Refused(r.What, "a text isn't valid UTF-8")
	}
	header := map[string]string{"Content-Type": "application/json"}
	maps.Copy(header, r.Header)
	r.Method, r.Body, r.Header = http.MethodPost, data, header
	return a.Do(ctx, r, into)
}

// PostKeyed is PostJSON under an idempotency key: the same key again acts once.
func (a *API) PostKeyed(ctx context.Context, r Request, key string, body any, into wire.Value) error {
	if err := a.CheckKey(r.What, key); err != nil {
		return err
	}
	r.Key = key
	return a.PostJSON(ctx, r, body, into)
}
