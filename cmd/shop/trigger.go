package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/providers/stablein"
	"onceshop/store"
	"onceshop/store/db"
)

type triggerCommand struct {
	Type  string `arg:"" help:"What happens: pay, confirm, underpay, overpay, authorise, capture, attempt_fail, capture_fail, fail, expire, refund, refund_fail, dispute, dispute_win, dispute_lose or risk, of which each provider knows its own; or a type of the provider's events, such as payment.paid, charge.refunded, CHARGEBACK; or resend, the order's newest event once more."`
	Order string `help:"The shop's order." required:"" placeholder:"NUMBER"`

	Amount        string `help:"Of pay, underpay, overpay, capture, refund and dispute, in the order's currency: 10.50. Default: what is due, or all." placeholder:"10.50" group:"What happens"`
	Confirmations *int   `help:"Of pay: how many blocks are wanted. Of confirm: how many come." group:"What happens"`
	Decision      string `help:"Of risk: allow, review or deny." group:"What happens"`
	Service       string `help:"Of risk: enabled or suspended." group:"What happens"`
	Chain         string `help:"Of risk: allowed or blocked." group:"What happens"`
	ValidFor      *int   `help:"Of risk: seconds that the assessment counts; negative has run out." group:"What happens"`

	faultFlags
}

// changeJSON is what the sandbox's API takes beside.
type changeJSON struct {
	Amount           string      `json:"amount,omitzero"`
	Confirmations    *int        `json:"confirmations,omitzero"`
	Decision         string      `json:"decision,omitzero"`
	ServiceStatus    string      `json:"serviceStatus,omitzero"`
	ChainEnforcement string      `json:"chainEnforcement,omitzero"`
	ValidForSeconds  *int        `json:"validForSeconds,omitzero"`
	Faults           *faultsJSON `json:"faults,omitzero"`
}

// changedJSON is what the sandbox's API answers.
type changedJSON struct {
	Order struct {
		Revision      string                    `json:"revision"`
		PaymentStatus string                    `json:"paymentStatus"`
		RefundStatus  string                    `json:"refundStatus"`
		Disputes      []struct{ Status string } `json:"disputes"`
	} `json:"order"`
	Events []struct{ ID, Type string } `json:"events"`
}

// Run asks the sandbox for the change, of the newest payment of the order.
func (cmd *triggerCommand) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		p, err := s.newestPayment(d, cmd.Order)
		if err != nil {
			return err
		}
		api, err := newSandboxClient(c)
		if err != nil {
			return err
		}
		if cmd.Type == "resend" {
			return cmd.resend(s, api, p)
		}
		path := "/v1/test/orders/" + url.PathEscape(*p.ProviderRef)
		action, ok := cmd.action(p.Provider)
		if !ok {
			return cmd.unknown(s.ctx, api, path, p.Provider)
		}
		amount, err := cmd.amount(p.Currency)
		if err != nil {
			return err
		}
		var changed changedJSON
		err = api.call(s.ctx, "POST", path+"/"+action, changeJSON{
			amount, cmd.Confirmations, cmd.Decision, cmd.Service, cmd.Chain, cmd.ValidFor, cmd.json(),
		}, &changed)
		if err == nil {
			fmt.Fprintln(s.stdout, changed.told(p.Provider))
		}
		return err
	})
}

// amount is what was typed as the sandbox takes it, in minor units.
func (cmd *triggerCommand) amount(currency string) (string, error) {
	if cmd.Amount == "" {
		return "", nil
	}
	amount, err := payment.ParseMajor(currency, cmd.Amount)
	if err != nil {
		return "", fmt.Errorf("--amount %w", err)
	}
	return amount.String(), nil
}

// told says what the provider tells, and how the payment stands. The sandbox's own ids
// of events are StableIn's; others name them otherwise.
func (c changedJSON) told(provider string) string {
	var told []string
	for _, e := range c.Events {
		if provider == stablein.Name {
			e.Type += ": event " + e.ID
		}
		told = append(told, e.Type)
	}
	text := strings.Join(told, ", ")
	if len(told) == 0 {
		text = "no event, for the provider has none for it"
	}
	text += fmt.Sprintf("; the payment is %s, refund %s", c.Order.PaymentStatus, c.Order.RefundStatus)
	if n := len(c.Order.Disputes); n > 0 {
		text += ", dispute " + c.Order.Disputes[n-1].Status
	}
	return text + ", at revision " + c.Order.Revision
}

// resend has the payment's newest delivery sent once more, spoiled as wished.
func (cmd *triggerCommand) resend(s *session, api *sandboxClient, p db.Payment) error {
	var sent struct {
		Deliveries []struct{ ID, EventID string } `json:"deliveries"`
	}
	if err := api.call(s.ctx, "GET", "/v1/test/deliveries?limit=1&order="+url.QueryEscape(*p.ProviderRef), nil, &sent); err != nil {
		return err
	}
	if len(sent.Deliveries) == 0 {
		return errors.New("nothing has been sent about this order yet")
	}
	last := sent.Deliveries[0]
	if err := api.call(s.ctx, "POST", "/v1/test/deliveries/"+last.ID+"/resend", changeJSON{Faults: cmd.json()}, nil); err != nil {
		return err
	}
	name := "the newest event"
	if p.Provider == stablein.Name {
		name = "event " + last.EventID
	}
	fmt.Fprintln(s.stdout, name+" is sent once more")
	return nil
}

// newestPayment is what the buyer of an order was last asked to pay, whoever asked.
func (s *session) newestPayment(d *store.DB, number string) (db.Payment, error) {
	o, err := s.findOrder(d, number)
	if err != nil {
		return db.Payment{}, err
	}
	payments, err := d.ListPaymentsOfOrder(s.ctx, &o.ID)
	if err != nil {
		return db.Payment{}, err
	}
	for _, p := range slices.Backward(payments) {
		if p.ProviderRef != nil {
			return p, nil
		}
	}
	return db.Payment{}, fmt.Errorf("order %s has no payment at a provider yet", o.Number)
}
