package main

import (
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
	Provider  string         `json:"provider"`
	Ref       string         `json:"provider_ref"`
	Status    string         `json:"status"`
	Amount    payment.Amount `json:"amount"` // minor units
	Received  payment.Amount `json:"received"`
	Refunded  payment.Amount `json:"refunded"`
	Currency  string         `json:"currency"`
	Revision  payment.Amount `json:"provider_revision"`
	Review    string         `json:"review_reason"`
	CreatedAt time.Time      `json:"created_at"`
	UpdatedAt time.Time      `json:"updated_at"`
}

func paymentOf(p db.Payment) paymentJSON {
	return paymentJSON{
		Provider: p.Provider, Ref: store.Deref(p.ProviderRef), Status: string(p.Status), Amount: p.Amount, Received: p.Received,
		Refunded: p.Refunded, Currency: p.Currency, Revision: p.ProviderRevision, Review: store.Deref(p.ReviewReason),
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
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
