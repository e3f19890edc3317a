package checkoutcom

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/sandbox"
)

// searched is a search: the body of its request, and what its id stands for.
type searched struct {
	Query string    `json:"query,omitzero"`
	Limit int       `json:"limit,omitzero"`
	From  time.Time `json:"from,omitzero"`
	To    time.Time `json:"to,omitzero"`
}

const (
	usualSearch = 10
	maxSearch   = 1000
	// usualWindow is how far back a search goes that doesn't say where to begin.
	usualWindow = 30 * 24 * time.Hour
)

// search finds payments by the time when they were requested, newest first.
func (a api) search(r *http.Request) (int, any, error) {
	var q searched
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	if q.Limit == 0 {
		q.Limit = usualSearch
	}
	if q.To.IsZero() {
		q.To = time.Now().UTC()
	}
	if q.From.IsZero() {
		q.From = q.To.Add(-usualWindow)
	}
	return a.found(r, q, "")
}

// searchOn reads the next page of an earlier search.
func (a api) searchOn(r *http.Request) (int, any, error) {
	p := query(r)
	after := p.text("token")
	if err := p.done(); err != nil {
		return 0, nil, err
	}
	var q searched
	id, err := base64.RawURLEncoding.DecodeString(r.PathValue("of"))
	if err != nil || json.Unmarshal(id, &q) != nil || after == "" {
		return 0, nil, sandbox.NotFound("thing")
	}
	return a.found(r, q, after)
}

// foundJSON is a page of what was found.
type foundJSON struct {
	Data  []paymentJSON   `json:"data"`
	Links map[string]link `json:"_links"`
}

var clause = regexp.MustCompile(`^(id|reference):'([^']+)'$`)

// found answers a search, which knows no balances.
func (a api) found(r *http.Request, q searched, after string) (int, any, error) {
	if q.Limit < 1 || q.Limit > maxSearch {
		return 0, nil, invalid("limit_invalid", "must be from 1 to 1000")
	}
	w := sandbox.Window{Dialect: Name, From: q.From, To: q.To, After: after, Limit: q.Limit + 1}
	switch m := clause.FindStringSubmatch(q.Query); {
	case q.Query == "":
	case m == nil:
		return 0, nil, invalid("query_invalid", "only id:'…' and reference:'…' are known here")
	case m[1] == "id":
		w.Order = m[2]
	default:
		w.MerchantRef = m[2]
	}
	found, err := a.List(r.Context(), sandbox.PaymentKind, w)
	if err != nil {
		return 0, nil, err
	}
	out := foundJSON{Data: []paymentJSON{}, Links: map[string]link{}}
	for _, f := range found[:min(q.Limit, len(found))] {
		p := a.payment(f.Record, *f.Payment)
		p.Balances = nil
		out.Data = append(out.Data, p)
		after = f.Payment.ID
	}
	if len(found) > q.Limit {
		id, err := json.Marshal(q)
		if err != nil {
			return 0, nil, err
		}
		next := "/payments/search/" + base64.RawURLEncoding.EncodeToString(id) + "?" + url.Values{"token": {after}}.Encode()
		out.Links["next"] = link{a.address(next)}
	}
	return http.StatusOK, out, nil
}
