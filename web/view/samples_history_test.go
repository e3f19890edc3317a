package view_test

import (
	"fmt"
	"time"

	"onceshop/web/view"
)

func openGate(payment string) view.Gate {
	g := heldGate()
	g.Clauses[4].Has, g.Clauses[4].OK = payment, payment == "paid"
	g.Sentence = "Delivery starts by itself as soon as every condition holds."
	return g
}

func heldGate() view.Gate {
	return view.Gate{
		Heading:  "Why it is not delivered yet",
		Sentence: "Every condition holds; the license is being made.",
		Clauses: []view.Clause{
			{Label: "The risk assessment is current", Has: "valid until 30 Nov 2026, 12:40:00 UTC", Wants: "not past its end", OK: true},
			{Label: "The provider’s decision", Has: "allow", Wants: "allow", OK: true},
			{Label: "The provider’s service", Has: "enabled", Wants: "enabled", OK: true},
			{Label: "The chain", Has: "allowed", Wants: "allowed", OK: true},
			{Label: "The payment", Has: "paid", Wants: "paid", OK: true},
			{Label: "The refund", Has: "none", Wants: "not full", OK: true},
			{Label: "The refunded amount", Has: "$0.00", Wants: "less than $49.00", OK: true},
			{Label: "The provider’s revision", Has: "2", Wants: "at least 2", OK: true},
		},
	}
}

func history() []view.Entry {
	return []view.Entry{
		{ID: "r5", Kind: view.EntryChange, Revision: 5, Sentence: "The receipt was mailed.", At: ago(2 * time.Minute), Cause: view.Cause{Source: "fulfillment", Actor: "worker"}},
		{ID: "r4", Kind: view.EntryChange, Revision: 4, Sentence: "The license was issued.", At: ago(2*time.Minute + time.Second),
			Cause: view.Cause{Source: "fulfillment", Actor: "worker"}, Changes: []view.Change{{Field: "Delivery", Before: "preparing", After: "delivered"}, {Field: "License", After: "1 issued"}}},
		{ID: "e1", Kind: view.EntryStale, Sentence: "“Confirming” arrived late and changed nothing.", Reason: "It tells of the provider’s revision 1; revision 2 is known already.", At: ago(2*time.Minute + 2*time.Second),
			Cause: view.Cause{Source: "webhook", EventID: "e0000000-0000-4000-8000-000000000001", EventType: "payment.confirming", ProviderRevision: "1", Deliveries: 2}},
		{ID: "r3", Kind: view.EntryChange, Revision: 3, Sentence: "The payment is complete.", At: ago(2*time.Minute + 3*time.Second),
			Cause:   view.Cause{Source: "webhook", EventID: "e0000000-0000-4000-8000-000000000002", EventType: "payment.paid", ProviderRevision: "2", Deliveries: 20},
			Changes: []view.Change{{Field: "Payment", Before: "confirming", After: "paid"}, {Field: "Received", Before: "$0.00", After: "$49.00"}}},
		{ID: "e2", Kind: view.EntryRefused, Sentence: "An event was refused: its content differs from the one stored under its id.", Reason: "The same event id arrived with other signed bytes. Nothing of it was used.", At: ago(3 * time.Minute),
			Cause: view.Cause{Source: "webhook", EventID: "e0000000-0000-4000-8000-000000000001", EventType: "payment.confirming"}},
		{ID: "r2", Kind: view.EntryChange, Revision: 2, Sentence: "The payment page was opened.", At: ago(5 * time.Minute), Cause: view.Cause{Source: "checkout", Actor: "buyer"},
			Changes: []view.Change{{Field: "Payment", Before: "not started", After: "pending"}}},
		{ID: "r1", Kind: view.EntryChange, Revision: 1, Sentence: "The order was placed.", At: ago(6 * time.Minute), Cause: view.Cause{Source: "checkout", Actor: "buyer"}},
	}
}

func longHistory() []view.Entry {
	all := history()
	for i := range 17 {
		all = append([]view.Entry{{
			ID: fmt.Sprintf("u%d", i), Kind: view.EntryUnchanged, Sentence: "The provider’s list agrees with this order.", At: ago(time.Minute),
			Cause: view.Cause{Source: "reconcile"},
		}}, all...)
	}
	return all
}
