package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/store"
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
	now       time.Time
	lines     []db.OrderLine
	payments  []db.Payment
	licenses  []db.ListLicensesOfOrderRow
	revisions []db.ListOrderRevisionsRow
	events    []db.Event
	conflicts []db.EventConflict
}

func (s *site) read(ctx context.Context, row db.FindOrderByTokenRow) (r record, err error) {
	r.order, r.now = row.Order, row.DbNow
	id := r.order.ID
	if r.lines, err = s.DB.ListOrderLines(ctx, id); err != nil {
		return r, err
	}
	if r.payments, err = s.DB.ListPaymentsOfOrder(ctx, &id); err != nil {
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
		Amounts: amounts(o), Licenses: s.licenses(r, token, c.QueryParam("show")), Gate: gate(r), History: history(r),
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
	switch {
	case o.PaymentStatus == payment.Pending || v.Status.AsksPay:
		if url := payURL(r.payments); url != "" {
			v.PayURL = url
		} else {
			v.PayAgainURL = address + "/pay" // the provider could not be asked yet
		}
	case o.PaymentStatus == payment.Failed || o.PaymentStatus == payment.Expired:
		v.PayAgainURL = address + "/pay"
	}
	if o.MailRefusedAt != nil {
		v.MailNote = "We could not reach " + maskEmail(o.Email) + ". Keep this page's address: your license stays here."
	}
	return v, nil
}

// payURL is the page of the newest payment that was asked for; one that was opened
// by hand has none that we know.
func payURL(payments []db.Payment) (url string) {
	for _, p := range payments {
		if p.IdempotencyKey != nil {
			url = store.Deref(p.PaymentURL)
		}
	}
	return url
}

// query carries what the page was asked to show over to its stream.
func query(c echo.Context) string {
	if q := c.Request().URL.RawQuery; q != "" {
		return "?" + q
	}
	return ""
}

// facts words the records for view.Describe.
func facts(r record, returned string) view.Facts {
	o := r.order
	f := view.Facts{
		Payment: string(o.PaymentStatus), Refund: string(o.RefundStatus), Review: o.ReviewReason != nil,
		Delivery: delivery(o), Total: price(o.Total, o.Currency),
	}
	for _, l := range r.lines {
		f.Licenses += l.Quantity
	}
	latest := r.payments[len(r.payments)-1]
	for _, p := range r.payments {
		if p.Status == payment.Confirming {
			latest = p
		}
	}
	f.Confirmations = latest.Confirmations
	if o.PaymentStatus != payment.Paid && o.ReceivedAmount.Sign() > 0 && o.ReceivedAmount.Cmp(o.Total) < 0 {
		f.Received = price(o.ReceivedAmount, o.Currency)
	}
	f.Overdue = o.PaymentStatus == payment.Confirming && r.now.Sub(latest.UpdatedAt) > overdueAfter
	if since, err := strconv.ParseInt(returned, 10, 64); err == nil {
		f.Returned = true
		f.Overdue = f.Overdue || o.PaymentStatus == payment.Pending && r.now.Sub(time.Unix(since, 0)) > overdueAfter
	}
	return f
}

func delivery(o db.Order) string {
	switch o.FulfillmentStatus {
	case store.DeliveryWaiting:
		return view.DeliveryPreparing
	case store.DeliveryDone, store.DeliveryRevoked:
		return view.DeliveryDone
	case store.DeliveryWithheld:
		if o.RefundStatus == payment.FullyRefunded {
			return view.DeliveryCancelled
		}
		return view.DeliveryWithheld
	}
	if o.CancelledAt != nil {
		return view.DeliveryCancelled
	}
	return view.DeliveryWaiting
}

func amounts(o db.Order) []view.Amount {
	var list []view.Amount
	add := func(label string, a payment.Amount, note string) {
		if a.Sign() > 0 {
			list = append(list, view.Amount{Label: label, Value: price(a, o.Currency), Note: note})
		}
	}
	add("Received", o.ReceivedAmount, "")
	add("Refunded", o.RefundedAmount, "")
	add("Paid too much", o.SurplusAmount, "We owe you this and will send it back.")
	if o.PaymentStatus == payment.Paid {
		beyond := o.ReceivedAmount.Sub(o.Total)
		add("Paid too much and sent back", beyond.Sub(o.SurplusAmount), "")
	}
	return list
}

func gate(r record) view.Gate {
	g := view.Gate{Delivered: r.order.FulfillmentStatus == store.DeliveryDone, Sentence: "Delivered once all of these hold."}
	switch r.order.FulfillmentStatus {
	case store.DeliveryDone:
		g.Sentence = "All of these held when the license was issued; this is how they stand now."
	case store.DeliveryRevoked:
		g.Delivered = true
		g.Sentence = "The license was issued and has ended with the full refund."
	default:
		g.Ended = delivery(r.order) == view.DeliveryCancelled
	}
	for _, c := range checkout.Explain(r.order, r.payments, r.now) {
		g.Clauses = append(g.Clauses, clause(c, r.order))
	}
	return g
}

// clause words the rule's minor units and codes for people.
func clause(c payment.Clause, o db.Order) view.Clause {
	v := view.Clause{Label: c.Name, Has: c.Has, Wants: c.Wants, OK: c.OK}
	switch c.Name {
	case "Refunded amount":
		v.Has, v.Wants = price(o.RefundedAmount, o.Currency), "less than "+price(o.Total, o.Currency)
	case "Review":
		v.Has = reviewReason(c.Has)
	}
	return v
}

// maskEmail shows enough of an address to recognise it: b•••@example.com.
func maskEmail(email string) string {
	name, domain, ok := strings.Cut(email, "@")
	if !ok || name == "" {
		return "•••"
	}
	return string([]rune(name)[:1]) + "•••@" + domain
}
