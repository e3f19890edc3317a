package main

import (
	"fmt"
	"time"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/store"
	"onceshop/store/db"
)

type paymentsCommand struct {
	Orphans paymentsOrphans `cmd:"" help:"List paid payments that belong to no order: somebody's money is waiting."`
}

type paymentsOrphans struct {
	format
	Limit int32 `help:"How many." default:"50"`
}

type paymentJSON struct {
	Attempt       int            `json:"attempt"` // which of the order's; 0: it belongs to none
	Provider      string         `json:"provider"`
	Ref           string         `json:"provider_ref"`
	Status        string         `json:"status"`
	RefundStatus  string         `json:"refund_status"`
	DisputeStatus string         `json:"dispute_status"`
	Amount        payment.Amount `json:"amount"` // minor units
	Received      payment.Amount `json:"received"`
	Refunded      payment.Amount `json:"refunded"`
	Reversed      payment.Amount `json:"reversed"`   // refunds that came back
	TakenBack     payment.Amount `json:"taken_back"` // captured, and then taken back by the provider
	Currency      string         `json:"currency"`
	Revision      payment.Amount `json:"provider_revision"` // 0: the provider counts none
	Review        string         `json:"review_reason"`
	CreatedAt     time.Time      `json:"created_at"`
	UpdatedAt     time.Time      `json:"updated_at"`
}

func paymentOf(p db.Payment) paymentJSON {
	return paymentJSON{
		Attempt: attemptOf(p), Provider: p.Provider, Ref: store.Deref(p.ProviderRef), Status: string(p.Status),
		RefundStatus: string(p.RefundStatus), DisputeStatus: string(p.DisputeStatus), Amount: p.Amount, Received: p.Received,
		Refunded: p.Refunded, Reversed: p.Reversed, TakenBack: p.TakenBack, Currency: p.Currency, Revision: p.ProviderRevision,
		Review: store.Deref(p.ReviewReason), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

// attemptOf is which of its order's payments it is; 0: it belongs to none.
func attemptOf(p db.Payment) int {
	if p.Attempt == nil {
		return 0
	}
	return *p.Attempt
}

// words are where the payment's money is, and what is odd about it.
func (p paymentJSON) words() string {
	money := func(a payment.Amount) string { return payment.Money{Amount: a, Currency: p.Currency}.String() }
	text := fmt.Sprintf("%s, %s: %s of %s received", printable(p.Ref), p.Status, money(p.Received), money(p.Amount))
	for _, part := range []struct {
		amount payment.Amount
		what   string
	}{{p.Refunded, "given back"}, {p.Reversed, "of refunds came back"}, {p.TakenBack, "taken back by the provider"}} {
		if part.amount.Sign() > 0 {
			text += ", " + money(part.amount) + " " + part.what
		}
	}
	if p.DisputeStatus != string(payment.NotDisputed) {
		text += ", dispute " + p.DisputeStatus
	}
	if p.Revision.Sign() > 0 {
		text += ", revision " + p.Revision.String()
	}
	if p.Review != "" {
		text += ", under review: " + p.Review
	}
	return text
}

func (cmd *paymentsOrphans) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		rows, err := d.ListPaymentsWithoutOrder(s.ctx, cmd.Limit)
		if err != nil {
			return err
		}
		list := make([]paymentJSON, len(rows))
		for i, p := range rows {
			list[i] = paymentOf(p)
		}
		if done, err := cmd.json(s, list); done {
			return err
		}
		t := s.table("every paid payment belongs to an order", "SEEN", "PROVIDER", "REFERENCE", "RECEIVED", "REFUNDED")
		for _, p := range list {
			money := payment.Money{Amount: p.Received, Currency: p.Currency}
			t.row(clockOf(c).at(p.CreatedAt), p.Provider, p.Ref, money, payment.Money{Amount: p.Refunded, Currency: p.Currency})
		}
		return t.flush()
	})
}
