package main

type ordersCommand struct {
	List     ordersList     `cmd:"" help:"List orders, newest first."`
	Show     ordersShow     `cmd:"" help:"Show an order: payments, licenses, jobs, and why it is or isn't delivered."`
	Timeline ordersTimeline `cmd:"" help:"Show everything that happened to an order, newest first."`
	Cancel   ordersCancel   `cmd:"" help:"End an order that isn't paid. Money that arrives later puts it under review."`
	Refund   ordersRefund   `cmd:"" help:"Give money of a payment back: an amount, or all that it holds."`
	Reviewed ordersReviewed `cmd:"" help:"End an order's review: a person has looked at what was refused of its payment."`
	Reopen   ordersReopen   `cmd:"" help:"Take a cancellation back: money that came meanwhile pays the order."`
	Relink   ordersRelink   `cmd:"" help:"Give an order's page a new address; the old one opens nothing any more."`
}
