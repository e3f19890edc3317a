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
//     transaction with the events that its provider tells it by and with one
//     delivery of each for every endpoint of that provider. StableIn tells every
//     change by one event; others have several for one change, or none.
//  2. An event's body is built once. All its deliveries send these bytes; each
//     attempt is signed afresh over them, with a fresh timestamp. Only where a
//     provider signs or stamps the body itself is that part of it new.
//  3. An event is delivered at least once: until a receiver accepts it, says what
//     ends it (409 at StableIn; 410 at Standard Webhooks, for all of the endpoint), or
//     all attempts of the provider's schedule have failed. Attempts are leased (package
//     lease); a killed process loses nothing and another one takes over.
//  4. The same Idempotency-Key with the same request gets the same answer, byte
//     for byte, and acts once. With another request it is refused.
//  5. Nothing that was received or refunded ever shrinks, nothing leaves paid,
//     and never is more refunded than was received. Money that waits for blocks, or
//     is only reserved, is not received yet. Two exceptions are asked for by name
//     and counted: a refund that comes back, captured money that is taken back.
//  6. A fault adds or spoils sends, or hides the API. It never adds an event and
//     never touches an order.
//
// The rules of what an order becomes are pure functions (change.go,
// change_record.go). Everything else is storing (ledger.go, records.go), sending (deliver.go), and showing (api_*.go and
// page_*.go). The tables are its own, named pay_*, in a database of its own; it
// imports nothing of the shop but the vocabulary of amounts and states, and the
// shop imports nothing of it.
//
// # Dialects
//
// One engine stands in for several providers. What differs between them is a
// [Dialect]: StableIn's own (stablein.go), and one package below this one for each
// other, which knows this package and nothing of the shop. The engine's words and
// amounts are the same for all: an order is a hosted page, its payments are the
// attempts made on it, amounts are in the minor units of payment.Exponent. To write
// one, take sandbox/stripe as the example:
//
//   - Profile names it, gives its retry schedule, and lists the actions (see Actions)
//     that it has no word for (Without) or that deserve no button (Hidden).
//   - NewRef makes ids in the provider's form, with Letters out of an alphabet; they
//     are stored, unique, and found again by Get. Ids that only name the order in
//     another way needn't be stored: derive them with Hex, and turn them back before
//     Get.
//   - Announce turns a Change into events: begin each with Change.Event, whose ID is a
//     UUID; derive the provider's event id from it, there and in Sign. Look at
//     Change.Word first, then at Before and After; Payment, Refund and Dispute are what
//     the change touched. A change that can't be at the provider is refused here, with
//     an *Error.
//   - Sign is called for each attempt with the endpoint's secrets, newest first. Sign
//     with all where the provider does, otherwise with the first. Never sign with
//     anything else: the switches for wrong and for old secrets work by what is given.
//   - CheckSecret and NewSecret are TextSecrets, where any text will do. Keys and other
//     settings are refused with a SettingError.
//   - Routes serves the provider's API from Create, Get, List, Refund and Act, through
//     Server.Serve, which asks for credentials (Bearer, Basic), and is slow, away or
//     behind when the switches say so. Errors of the engine have a status and a code:
//     API.Refusal puts them in the provider's shape. Convert amounts at the border with
//     a Counting of the dialect's own, both ways, and refuse what can't be counted.
//   - Where payments go by the merchant's own reference, give that as NewOrder.PageRef: it
//     is found by Get then, and taken once. A reference that even the same request can't
//     have again is a Key with something in Extra that differs each time.
//   - Lists are newest first; with Window.Changed, by change, the oldest first.
//   - What the request says and the provider repeats later (metadata, notes, capture
//     mode) goes into NewOrder.Extra and comes back as Order.Extra, which Kept reads.
//
// Its tests use package sandboxtest: a server with the dialect, a shop that hears its
// events, Deliver in place of loops, and the practice API under /v1/test, which speaks
// the engine's words whatever the dialect, and takes any of the provider's ids or the
// merchant's reference as id.
//
// The desk and the hosted page have no sign-in, and an order's page is known by
// its id alone: a place for practice, not to be reachable from outside.
package sandbox
