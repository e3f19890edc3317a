package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"onceshop/checkout"
	"onceshop/store/db"
	"onceshop/web/view"
)

// refreshEvery is how often a waiting page reloads itself without script.
const refreshEvery = 4

// overdueAfter is when a buyer who came back stops being told "a moment".
const overdueAfter = 2 * time.Minute

func (s *site) findOrder(c echo.Context) (db.FindOrderByTokenRow, error) {
	return s.DB.FindOrderByToken(c.Request().Context(), checkout.HashToken(c.Param("token")))
}

func (s *site) order(c echo.Context) error {
	private(c)
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, view.OrderPage(v))
}

// record is all that an order's page is drawn from, read without a lock: a page
// may be a moment old, never wrong for long.
type record struct {
	order     db.Order
	mailed    bool // the licenses' mail went out
	now       time.Time
	lines     []db.OrderLine
	payments  []db.Payment
	refunds   []db.Refund
	disputes  []db.Dispute
	licenses  []db.ListLicensesOfOrderRow
	revisions []db.ListOrderRevisionsRow
	events    []db.Event
	conflicts []db.EventConflict
	way       func(name string) view.Way // a provider in words
}

func (s *site) read(ctx context.Context, row db.FindOrderByTokenRow) (r record, err error) {
	r.order, r.mailed, r.now, r.way = row.Order, row.Mailed, row.DbNow, s.way
	id := r.order.ID
	if r.lines, err = s.DB.ListOrderLines(ctx, id); err != nil {
		return r, err
	}
	if r.payments, err = s.DB.ListPaymentsOfOrder(ctx, &id); err != nil {
		return r, err
	}
	if r.refunds, err = s.DB.ListRefundsOfOrder(ctx, &id); err != nil {
		return r, err
	}
	if r.disputes, err = s.DB.ListDisputesOfOrder(ctx, &id); err != nil {
		return r, err
	}
	if r.licenses, err = s.DB.ListLicensesOfOrder(ctx, id); err != nil {
		return r, err
	}
	if r.revisions, err = s.DB.ListOrderRevisions(ctx, id); err != nil {
		return r, err
	}
	if r.events, err = s.DB.ListEventsOfOrder(ctx, &id); err != nil {
		return r, err
	}
	r.conflicts, err = s.DB.ListConflictsOfOrder(ctx, &id)
	return r, err
}

func (s *site) orderView(c echo.Context) (view.Order, error) {
	row, err := s.findOrder(c)
	if err != nil {
		return view.Order{}, err
	}
	r, err := s.read(c.Request().Context(), row)
	if err != nil {
		return view.Order{}, err
	}
	o, token := r.order, c.Param("token")
	v := view.Order{
		Layout: s.layout(c, "Order "+o.Number), Number: o.Number, Email: maskEmail(o.Email), Placed: view.At(o.PlacedAt, r.now),
		Status: view.Describe(facts(r, c.QueryParam("returned"))), Total: price(o.Total, o.Currency),
		Amounts: amounts(r), Refunds: refunds(r), Disputes: disputes(r),
		Licenses: s.licenses(r, token, c.QueryParam("show")), Gate: gate(r), History: history(r),
	}
	v.Private = true
	address := "/orders/" + token
	v.EventsURL = address + "/events" + query(c)
	if v.Status.Waiting {
		v.Refresh = refreshEvery
	}
	for _, l := range r.lines {
		v.Lines = append(v.Lines, view.OrderLine{
			Name: l.Name, Quantity: l.Quantity, UnitPrice: price(l.UnitPrice, o.Currency),
			Total: price(l.UnitPrice.Times(int64(l.Quantity)), o.Currency),
		})
	}
	s.offerPayment(&v, r, address+"/pay")
	if c.QueryParam(unstarted) != "" && isUnstarted(v, r) {
		v.Unstarted, v.Refresh = sayUnstarted(v.Others), 0 // there is nothing to wait for
	}
	if o.MailRefusedAt != nil {
		v.MailNote = "We could not reach " + maskEmail(o.Email) + ". Keep this page's address: your license stays here."
	}
	return v, nil
}

// query carries what the page was asked to show over to its stream.
func query(c echo.Context) string {
	if q := c.Request().URL.RawQuery; q != "" {
		return "?" + q
	}
	return ""
}

// maskEmail shows enough of an address to recognise it: b•••@example.com.
func maskEmail(email string) string {
	name, domain, ok := strings.Cut(email, "@")
	if !ok || name == "" {
		return "•••"
	}
	return string([]rune(name)[:1]) + "•••@" + domain
}
