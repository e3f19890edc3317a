package view_test

import (
	"fmt"
	"time"

	"onceshop/web/view"
)

const orderURL = "/orders/3q2-7wEjRWeJq83vASNFZw"

// orderSamples are the order page in each of its states.
func orderSamples() []sample {
	var all []sample
	add := func(name string, v view.Order) {
		all = append(all, sample{"order-" + name, view.OrderPage(v)})
	}

	waiting := order(view.Facts{Payment: "pending", Delivery: view.DeliveryWaiting, Licenses: 1})
	waiting.PayURL = "http://127.0.0.1:8090/pay/7d0c2a54"
	add("waiting", waiting)

	choice := order(view.Facts{Payment: "pending", Delivery: view.DeliveryWaiting, Licenses: 1})
	choice.PayURL, choice.PayWith, choice.Others, choice.OthersURL = waiting.PayURL, ways()[0], ways()[1:], orderURL+"/pay"
	add("waiting-several-ways", choice)

	refused := choice
	refused.PayURL, refused.PayAgainURL, refused.Refresh = "", orderURL+"/pay", 0
	refused.Problem = "Choose one of the ways to pay that are offered."
	add("waiting-refused-way", refused)

	unstarted := refused
	unstarted.Problem = ""
	unstarted.Unstarted = "The payment could not be started right now. Your order is kept and nothing was charged. Try again, or pay another way."
	add("waiting-unstarted", unstarted)

	unpayable := order(view.Facts{Payment: "expired", Delivery: view.DeliveryWaiting, Licenses: 1})
	unpayable.Unpayable = true
	add("expired-unpayable", unpayable)

	returned := order(view.Facts{Payment: "pending", Delivery: view.DeliveryWaiting, Licenses: 1, Returned: true})
	returned.PayURL = waiting.PayURL
	add("returned", returned)

	undecided := order(view.Facts{Payment: "pending", Delivery: view.DeliveryWaiting, Licenses: 1, Returned: true})
	undecided.PayURL, undecided.PayWith, undecided.Others, undecided.OthersURL = choice.PayURL, choice.PayWith, choice.Others, choice.OthersURL
	add("returned-several-ways", undecided)

	overdue := order(view.Facts{Payment: "pending", Delivery: view.DeliveryWaiting, Licenses: 1, Returned: true, Overdue: true})
	overdue.PayURL = waiting.PayURL
	add("overdue", overdue)

	confirming := order(view.Facts{Payment: "confirming", Delivery: view.DeliveryWaiting, Licenses: 1, Confirmations: 3})
	confirming.History = history()[3:]
	add("confirming", confirming)

	add("authorised", order(view.Facts{Payment: "authorised", Delivery: view.DeliveryWaiting, Licenses: 1}))

	partly := order(view.Facts{Payment: "confirming", Delivery: view.DeliveryWaiting, Licenses: 1, Received: "$30.00", Total: "$49.00"})
	partly.PayURL = waiting.PayURL
	partly.Amounts = []view.Amount{{Label: "Received", Value: "$30.00"}, {Label: "Still missing", Value: "$19.00"}}
	add("partly-paid", partly)

	late := order(view.Facts{Payment: "expired", Delivery: view.DeliveryWaiting, Licenses: 1, Received: "$30.00", Total: "$49.00"})
	late.Amounts = partly.Amounts
	late.PayAgainURL = orderURL + "/pay"
	add("partly-paid-expired", late)

	add("review", order(view.Facts{Payment: "paid", Review: true, Delivery: view.DeliveryWaiting, Licenses: 1}))

	withheld := order(view.Facts{Payment: "paid", Delivery: view.DeliveryWithheld, Licenses: 1})
	withheld.Gate.Open = true
	withheld.Gate.Clauses[1].Has, withheld.Gate.Clauses[1].OK = "review", false
	add("withheld", withheld)

	preparing := order(view.Facts{Payment: "paid", Delivery: view.DeliveryPreparing, Licenses: 1})
	preparing.Gate = heldGate()
	add("preparing", preparing)

	for _, payment := range []string{"failed", "expired", "cancelled"} {
		v := order(view.Facts{Payment: payment, Delivery: view.DeliveryCancelled, Licenses: 1})
		if payment != "cancelled" {
			v.PayAgainURL, v.PayWith = orderURL+"/pay", ways()[0]
		}
		if payment == "failed" {
			v.Others, v.OthersURL = ways()[1:], v.PayAgainURL
		}
		add(payment, v)
	}

	paid := delivered(view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 1})
	add("paid", paid)

	revealed := delivered(view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 1})
	revealed.Licenses[0].Key = "7QX4M-2KPD9-RW6TN-V83HC"
	revealed.Licenses[0].HideURL = orderURL + "#license-1"
	revealed.Status = view.Describe(view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 1})
	revealed.MailNote = "The receipt could not be mailed to b•••@example.com. Everything is on this page; keep its address."
	add("revealed", revealed)

	several := delivered(view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 3})
	several.Lines = append(several.Lines, view.OrderLine{Name: oddName, Quantity: 2, UnitPrice: "$64.00", Total: "$128.00"})
	several.Total = "$177.00"
	several.Amounts = []view.Amount{{Label: "Received", Value: "$187.00"}, {Label: "Surplus", Value: "$10.00", Note: "More arrived than was due. We will send it back."}}
	for i := range 2 {
		l := several.Licenses[0]
		l.ID, l.Slug, l.Product, l.Unit = fmt.Sprintf("license-%d", i+2), "stillpoint", oddName, fmt.Sprintf("%d of 2", i+1)
		several.Licenses = append(several.Licenses, l)
	}
	several.History = longHistory()
	add("several", several)

	partial := delivered(view.Facts{Payment: "paid", Refund: "partial", Delivery: view.DeliveryDone, Licenses: 1})
	partial.Amounts = append(partial.Amounts, view.Amount{Label: "Refunded", Value: "$20.00"})
	add("partially-refunded", partial)

	refunded := ended(view.Facts{Payment: "paid", Refund: "full", Delivery: view.DeliveryRevoked, Licenses: 1}, view.LicenseRevoked, "It ended with the full refund.")
	refunded.Amounts = append(refunded.Amounts, view.Amount{Label: "Refunded", Value: "$49.00"})
	refunded.Refunds = []view.Movement{
		movement("$20.00", "Sent back", view.ToneGood, "It goes to where you paid from."),
		movement("$20.00", "Did not arrive", view.ToneBad, "It could not be sent to where you paid from, and the money is with us. We will get in touch."),
		movement("$29.00", "On its way", view.ToneWait, "Your bank may take some days to show it."),
	}
	refunded.Refunds[1].Promised = true
	add("refunded", refunded)

	add("not-delivered", order(view.Facts{Payment: "paid", Delivery: view.DeliveryCancelled, Licenses: 1}))

	all = append(all, disputed()...)

	huge := order(view.Facts{Payment: "confirming", Delivery: view.DeliveryWaiting, Licenses: 1,
		Received: "1,000,000.000000000000000001 TOKEN", Total: "1,000,001.000000000000000001 TOKEN"})
	huge.Total = "1,000,001.000000000000000001 TOKEN"
	huge.Lines = []view.OrderLine{{Name: oddName, Quantity: 1, UnitPrice: huge.Total, Total: huge.Total}}
	add("huge-amount", huge)
	return all
}

