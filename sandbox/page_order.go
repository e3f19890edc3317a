package sandbox

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/sandbox/pages"
)

// maxShown bounds the deliveries on one page.
const maxShown = 500

func (s *Server) orderPage(_ http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	ctx := r.Context()
	o, err := findOrder(ctx, s.db, r.PathValue("id"))
	if err != nil {
		return nil, 0, err
	}
	now, err := databaseNow(ctx, s.db)
	if err != nil {
		return nil, 0, err
	}
	view := pages.Order{Row: o.row(now), Facts: o.facts()}
	view.Events, err = s.eventViews(ctx, o.ID, now)
	return pages.OrderPage(view), http.StatusOK, err
}

func (o Order) facts() []pages.Fact {
	list := []pages.Fact{
		{Name: "Merchant’s order", Value: o.MerchantOrderID},
		{Name: "Payment", Value: string(o.Status)},
		{Name: "Refund", Value: string(o.RefundStatus)},
		{Name: "Amount", Value: o.Amount.String() + " " + o.Currency},
		{Name: "Received", Value: o.Received.String()},
		{Name: "Incoming", Value: o.Incoming.String()},
		{Name: "Refunded", Value: o.Refunded.String()},
		{Name: "Confirmations", Value: strconv.Itoa(o.Confirmations) + " of " + strconv.Itoa(o.WantedConfirmations)},
		{Name: "Decision", Value: o.Risk.Decision},
		{Name: "Service", Value: o.Risk.ServiceStatus},
		{Name: "Chain", Value: o.Risk.ChainEnforcement},
	}
	for _, t := range []struct {
		name string
		at   *time.Time
	}{
		{"Risk valid until", o.Risk.ValidUntil}, {"Expires", &o.ExpiresAt}, {"Created", &o.CreatedAt}, {"Changed", &o.UpdatedAt},
	} {
		if t.at != nil {
			list = append(list, pages.Fact{Name: t.name, Value: pages.At(*t.at, *t.at).Full})
		}
	}
	return list
}

// eventViews tells an order's revisions, newest first, each with its sends.
func (s *Server) eventViews(ctx context.Context, orderID string, now time.Time) ([]pages.Event, error) {
	events, err := selectEvents(ctx, s.db, "WHERE order_id = ? ORDER BY seq DESC", orderID)
	if err != nil {
		return nil, err
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
	views := make([]pages.Event, len(events))
	for i, e := range events {
		views[i] = pages.Event{
			Revision: strconv.FormatUint(e.Revision, 10), Type: e.Type, ID: e.ID, Tone: eventTone(e.Type),
			At: pages.At(e.CreatedAt, now), Body: indented(e.Body), Deliveries: byEvent[e.ID],
		}
	}
	return views, nil
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
		return nil, 0, notFound("delivery")
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
