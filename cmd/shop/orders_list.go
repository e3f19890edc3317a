package main

import (
	"time"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

type ordersList struct {
	format
	Status   string `help:"Only orders whose payment is pending, confirming, authorised, paid, failed, expired or cancelled." enum:",pending,confirming,authorised,paid,failed,expired,cancelled" default:""`
	Delivery string `help:"Only orders whose delivery is none, waiting, delivered, withheld, suspended or revoked." enum:",none,waiting,delivered,withheld,suspended,revoked" default:""`
	Review   bool   `help:"Only orders that a person has to look at."`
	Stuck    bool   `help:"Only orders whose payment has been confirming for more than 24 hours."`
	Limit    int32  `help:"How many." default:"50"`
}

// stuckHours is when waiting for confirmations stops being ordinary.
const stuckHours = 24

func (cmd *ordersList) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		filter := db.ListOrdersParams{PaymentStatus: payment.Status(cmd.Status), FulfillmentStatus: cmd.Delivery, Limit: cmd.Limit}
		if cmd.Review {
			filter.Review = 1
		}
		if cmd.Stuck {
			filter.StuckHours = stuckHours
		}
		rows, err := d.ListOrders(s.ctx, filter)
		if err != nil {
			return err
		}
		list := make([]orderJSON, len(rows))
		for i, o := range rows {
			list[i] = orderOf(o)
		}
		if done, err := cmd.json(s, list); done {
			return err
		}
		t := s.table("no such orders", "NUMBER", "PLACED", "TOTAL", "PAYMENT", "REFUND", "DISPUTE", "DELIVERY", "REVIEW")
		for _, o := range list {
			t.row(o.Number, clockOf(c).at(o.PlacedAt), payment.Money{Amount: o.Total, Currency: o.Currency}, o.PaymentStatus, o.RefundStatus, o.DisputeStatus, o.Delivery, o.Review)
		}
		return t.flush()
	})
}

// orderJSON is an order as scripts read it. It has no mail address: a list that is
// mailed around or ends in a ticket shouldn't be one of people.
type orderJSON struct {
	Number        string         `json:"number"`
	ID            string         `json:"id"`
	Revision      uint64         `json:"revision"`
	Total         payment.Amount `json:"total"` // minor units
	Currency      string         `json:"currency"`
	Received      payment.Amount `json:"received"`
	Refunded      payment.Amount `json:"refunded"`
	Surplus       payment.Amount `json:"surplus"`
	PaymentStatus string         `json:"payment_status"`
	RefundStatus  string         `json:"refund_status"`
	DisputeStatus string         `json:"dispute_status"`
	Delivery      string         `json:"fulfillment_status"`
	Review        string         `json:"review_reason"`
	PlacedAt      time.Time      `json:"placed_at"`
	ExpiresAt     time.Time      `json:"expires_at"`
	PaidAt        *time.Time     `json:"paid_at"`
	DeliveredAt   *time.Time     `json:"delivered_at"`
	CancelledAt   *time.Time     `json:"cancelled_at"`
}

func orderOf(o db.Order) orderJSON {
	return orderJSON{
		Number: o.Number, ID: o.ID, Revision: o.Revision, Total: o.Total, Currency: o.Currency,
		Received: o.ReceivedAmount, Refunded: o.RefundedAmount, Surplus: o.SurplusAmount,
		PaymentStatus: string(o.PaymentStatus), RefundStatus: string(o.RefundStatus), DisputeStatus: string(o.DisputeStatus), Delivery: o.FulfillmentStatus,
		Review: store.Deref(o.ReviewReason), PlacedAt: o.PlacedAt, ExpiresAt: o.ExpiresAt,
		PaidAt: o.PaidAt, DeliveredAt: o.DeliveredAt, CancelledAt: o.CancelledAt,
	}
}
