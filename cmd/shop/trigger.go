package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"

	"onceshop/config"
	"onceshop/sandbox"
	"onceshop/store"
)

type triggerCommand struct {
	Type  string `arg:"" help:"What happens: payment.confirming, payment.paid, payment.failed, payment.expired, refund.completed, risk.updated; or pay, confirm, underpay, overpay, authorise, capture, attempt_fail, capture_fail, fail, expire, refund, refund_fail, dispute, dispute_win, dispute_lose, risk, of which each provider has its own; or resend, the order's newest event once more."`
	Order string `help:"The shop's order." required:"" placeholder:"NUMBER"`

	Amount        string `help:"Of pay, underpay, overpay, capture, refund and dispute, in minor units. Default: what is due, or all." group:"What happens"`
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

// actions are the sandbox's, by the type of event that they cause.
var actions = [...]struct{ event, action string }{
	{"payment.confirming", "pay"}, {"payment.paid", "pay"}, {"payment.failed", "fail"}, {"payment.expired", "expire"},
	{"refund.completed", "refund"}, {"risk.updated", "risk"},
}

// action turns the word on the command line into one of the sandbox's API.
func (cmd *triggerCommand) action() (string, error) {
	for _, a := range actions {
		if a.event == cmd.Type {
			if a.event == "payment.confirming" && cmd.Confirmations == nil {
				few := 3
				cmd.Confirmations = &few // money that waits for blocks is what makes it confirming
			}
			return a.action, nil
		}
	}
	if slices.Contains(sandbox.Actions(), cmd.Type) {
		return cmd.Type, nil
	}
	return "", fmt.Errorf("%q can't be triggered; shop trigger --help lists what can", cmd.Type)
}

// Run asks the sandbox for the change, of the newest payment of the order.
func (cmd *triggerCommand) Run(s *session) error {
	return s.withDB(func(c *config.Config, d *store.DB) error {
		ref, err := s.paymentRef(d, cmd.Order)
		if err != nil {
			return err
		}
		api, err := newSandboxClient(c)
		if err != nil {
			return err
		}
		if cmd.Type == "resend" {
			return cmd.resend(s, api, ref)
		}
		action, err := cmd.action()
		if err != nil {
			return err
		}
		var changed struct {
			Order struct {
				Revision      string `json:"revision"`
				PaymentStatus string `json:"paymentStatus"`
				RefundStatus  string `json:"refundStatus"`
			} `json:"order"`
			Event *struct{ ID, Type string } `json:"event"`
		}
		err = api.call(s.ctx, "POST", "/v1/test/orders/"+url.PathEscape(ref)+"/"+action, changeJSON{
			cmd.Amount, cmd.Confirmations, cmd.Decision, cmd.Service, cmd.Chain, cmd.ValidFor, cmd.json(),
		}, &changed)
		if err != nil {
			return err
		}
		if changed.Event == nil {
			fmt.Fprintf(s.stdout, "no event, for the provider has none for it; the payment is %s, refund %s, at revision %s\n",
				changed.Order.PaymentStatus, changed.Order.RefundStatus, changed.Order.Revision)
			return nil
		}
		fmt.Fprintf(s.stdout, "%s: event %s; the payment is %s, refund %s, at revision %s\n",
			changed.Event.Type, changed.Event.ID, changed.Order.PaymentStatus, changed.Order.RefundStatus, changed.Order.Revision)
		return nil
	})
}

// resend has the order's newest delivery sent once more, spoiled as wished.
func (cmd *triggerCommand) resend(s *session, api *sandboxClient, ref string) error {
	var sent struct {
		Deliveries []struct{ ID, EventID string } `json:"deliveries"`
	}
	if err := api.call(s.ctx, "GET", "/v1/test/deliveries?limit=1&order="+url.QueryEscape(ref), nil, &sent); err != nil {
		return err
	}
	if len(sent.Deliveries) == 0 {
		return errors.New("nothing has been sent about this order yet")
	}
	last := sent.Deliveries[0]
	if err := api.call(s.ctx, "POST", "/v1/test/deliveries/"+last.ID+"/resend", changeJSON{Faults: cmd.json()}, nil); err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "event %s is sent once more\n", last.EventID)
	return nil
}

// paymentRef is the provider's name for what the buyer of an order is to pay.
func (s *session) paymentRef(d *store.DB, number string) (string, error) {
	o, err := s.findOrder(d, number)
	if err != nil {
		return "", err
	}
	payments, err := d.ListPaymentsOfOrder(s.ctx, &o.ID)
	if err != nil {
		return "", err
	}
	for _, p := range slices.Backward(payments) {
		if p.ProviderRef != nil {
			return *p.ProviderRef, nil
		}
	}
	return "", fmt.Errorf("order %s has no payment at a provider yet", o.Number)
}
