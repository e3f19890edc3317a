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
	o, err := findOrder(r.Context(), s.db, r.PathValue("id"))
	if err != nil {
		return nil, 0, err
	}
	now, err := databaseNow(r.Context(), s.db)
	if err != nil {
		return nil, 0, err
	}
	return pages.PayPage(s.payView(o, now, "")), http.StatusOK, nil
}

func (s *Server) payView(o Order, now time.Time, notice string) pages.Pay {
	v := pages.Pay{
		ID: o.ID, Revision: strconv.FormatUint(o.Revision, 10), Reference: o.MerchantOrderID,
		Description: o.Description, Amount: pages.Sum{Words: o.money(o.Amount), Minor: o.Amount.String()},
		Notice: notice, Refund: o.refundForm(), Risk: o.riskForm(now),
	}
	v.State, v.Headline, v.Lead = o.payState()
	if o.Received.Sign() > 0 {
		v.Received = o.money(o.Received)
		if o.Due().Sign() > 0 {
			v.Due = o.money(o.Due())
		}
		if surplus := o.Received.Sub(o.Amount); surplus.Sign() > 0 {
			v.Surplus = o.money(surplus)
		}
	}
	if o.Refunded.Sign() > 0 {
		v.Refunded = o.money(o.Refunded)
	}
	if o.open() {
		expires := pages.At(o.ExpiresAt, now)
		v.Expires = &expires
	}
	if o.AwaitsBlocks() {
		v.Blocks = &pages.Blocks{Have: o.Confirmations, Want: o.WantedConfirmations, Automatic: s.autoConfirm > 0}
	}
	v.Heading = "Pay"
	if o.AwaitsBlocks() {
		v.Heading = "Wait for the chain"
	}
	v.Buttons, v.Trouble = o.buttons()
	if o.Status == payment.Paid || o.AwaitsBlocks() {
		v.Return = &pages.Link{URL: o.ReturnURL, Label: "Return to the shop"}
	} else if o.CancelURL != "" {
		v.Cancel = &pages.Link{URL: o.CancelURL, Label: "Go back without paying"}
	}
	return v
}

// buttons offers what would have an effect, in the order of use.
func (o Order) buttons() (plain, trouble []pages.Button) {
	if o.RefundStatus == payment.FullyRefunded {
		return nil, nil
	}
	missing := o.Missing()
	switch {
	case o.AwaitsBlocks():
		plain = append(plain, pages.Button{Do: "confirm", Label: "Confirm the next block", Hint: "On a chain this takes minutes; here you say when."})
	case missing.Sign() > 0 && o.Received.Sign() > 0:
		plain = append(plain, pages.Button{Do: "pay", Label: "Pay the rest, " + o.money(missing)},
			pages.Button{Do: "pay3", Label: "Pay the rest with 3 confirmations"})
	case missing.Sign() > 0:
		plain = append(plain, pages.Button{Do: "pay", Label: "Pay now", Hint: "Final at once."},
			pages.Button{Do: "pay3", Label: "Pay with 3 confirmations", Hint: "Like a transfer on a chain: seen first, final three blocks later."})
	}
	if missing.Sign() > 0 {
		if o.TooLittle().Sign() > 0 {
			trouble = append(trouble, pages.Button{Do: "underpay", Label: "Pay too little", Hint: "Send " + o.money(o.TooLittle()) + ". The rest stays due."})
		}
		trouble = append(trouble, pages.Button{Do: "overpay", Label: "Pay too much", Hint: "Send " + o.money(o.TooMuch()) + ". Paid, with a surplus."})
	} else if o.Status == payment.Paid {
		trouble = append(trouble, pages.Button{Do: "twice", Label: "Pay again", Hint: "Send the amount a second time."})
	}
	if o.open() {
		if missing.Sign() > 0 {
			trouble = append(trouble, pages.Button{Do: "late", Label: "Pay late", Hint: "Let it expire first, then send the money."})
		}
		trouble = append(trouble,
			pages.Button{Do: "fail", Label: "Let it fail", Hint: "The payment ends without money."},
			pages.Button{Do: "expire", Label: "Let it expire", Hint: "The time to pay is over."})
	}
	return plain, trouble
}

func (o Order) refundForm() *pages.RefundForm {
	left := o.Refundable()
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

func (o Order) riskForm(now time.Time) pages.RiskForm {
	f := pages.RiskForm{Assessed: pages.At(*o.Risk.AssessedAt, now), Valid: "without end"}
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
