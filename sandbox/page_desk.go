package sandbox

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"onceshop/payment"
	"onceshop/sandbox/pages"
)

// deskRows is how many orders a page of the desk lists.
const deskRows = 30

func (s *Server) deskPage(_ http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	ctx := r.Context()
	// Ids grow with time, so they page the list.
	before := r.URL.Query().Get("before")
	orders, err := selectOrders(ctx, s.db, "WHERE (? = '' OR id < ?) ORDER BY id DESC LIMIT ?", before, before, deskRows+1)
	if err != nil {
		return nil, 0, err
	}
	var desk pages.Desk
	if len(orders) > deskRows {
		orders = orders[:deskRows]
		desk.Next = url.Values{"before": {orders[deskRows-1].ID}}.Encode()
	}
	if desk.Orders, err = s.rows(ctx, orders); err != nil {
		return nil, 0, err
	}
	general, err := generalFaults(ctx, s.db)
	if err != nil {
		return nil, 0, err
	}
	endpoints, err := s.Endpoints(ctx)
	desk.FaultsOn = general != Faults{}
	for _, e := range endpoints {
		desk.Endpoints = append(desk.Endpoints, pages.Endpoint{Provider: s.among(e.Dialect), URL: e.URL})
		desk.FaultsOn = desk.FaultsOn || e.Faults.or() != Faults{}
	}
	return pages.DeskPage(desk), http.StatusOK, err
}

// rows words orders for the list.
func (s *Server) rows(ctx context.Context, orders []Order) ([]pages.Row, error) {
	now, err := databaseNow(ctx, s.db)
	if err != nil {
		return nil, err
	}
	sent, err := s.sent(ctx, orders)
	if err != nil {
		return nil, err
	}
	disputes, err := s.disputed(ctx, orders)
	if err != nil {
		return nil, err
	}
	rows := make([]pages.Row, len(orders))
	for i, o := range orders {
		rows[i] = o.row(s.profile(o.Dialect), now)
		rows[i].Sent, rows[i].Provider, rows[i].Dispute = sent[o.ID], s.among(o.Dialect), disputePill(disputes[o.ID])
	}
	return rows, nil
}

// among is the provider's name where there are several.
func (s *Server) among(dialect string) string {
	if len(s.dialects) == 1 && s.dialects[dialect] != nil {
		return ""
	}
	return s.profile(dialect).Title
}

// disputed tells how the newest dispute of each order stands.
func (s *Server) disputed(ctx context.Context, orders []Order) (map[string]payment.DisputeStatus, error) {
	statuses := map[string]payment.DisputeStatus{}
	if len(orders) == 0 {
		return statuses, nil
	}
	args := make([]any, len(orders))
	for i, o := range orders {
		args[i] = o.ID
	}
	rows, err := s.db.QueryContext(ctx, `SELECT order_id, status FROM pay_disputes
		WHERE order_id IN (?`+strings.Repeat(", ?", len(args)-1)+`) ORDER BY id`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var status payment.DisputeStatus
		if err := rows.Scan(&id, &status); err != nil {
			return nil, err
		}
		statuses[id] = status
	}
	return statuses, rows.Err()
}

func (o Order) row(p Profile, now time.Time) pages.Row {
	state, _, _ := o.payState(p)
	if o.Status == "paid" { // the refund has a pill of its own here
		state = pages.Pill{Words: "Paid", Tone: pages.Good}
	}
	return pages.Row{
		ID: o.ID, Description: o.title(), Reference: o.MerchantOrderID, Revision: strconv.FormatUint(o.Revision, 10),
		Amount: o.money(o.Amount), Payment: state, Refund: o.refundPill(), Changed: pages.At(o.UpdatedAt, now),
	}
}

// sent counts the deliveries of each order by their state.
func (s *Server) sent(ctx context.Context, orders []Order) (map[string][]pages.Pill, error) {
	counts := map[string][]pages.Pill{}
	if len(orders) == 0 {
		return counts, nil
	}
	args := make([]any, len(orders))
	for i, o := range orders {
		args[i] = o.ID
	}
	rows, err := s.db.QueryContext(ctx, `SELECT order_id, status, COUNT(*) FROM pay_webhook_deliveries
		WHERE order_id IN (?`+strings.Repeat(", ?", len(args)-1)+`) GROUP BY order_id, status ORDER BY status DESC`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, status string
		var n int
		if err := rows.Scan(&id, &status, &n); err != nil {
			return nil, err
		}
		p := deliveryPill(status)
		p.Words = strconv.Itoa(n) + " " + p.Words
		counts[id] = append(counts[id], p)
	}
	return counts, rows.Err()
}
