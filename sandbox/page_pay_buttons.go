package sandbox

import (
	"onceshop/payment"
	"onceshop/sandbox/pages"
)

// offer appends a button if the provider has it.
func (p Profile) offer(list *[]pages.Button, do, label, hint string) {
	if p.offers(do) {
		*list = append(*list, pages.Button{Do: do, Label: label, Hint: hint})
	}
}

// buttons offers what would have an effect, in the order of use.
func (r Record) buttons(p Profile) (plain, trouble []pages.Button) {
	if r.RefundStatus == payment.FullyRefunded {
		return nil, nil
	}
	missing := r.Missing()
	switch {
	case r.Status == payment.Authorised:
		p.offer(&plain, "capture", "Capture "+r.money(r.Due()), "What is reserved is taken.")
	case r.AwaitsBlocks() && p.Chain:
		p.offer(&plain, "confirm", "Confirm the next block", "On a chain this takes minutes; here you say when.")
	case r.AwaitsBlocks():
		p.offer(&plain, "confirm", "Let the bank confirm", "At a bank this takes days; here you say when.")
	case missing.Sign() > 0 && r.Received.Sign() > 0:
		p.offer(&plain, "pay", "Pay the rest, "+r.money(missing), "")
		if p.Chain {
			p.offer(&plain, "pay3", "Pay the rest with 3 confirmations", "")
		}
	case missing.Sign() > 0 && p.Chain:
		p.offer(&plain, "pay", "Pay now", "Final at once.")
		p.offer(&plain, "pay3", "Pay with 3 confirmations", "Like a transfer on a chain: seen first, final three blocks later.")
	case missing.Sign() > 0:
		p.offer(&plain, "pay", "Pay now", "Final at once, like most cards.")
		p.offer(&plain, "debit", "Pay by bank debit", "Seen first, final when the bank confirms.")
		if r.Status == payment.Pending {
			p.offer(&plain, "authorise", "Reserve the amount", "Held on the card and taken later; a shop delivers nothing for it.")
		}
	}
	return plain, r.trouble(p)
}

// trouble is what can go wrong.
func (r Record) trouble(p Profile) (list []pages.Button) {
	missing := r.Missing()
	if r.open() && missing.Sign() > 0 && !r.AwaitsBlocks() {
		p.offer(&list, "attempt_fail", "Let an attempt fail", "The card is declined. The buyer may try again.")
	}
	if r.Status == payment.Authorised && half(r.Due()).Sign() > 0 {
		p.offer(&list, "capture_half", "Capture a part", "Take "+r.money(half(r.Due()))+". The rest stays reserved.")
	}
	if missing.Sign() > 0 {
		if r.TooLittle().Sign() > 0 {
			p.offer(&list, "underpay", "Pay too little", "Send "+r.money(r.TooLittle())+". The rest stays due.")
		}
		p.offer(&list, "overpay", "Pay too much", "Send "+r.money(r.TooMuch())+". Paid, with a surplus.")
	} else if r.Status == payment.Paid {
		p.offer(&list, "twice", "Pay again", "Send the amount a second time.")
	}
	switch {
	case r.Status == payment.Authorised:
		p.offer(&list, "fail", "Give it up", "What is reserved is let go; nothing was taken.")
		p.offer(&list, "expire", "Let it run out", "Nobody captured it in time.")
	case r.open():
		if missing.Sign() > 0 {
			p.offer(&list, "late", "Pay late", "Let it expire first, then send the money.")
		}
		p.offer(&list, "fail", "Let it fail", "The payment ends without money.")
		p.offer(&list, "expire", "Let it expire", "The time to pay is over.")
	}
	return list
}

// sections is what may happen long after the payment.
func (r Record) sections(p Profile) (list []pages.Section) {
	if p.has("refund_fail") && r.inForce() {
		list = append(list, pages.Section{
			ID: "refund-back", Title: "A refund that comes back", Lead: "The newest refund can't be booked and returns.",
			Buttons: button(p, "refund_fail", "Let the refund come back"),
		})
	}
	i, open := r.openDispute()
	switch {
	case open:
		lead := "Open, about " + r.money(r.Disputes[i].Amount) + ". How does it end?"
		s := pages.Section{ID: "dispute", Title: "Dispute", Lead: lead, Buttons: button(p, "dispute_win", "The shop wins")}
		p.offer(&s.Buttons, "dispute_lose", "The shop loses", "")
		list = append(list, s)
	case p.has("dispute") && r.Refundable().Sign() > 0:
		list = append(list, pages.Section{
			ID: "dispute", Title: "Dispute", Lead: "The buyer asks the bank for " + r.money(r.Refundable()) + " back.",
			Buttons: button(p, "dispute", "Open a dispute"),
		})
	}
	if r.Status == payment.Paid && r.Refunded.Sign() == 0 && !r.AwaitsBlocks() {
		if b := button(p, "capture_fail", "Take the capture back"); b != nil {
			list = append(list, pages.Section{
				ID: "take-back", Title: "A capture that fails", Lead: "The money that was captured doesn't arrive after all.", Buttons: b,
			})
		}
	}
	return list
}

func button(p Profile, do, label string) (list []pages.Button) {
	p.offer(&list, do, label, "")
	return list
}

// inForce reports whether a refund can still come back.
func (r Record) inForce() bool {
	for _, f := range r.Refunds {
		if f.Status == payment.RefundDone {
			return true
		}
	}
	return false
}

// also is what few payments have to tell.
func (r Record) also() (facts []pages.Fact) {
	if r.Status == payment.Authorised {
		facts = append(facts, pages.Fact{Name: "Reserved", Value: r.money(r.Due())})
	}
	if r.Reversed.Sign() > 0 {
		facts = append(facts, pages.Fact{Name: "Refunds that came back", Value: r.money(r.Reversed)})
	}
	if r.TakenBack.Sign() > 0 {
		facts = append(facts, pages.Fact{Name: "Taken back", Value: r.money(r.TakenBack)})
	}
	for _, d := range r.Disputes {
		facts = append(facts, pages.Fact{Name: "Dispute", Value: r.money(d.Amount) + ", " + string(d.Status)})
	}
	return facts
}
