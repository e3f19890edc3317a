package stripe

import (
	"cmp"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/payment"
	"onceshop/sandbox"
)

// A session is open for half an hour at least and a day at most, and for a day if
// nothing is said. Clocks may differ a little.
const (
	shortest = 30 * time.Minute
	longest  = 24 * time.Hour
	slack    = time.Minute
)

// createSession makes a session for one payment.
func (a api) createSession(r *http.Request) (int, any, error) {
	n, err := newSession(r)
	if err != nil {
		return 0, nil, err
	}
	created, err := a.Create(r.Context(), n)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, sessionOf(created, a.PayURL(created.ID), expansion{}), nil
}

func newSession(r *http.Request) (n sandbox.NewOrder, err error) {
	p, err := form(r)
	if err != nil {
		return n, err
	}
	n = sandbox.NewOrder{Dialect: Name, Key: r.Header.Get("Idempotency-Key"), TTL: longest, Soonest: shortest - slack, Latest: longest + slack}
	if mode, err := p.need("mode"); err != nil || mode != "payment" {
		return n, cmp.Or(err, bad("INVALID_FIELD", "Only mode=payment is practised here."))
	}
	if n.ReturnURL, err = p.need("success_url"); err != nil {
		return n, err
	}
	n.CancelURL = p.text("cancel_url")
	if n.ExpiresAt, err = p.expiry(); err != nil {
		return n, err
	}
	if method := p.text("payment_intent_data[capture_method]"); method != "" && method != "automatic" && method != "automatic_async" {
		return n, bad("INVALID_FIELD", "Only automatic capture is practised here.")
	}
	x := extra{
		Metadata: p.metadata("metadata"), IntentMetadata: p.metadata("payment_intent_data[metadata]"),
		ClientRef: p.text("client_reference_id"),
	}
	if n.Extra, err = json.Marshal(x, json.Deterministic(true)); err != nil {
		return n, err
	}
	if n.Amount, n.Currency, n.Description, err = p.lines(); err != nil {
		return n, err
	}
	p.text("payment_intent_data[description]")
	p.text("payment_method_types[0]")
	p.text("locale")
	p.text("customer_email")
	// The engine wants a reference of every order; a session needn't have one.
	n.MerchantRef = cmp.Or(x.ClientRef, x.Metadata["order_ref"], x.IntentMetadata["order_ref"], "none")
	return n, p.done()
}

func (p params) expiry() (at time.Time, err error) {
	text := p.text("expires_at")
	if text == "" {
		return at, nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 || seconds > 1e11 {
		return at, bad("INVALID_FIELD", "Invalid integer: expires_at")
	}
	return time.Unix(seconds, 0).UTC(), nil
}

var lineParam = regexp.MustCompile(`^line_items\[(\d+)\]\[`)

// lines adds up the line items; all have to be in one currency.
func (p params) lines() (total payment.Amount, currency, description string, err error) {
	numbers := map[string]bool{}
	for name := range p.Values {
		if m := lineParam.FindStringSubmatch(name); m != nil {
			numbers[m[1]] = true
		}
	}
	if len(numbers) == 0 {
		return total, "", "", bad("MISSING_PARAMETER", "Missing required param: line_items.")
	}
	for n := range numbers {
		line := "line_items[" + n + "]"
		code, err := p.need(line + "[price_data][currency]")
		if err != nil {
			return total, "", "", err
		}
		if currency != "" && code != currency {
			return total, "", "", bad("INVALID_FIELD", "All line items must be in one currency.")
		}
		currency = code
		unit, err := p.amount(line + "[price_data][unit_amount]")
		if err != nil {
			return total, "", "", err
		}
		quantity, err := strconv.ParseInt(p.text(line+"[quantity]"), 10, 32)
		if err != nil || quantity < 1 || unit.Sign() < 0 {
			return total, "", "", bad("INVALID_FIELD", "Invalid quantity or unit_amount: %s", line)
		}
		total = total.Add(unit.Times(quantity))
		name, err := p.need(line + "[price_data][product_data][name]")
		if err != nil {
			return total, "", "", err
		}
		if description == "" || n == "0" {
			description = name
		}
		p.text(line + "[price_data][product_data][description]")
	}
	if currency != strings.ToLower(currency) || !units.Takes(strings.ToUpper(currency)) {
		return total, "", "", bad("INVALID_FIELD", "Invalid currency: %s.", currency)
	}
	currency = strings.ToUpper(currency)
	if total, err = units.From(total, currency); err != nil {
		return total, "", "", bad("INVALID_FIELD", "Invalid amount: %s", err)
	}
	return total, currency, sandbox.Short(description), nil
}

// expandable is what of a session can be answered whole.
func expandable(p params, prefix string) (with expansion, err error) {
	paths, err := p.expand(prefix+"payment_intent", prefix+"payment_intent.latest_charge")
	for _, path := range paths {
		with.intent = true
		with.charge = with.charge || strings.HasSuffix(path, "latest_charge")
	}
	return with, err
}

func (a api) getSession(r *http.Request) (int, any, error) {
	p := query(r)
	with, err := expandable(p, "")
	if err == nil {
		err = p.done()
	}
	if err != nil {
		return 0, nil, err
	}
	found, err := a.find(r, "checkout.session", "cs_")
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, sessionOf(found, a.PayURL(found.ID), with), nil
}

// find returns the record behind an id in the path, if it is of the kind wanted.
func (a api) find(r *http.Request, what, prefix string) (sandbox.Record, error) {
	id := r.PathValue("id")
	if !strings.HasPrefix(id, prefix) {
		return sandbox.Record{}, missing(what, id)
	}
	found, err := a.Get(r.Context(), Name, id)
	if sandbox.IsNotFound(err) {
		err = missing(what, id)
	}
	return found, err
}

func (a api) expireSession(r *http.Request) (int, any, error) {
	found, err := a.find(r, "checkout.session", "cs_")
	if err != nil {
		return 0, nil, err
	}
	if found.Status != payment.Pending {
		return 0, nil, bad("INVALID_FIELD", "Only Checkout Sessions with a status in [\"open\"] can be expired.")
	}
	ended, err := a.Act(r.Context(), Name, found.PageRef, "expire", nil)
	return http.StatusOK, sessionOf(ended, "", expansion{}), err
}

func (a api) listSessions(r *http.Request) (int, any, error) {
	p := query(r)
	w, limit, err := p.window()
	if err != nil {
		return 0, nil, err
	}
	with, err := expandable(p, "data.")
	if err != nil {
		return 0, nil, err
	}
	w.Order = p.text("payment_intent")
	if w.Order != "" && !strings.HasPrefix(w.Order, "pi_") {
		return 0, nil, missing("payment_intent", w.Order)
	}
	if after := p.text("starting_after"); after != "" {
		last, err := a.Get(r.Context(), Name, after)
		if err != nil || last.PageRef != after {
			return 0, nil, cmp.Or(notMissing(err), missing("checkout.session", after))
		}
		w.After = last.ID
	}
	if err := p.done(); err != nil {
		return 0, nil, err
	}
	found, err := a.List(r.Context(), sandbox.PageKind, w)
	return http.StatusOK, page(found, limit, "/v1/checkout/sessions", func(f sandbox.Found) any {
		return sessionOf(f.Record, a.PayURL(f.ID), with)
	}), err
}