// disputed are the orders whose money somebody else has taken, or wants.
func disputed() []sample {
	open := ended(view.Facts{Payment: "paid", Dispute: "open", Delivery: view.DeliverySuspended, Licenses: 1}, view.LicenseSuspended, "It rests while your bank disputes the payment.")
	open.Disputes = []view.Movement{movement("$49.00", "Open", view.ToneWarn, "Your bank asks for this amount back. It decides; there is nothing to do here.")}
	open.Gate.Heading, open.Gate.Sentence = "Why it rests", "The license was issued and rests while the payment is disputed."
	open.Gate.Clauses[7] = view.Clause{Label: "Dispute", Has: "open", Wants: "none open or lost"}

	held := order(view.Facts{Payment: "paid", Dispute: "open", Delivery: view.DeliveryWithheld, Licenses: 1})
	held.Disputes, held.Gate = open.Disputes, open.Gate
	held.Gate.Open, held.Gate.Heading, held.Gate.Sentence = true, "Why it is not delivered yet", "Delivered once all of these hold."

	won := delivered(view.Facts{Payment: "paid", Dispute: "won", Delivery: view.DeliveryDone, Licenses: 1})
	won.Disputes = []view.Movement{movement("$49.00", "Settled", view.ToneGood, "It was decided that the payment stands.")}

	lost := ended(view.Facts{Payment: "paid", Dispute: "lost", Delivery: view.DeliveryRevoked, Licenses: 1}, view.LicenseRevoked, "It ended when your bank took money back.")
	lost.Disputes = []view.Movement{movement("$49.00", "Charged back", view.ToneIdle, "Your bank has taken this amount back.")}
	lost.Amounts = append(lost.Amounts, view.Amount{Label: "Charged back", Value: "$49.00"})

	taken := ended(view.Facts{Payment: "failed", TakenBack: true, Delivery: view.DeliveryRevoked, Licenses: 1}, view.LicenseRevoked, "It ended when the payment was taken back.")
	taken.PayAgainURL, taken.PayWith, taken.Others, taken.OthersURL = orderURL+"/pay", ways()[0], ways()[1:2], orderURL+"/pay"
	taken.Amounts = []view.Amount{{Label: "Taken back", Value: "$49.00"}}
	return []sample{
		{"order-disputed", view.OrderPage(open)}, {"order-disputed-before-delivery", view.OrderPage(held)},
		{"order-dispute-won", view.OrderPage(won)}, {"order-dispute-lost", view.OrderPage(lost)}, {"order-taken-back", view.OrderPage(taken)},
	}
}

