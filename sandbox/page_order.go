package sandbox

import (
	"context"
	"database/sql"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/sandbox/pages"
)

// maxShown bounds the deliveries on one page.
const maxShown = 500

func (s *Server) orderPage(_ http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	ctx := r.Context()
	o, err := findRecord(ctx, s.db, r.PathValue("id"))
	if err != nil {
		return nil, 0, err
	}
	now, err := databaseNow(ctx, s.db)
	if err != nil {
		return nil, 0, err
	}
	p := s.profile(o.Dialect)
	view := pages.Order{Row: o.row(p, now), Title: p.Title, Untimed: p.Untimed, Facts: o.facts(p)}
	if n := len(o.Disputes); n > 0 {
		view.Dispute = disputePill(o.Disputes[n-1].Status)
	}
	view.Events, err = s.eventViews(ctx, o.ID, now)
	return pages.OrderPage(view), http.StatusOK, err
}

func (o Record) facts(p Profile) []pages.Fact {
	list := []pages.Fact{
		{Name: "Provider", Value: p.Title},
		{Name: "Merchant’s order", Value: o.MerchantOrderID},
		{Name: "Payment", Value: string(o.Status)},
		{Name: "Refund", Value: string(o.RefundStatus)},
		{Name: "Amount", Value: o.Amount.String() + " " + o.Currency},
		{Name: "Received", Value: o.Received.String()},
		{Name: "Incoming", Value: o.Incoming.String()},
		{Name: "Refunded", Value: o.Refunded.String()},
	}
	var assessed *time.Time
	if p.Chain {
		assessed = o.Risk.ValidUntil
		list = append(list,
			pages.Fact{Name: "Confirmations", Value: strconv.Itoa(o.Confirmations) + " of " + strconv.Itoa(o.WantedConfirmations)},
			pages.Fact{Name: "Decision", Value: o.Risk.Decision},
			pages.Fact{Name: "Service", Value: o.Risk.ServiceStatus},
			pages.Fact{Name: "Chain", Value: o.Risk.ChainEnforcement},
		)
	} else {
		list = append(list, o.things()...)
	}
	for _, t := range []struct {
		name string
		at   *time.Time
	}{
		{"Risk valid until", assessed}, {"Expires", &o.ExpiresAt}, {"Created", &o.CreatedAt}, {"Changed", &o.UpdatedAt},
	} {
		if t.at != nil {
			list = append(list, pages.Fact{Name: t.name, Value: pages.At(*t.at, *t.at).Full})
		}
	}
	return list
}

// things are what the provider has given ids.
func (o Record) things() (list []pages.Fact) {
	add := func(name string, parts ...string) {
		list = append(list, pages.Fact{Name: name, Value: strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " ")})
	}
	if o.Reversed.Sign() > 0 {
		add("Refunds that came back", o.Reversed.String())
	}
	if o.TakenBack.Sign() > 0 {
		add("Taken back", o.TakenBack.String())
	}
	if o.PageRef != "" {
		add("Page", o.PageRef)
	}
	if o.IntentRef != "" {
		add("Payment as a whole", o.IntentRef)
	}
	for _, p := range o.Payments {
		add("Attempt "+strconv.Itoa(p.Number), string(p.Status), p.Amount.String(), p.Ref)
	}
	for _, f := range o.Refunds {
		add("Refund", string(f.Status), f.Amount.String(), f.Ref)
	}
	for _, d := range o.Disputes {
		add("Dispute", string(d.Status), d.Amount.String(), d.Ref)
	}
	return list
}

// eventViews tells an order's revisions, newest first, each with its sends.
func (s *Server) eventViews(ctx context.Context, orderID string, now time.Time) ([]pages.Event, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT revision, word, created_at FROM pay_order_revisions
		WHERE order_id = ? ORDER BY revision DESC`, orderID)
	revisions, err := all(rows, err, func(rows *sql.Rows, r *revision) error { return rows.Scan(&r.number, &r.word, &r.at) })
	if err != nil {
		return nil, err
	}
	events, err := selectEvents(ctx, s.db, "WHERE order_id = ? ORDER BY seq", orderID)
	if err != nil {
		return nil, err
	}
	of := map[uint64][]Event{}
	for _, e := range events {
		of[e.Revision] = append(of[e.Revision], e)
	}
	deliveries, err := s.Deliveries(ctx, "", orderID, maxShown)
	if err != nil {
		return nil, err
	}
	byEvent := map[string][]pages.Delivery{}
	for i := len(deliveries) - 1; i >= 0; i-- {
		d := deliveries[i]
		byEvent[d.EventID] = append(byEvent[d.EventID], d.view(now))
	}
	var views []pages.Event
	for _, r := range revisions {
		v := pages.Event{Revision: strconv.FormatUint(r.number, 10), Type: r.word, Tone: eventTone(r.word), At: pages.At(r.at, now)}
		if len(of[r.number]) == 0 {
			views = append(views, v)
		}
		for _, e := range of[r.number] {
			if v.Type, v.ID, v.Word = e.Type, e.ID, r.word; v.Word == v.Type {
				v.Word = ""
			}
			v.Body, v.Deliveries = indented(e.Body), byEvent[e.ID]
			views = append(views, v)
		}
	}
	return views, nil
}

// revision is one line of an order's history.
type revision struct {
	number uint64
	word   string
	at     time.Time
}

func indented(body []byte) string {
	v := jsontext.Value(body).Clone()
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return string(body)
	}
	return string(v)
}

func (d Delivery) view(now time.Time) pages.Delivery {
	v := pages.Delivery{
		ID: strconv.FormatUint(d.Seq, 10), Kind: d.Kind, URL: d.URL, State: deliveryPill(d.Status), Why: d.LastError,
	}
	if d.Status == "pending" {
		next := pages.At(d.NextAttemptAt, now)
		v.Next = &next
	}
	for _, a := range d.Log {
		v.Attempts = append(v.Attempts, pages.Attempt{
			Number: strconv.Itoa(a.Number), Answer: answerPill(a.StatusCode), Took: strconv.FormatInt(a.Duration.Milliseconds(), 10) + " ms",
			At: pages.At(a.At, now), Signed: strconv.FormatInt(a.SignedAt, 10), Problem: a.Error, Fault: a.Fault,
		})
	}
	return v
}

func answerPill(code int) pages.Pill {
	switch {
	case code == 0:
		return pages.Pill{Words: "no answer", Tone: pages.Warn}
	case code >= 200 && code < 300:
		return pages.Pill{Words: strconv.Itoa(code), Tone: pages.Good}
	}
	return pages.Pill{Words: strconv.Itoa(code), Tone: pages.Bad}
}

// resendForm sends one delivery again, spoiled in the way chosen.
func (s *Server) resendForm(w http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	seq, err := strconv.ParseUint(r.PostFormValue("delivery"), 10, 64)
	if err != nil {
		return nil, 0, NotFound("delivery")
	}
	var faults *Faults
	switch r.PostForm.Get("as") {
	case "corrupt_byte":
		faults = &Faults{CorruptByte: true, FirstAttempts: 1}
	case "wrong_signature":
		faults = &Faults{WrongSignature: true, FirstAttempts: 1}
	case "stale_timestamp":
		faults = &Faults{StaleTimestamp: true, FirstAttempts: 1}
	case "conflict":
		faults = &Faults{Conflict: true}
	}
	if _, err := s.Resend(r.Context(), seq, faults); err != nil {
		return nil, 0, err
	}
	return redirect(w, r, "/orders/"+url.PathEscape(r.PathValue("id")))
}
