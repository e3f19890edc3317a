// Package sandbox is a payment platform to practise with. It speaks StableIn's
// API, shows the hosted payment page, and sends signed webhooks, so that a shop
// can be run, tested and studied without an account anywhere. What makes it
// worth having is what it does wrong on request: it delivers twice, late, out of
// order, corrupted, wrongly signed or not at all, and its API can be slow, away
// or behind.
//
// What it promises, so that a shop's own promises can be tested against it:
//
//  1. Every change of an order raises its revision by exactly one, in one
//     transaction with the event that tells it and with one delivery of that
//     event for every endpoint. There is no revision without an event.
//  2. An event's body is built once. All its deliveries send these bytes; each
//     attempt is signed afresh over them, with a fresh timestamp.
//  3. An event is delivered at least once: until a receiver answers 2xx, answers
//     409, or eight attempts have failed. Attempts are leased (package lease);
//     a killed process loses nothing and another one takes over.
//  4. The same Idempotency-Key with the same request gets the same answer, byte
//     for byte, and acts once. With another request it is refused.
//  5. Nothing that was received or refunded ever shrinks, nothing leaves paid,
//     and never is more refunded than was received. Money that waits for blocks
//     is not received yet.
//  6. A fault adds or spoils sends, or hides the API. It never adds an event and
//     never touches an order.
//
// The rules of what an order becomes are pure functions (change.go). Everything
// else is storing (ledger.go), sending (deliver.go), and showing (api_*.go and
// page_*.go). The tables are its own, named pay_*, in a database of its own; it
// imports nothing of the shop but the vocabulary of amounts and states, and the
// shop imports nothing of it.
//
// The desk and the hosted page have no sign-in, and an order's page is known by
// its id alone: a place for practice, not to be reachable from outside.
package sandbox
