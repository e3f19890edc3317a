package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"onceshop/payment"
	"onceshop/sandbox/pages"
)

func (s *Server) payPage(_ http.ResponseWriter, r *http.Request) (templ.Component, int, error) {
	o, err := findRecord(r.Context(), s.db, r.PathValue("id"))
	if err != nil {
		return nil, 0, err
	}
	now, err := databaseNow(r.Context(), s.db)
	if err != nil {
		return nil, 0, err
	}
	return pages.PayPage(s.payView(o, now, "")), http.StatusOK, nil
}

func (s *Server) payView(o Record, now time.Time, notice string) pages.Pay {
	p := s.profile(o.Dialect)
	v := pages.Pay{
		Provider: p.Title, ID: o.ID, Revision: strconv.FormatUint(o.Revision, 10), Reference: o.MerchantOrderID,
		Description: o.Description, Amount: pages.Sum{Words: o.money(o.Amount), Minor: o.Amount.String()},
		Notice: notice, Also: o.also(), Refund: o.refundForm(p), Sections: o.sections(p),
	}
	v.State, v.Headline, v.Lead = o.payState(p)
	if o.Received.Sign() > 0 {
		v.Received = o.money(o.Received)
		if o.Due().Sign() > 0 && o.Status != payment.Authorised {
			v.Due = o.money(o.Due())
		}
		if surplus := o.Received.Sub(o.Amount); surplus.Sign() > 0 {
			v.Surplus = o.money(surplus)
		}
	}
	if o.Refunded.Sign() > 0 {
		v.Refunded = o.money(o.Refunded)
	}
	if o.open() && o.Status != payment.Authorised {
		expires := pages.At(o.ExpiresAt, now)
		v.Expires = &expires
	}
	v.Heading, v.More = "Pay", "More: refunds and disputes"
	switch {
	case o.AwaitsBlocks() && p.Chain:
		v.Blocks = &pages.Blocks{Have: o.Confirmations, Want: o.WantedConfirmations, Automatic: s.autoConfirm > 0}
		v.Heading = "Wait for the chain"
	case o.AwaitsBlocks():
		v.Heading = "Wait for the bank"
	case o.Status == payment.Authorised:
		v.Heading = "Take the money"
	}
	if p.Chain {
		v.More, v.Risk = "More: refunds and risk", o.riskForm(now)
	}
	_, v.MoreOpen = o.openDispute()
	v.Buttons, v.Trouble = o.buttons(p)
	if o.Status == payment.Paid || o.Status == payment.Authorised || o.AwaitsBlocks() {
		v.Return = &pages.Link{URL: s.returnURL(o), Label: "Return to the shop"}
	} else if o.CancelURL != "" {
		v.Cancel = &pages.Link{URL: o.CancelURL, Label: "Go back without paying"}
	}
	return v
}

// returnURL is where a buyer goes who has done what there was to do.
func (s *Server) returnURL(r Record) string {
	if d, ok := s.dialects[r.Dialect].(Returner); ok {
		return d.ReturnURL(r)
	}
	return r.ReturnURL
}

func (o Record) refundForm(p Profile) *pages.RefundForm {
	left := o.atOnce(p)
	if o.open() || o.AwaitsBlocks() || left.Sign() <= 0 {
		return nil
	}
	part := half(left)
	if part.Sign() == 0 {
		part = left
	}
	return &pages.RefundForm{
		Refundable: pages.Sum{Words: o.money(left), Minor: left.String()},
		Half:       pages.Sum{Words: o.money(part), Minor: part.String()},
		Sample:     payment.Money{Amount: part, Currency: o.Currency}.Major(),
	}
}

func (o Order) riskForm(now time.Time) *pages.RiskForm {
	f := &pages.RiskForm{Assessed: pages.At(*o.Risk.AssessedAt, now), Valid: "without end"}
	if until := o.Risk.ValidUntil; until != nil {
		f.Valid = "ended " + pages.At(*until, now).Near
		if until.After(now) {
			f.Valid = "valid until " + pages.At(*until, now).Full
		}
	}
	choice := func(name, label, chosen string, words ...string) {
		if !slices.Contains(words, chosen) {
			words = append(words, chosen)
		}
		f.Choices = append(f.Choices, pages.Choice{Name: name, Label: label, Chosen: chosen, Words: words})
	}
	choice("decision", "Decision", o.Risk.Decision, "allow", "review", "deny")
	choice("service", "Service", o.Risk.ServiceStatus, "enabled", "suspended")
	choice("chain", "Chain", o.Risk.ChainEnforcement, "allowed", "blocked")
	return f
}