// ended is a delivered order whose license isn't good, or not now.
func ended(f view.Facts, status, reason string) view.Order {
	v := delivered(f)
	v.Licenses[0].Status, v.Licenses[0].Reason = status, reason
	v.Gate.Heading, v.Gate.Sentence = "Why it has ended", "The license was issued and has ended."
	v.Licenses[0].RevealURL, v.Licenses[0].FileURL = "", ""
	return v
}

func movement(amount, word, tone, sentence string) view.Movement {
	return view.Movement{Amount: amount, State: view.Pill{Word: word, Tone: tone}, Sentence: sentence, At: ago(26 * time.Hour)}
}

func order(f view.Facts) view.Order {
	if f.Mail == "" && f.Payment != "cancelled" {
		f.Mail = view.MailComes
	}
	l := layout("", "", "")
	l.CartCount = 0
	v := view.Order{
		Layout: l,
		Number: "1007",
		Email:  "b•••@example.com",
		Placed: ago(6 * time.Minute),
		Status: view.Describe(f),
		Lines:  []view.OrderLine{{Name: "Inkwell", Quantity: 1, UnitPrice: "$49.00", Total: "$49.00"}},
		Total:  "$49.00",

		EventsURL: orderURL + "/events",
		Gate:      openGate(f.Payment),
		History:   history()[5:],
	}
	if v.Status.Waiting {
		v.Refresh = 4
	}
	return v
}

func delivered(f view.Facts) view.Order {
	f.Mail = view.MailSent
	v := order(f)
	v.History = history()
	v.Amounts = []view.Amount{{Label: "Received", Value: "$49.00"}}
	v.Gate = heldGate()
	v.Gate.Heading = "Why it was delivered"
	v.Gate.Sentence = "Every condition held when the license was issued, checked once more on the locked order."
	v.Licenses = []view.License{{
		ID: "license-1", Slug: "inkwell", Product: "Inkwell", Status: view.LicenseActive,
		Masked: "7QX4M-•••••-•••••-•••••", RevealURL: orderURL + "?reveal=1#license-1",
		FileURL: orderURL + "/licenses/1.license", Activations: 3, Issued: ago(2 * time.Minute),
	}}
	return v
}
