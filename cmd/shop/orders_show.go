package main

import (
	"fmt"
	"time"

	"onceshop/checkout"
	"onceshop/config"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

type ordersShow struct {
	format
	Number string `arg:"" help:"The order's number: OS-XXXXX-XXXXX."`
}

// orderDetail is all there is to know of an order's present. Keys of licenses are
// not: the buyer's page shows them.
type orderDetail struct {
	orderJSON
	Email    string           `json:"email"`
	Lines    []lineJSON       `json:"lines"`
	Payments []paymentJSON    `json:"payments"`
	Refunds  []movementJSON   `json:"refunds"`
	Asked    []askedJSON      `json:"refunds_asked"`
	Disputes []movementJSON   `json:"disputes"`
	Licenses []licenseJSON    `json:"licenses"`
	Jobs     []jobJSON        `json:"jobs"`
	Rules    []payment.Clause `json:"rules"`
}

type lineJSON struct {
	Product   string         `json:"product"`
	Quantity  int            `json:"quantity"`
	UnitPrice payment.Amount `json:"unit_price"`
}

// movementJSON is a single refund or dispute of one of the payments, as its provider
// tells it.
type movementJSON struct {
	Attempt   int            `json:"attempt"` // the payment's
	Provider  string         `json:"provider"`
	Ref       string         `json:"provider_ref"`
	Status    string         `json:"status"`
	Amount    payment.Amount `json:"amount"`
	Reason    string         `json:"reason,omitzero"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
}

// askedJSON is a refund that was asked for and that the provider hasn't told of yet.
type askedJSON struct {
	Attempt int            `json:"attempt"` // the payment's
	Amount  payment.Amount `json:"amount"`
	Taken   bool           `json:"taken"` // the provider has taken it; otherwise its answer was lost
	Since   time.Time      `json:"asked_at"`
}

type licenseJSON struct {
	ID       string     `json:"id"`
	Product  string     `json:"product"`
	Status   string     `json:"status"`
	Reason   string     `json:"reason"`
	IssuedAt time.Time  `json:"issued_at"`
	EndedAt  *time.Time `json:"revoked_at"`
}

func (cmd *ordersShow) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		o, err := s.findOrder(d, cmd.Number)
		if err != nil {
			return err
		}
		detail, err := s.detail(d, o)
		if err != nil {
			return err
		}
		if done, err := cmd.json(s, detail); done {
			return err
		}
		return s.printDetail(clockOf(c), detail)
	})
}

func (s *session) detail(d *store.DB, o db.Order) (orderDetail, error) {
	detail := orderDetail{orderJSON: orderOf(o), Email: o.Email, Lines: []lineJSON{}, Payments: []paymentJSON{},
		Refunds: []movementJSON{}, Asked: []askedJSON{}, Disputes: []movementJSON{}, Licenses: []licenseJSON{}, Jobs: []jobJSON{}}
	lines, err := d.ListOrderLines(s.ctx, o.ID)
	if err != nil {
		return detail, err
	}
	for _, l := range lines {
		detail.Lines = append(detail.Lines, lineJSON{l.Name, l.Quantity, l.UnitPrice})
	}
	payments, err := d.ListPaymentsOfOrder(s.ctx, &o.ID)
	if err != nil {
		return detail, err
	}
	for _, p := range payments {
		detail.Payments = append(detail.Payments, paymentOf(p))
		can, err := checkout.ReturnableOf(s.ctx, d.Queries, p)
		if err != nil {
			return detail, err
		}
		for _, a := range can.Asked {
			detail.Asked = append(detail.Asked, askedJSON{Attempt: attemptOf(p), Amount: a.Amount, Taken: a.Taken, Since: a.Since})
		}
	}
	if err := s.movements(d, o, payments, &detail); err != nil {
		return detail, err
	}
	licenses, err := d.ListLicensesOfOrder(s.ctx, o.ID)
	if err != nil {
		return detail, err
	}
	for _, l := range licenses {
		detail.Licenses = append(detail.Licenses, licenseJSON{l.ID, l.ProductName, l.Status, store.Deref(l.Reason), l.IssuedAt, l.RevokedAt})
	}
	jobs, err := d.ListJobsOfOrder(s.ctx, o.ID)
	if err != nil {
		return detail, err
	}
	for _, j := range jobs {
		detail.Jobs = append(detail.Jobs, jobOf(j, o.Number))
	}
	now, err := d.Now(s.ctx)
	detail.Rules = checkout.Explain(o, payments, now)
	return detail, err
}

// movements adds the single refunds and disputes.
func (s *session) movements(d *store.DB, o db.Order, payments []db.Payment, detail *orderDetail) error {
	attempts := map[string]int{}
	for _, p := range payments {
		attempts[p.ID] = attemptOf(p)
	}
	refunds, err := d.ListRefundsOfOrder(s.ctx, &o.ID)
	if err != nil {
		return err
	}
	for _, f := range refunds {
		detail.Refunds = append(detail.Refunds, movementJSON{Attempt: attempts[f.PaymentID], Provider: f.Provider, Ref: f.ProviderRef,
			Status: string(f.Status), Amount: f.Amount, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt})
	}
	disputes, err := d.ListDisputesOfOrder(s.ctx, &o.ID)
	for _, x := range disputes {
		detail.Disputes = append(detail.Disputes, movementJSON{Attempt: attempts[x.PaymentID], Provider: x.Provider, Ref: x.ProviderRef,
			Status: string(x.Status), Amount: x.Amount, Reason: x.Reason, CreatedAt: x.CreatedAt, UpdatedAt: x.UpdatedAt})
	}
	return err
}

func (s *session) printDetail(at clock, o orderDetail) error {
	money := func(a payment.Amount) string { return payment.Money{Amount: a, Currency: o.Currency}.String() }
	t := s.table("", "ORDER", o.Number)
	t.row("placed", at.at(o.PlacedAt))
	t.row("buyer", o.Email)
	t.row("revision", o.Revision)
	t.row("payment", fmt.Sprintf("%s: %s of %s received", o.PaymentStatus, money(o.Received), money(o.Total)))
	t.row("refund", fmt.Sprintf("%s: %s given back", o.RefundStatus, money(o.Refunded)))
	if o.DisputeStatus != string(payment.NotDisputed) {
		t.row("dispute", o.DisputeStatus)
	}
	t.row("delivery", o.Delivery)
	if o.Surplus.Sign() > 0 {
		t.row("surplus", money(o.Surplus))
	}
	t.row("review", o.Review)
	for _, l := range o.Lines {
		t.row("line", fmt.Sprintf("%d × %s at %s", l.Quantity, l.Product, money(l.UnitPrice)))
	}
	for _, p := range o.Payments {
		t.row(fmt.Sprintf("payment %d %s", p.Attempt, p.Provider), p.words())
	}
	for _, f := range o.Refunds {
		t.row("refund", fmt.Sprintf("%s, %s: %s of payment %d", f.Ref, f.Status, money(f.Amount), f.Attempt))
	}
	for _, a := range o.Asked {
		known := "not told yet as given back"
		if !a.Taken {
			known = "without an answer"
		}
		t.row("refund asked for", fmt.Sprintf("%s of payment %d, %s (since %s)", money(a.Amount), a.Attempt, known, at.at(a.Since)))
	}
	for _, x := range o.Disputes {
		t.row("dispute", fmt.Sprintf("%s, %s: %s of payment %d, %s", x.Ref, x.Status, money(x.Amount), x.Attempt, printable(x.Reason)))
	}
	for _, l := range o.Licenses {
		t.row("license", fmt.Sprintf("%s %s, %s", l.ID, l.Product, l.Status))
	}
	for _, j := range o.Jobs {
		t.row("job "+fmt.Sprint(j.Seq), fmt.Sprintf("%s, %s, attempt %d %s", j.Kind, j.Status, j.Attempts, j.LastError))
	}
	for _, r := range o.Rules {
		verdict := "no "
		if r.OK {
			verdict = "yes"
		}
		if r.Name == "Refunded amount" { // the rule itself counts in minor units
			r.Has, r.Wants = money(o.Refunded), "less than "+money(o.Total)
		}
		t.row("rule", fmt.Sprintf("%s  %s: has %s, wants %s", verdict, r.Name, r.Has, r.Wants))
	}
	return t.flush()
}
