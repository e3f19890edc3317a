// Package webhooks takes what payment providers report: an http.Handler that
// verifies and stores events (the inbox), and a Processor that later turns each
// stored event into a snapshot and hands it to checkout.ApplyTx. Any number of
// providers is served; one that isn't in Handler.Providers has no route.
//
// Handler is plain net/http and can be lifted into any router. It keeps:
//
//   - 1, nothing unsigned is read: the provider's Verify sees the exact bytes before
//     Parse, or anything else, reads them.
//   - 2, nothing is acknowledged that isn't stored: 200 follows the commit; what
//     can't be stored within 8 s is answered 503 with Retry-After. The events of one
//     delivery are stored together or not at all.
//   - 3, an event counts once: the unique key decides. The same content again is
//     counted on the event's row and answered 200; other content under the same
//     id is recorded without its body and answered 409. A second id that the sender
//     didn't sign (the alias) makes a conflict if it is known with other content, and
//     nothing otherwise. Where a refusal would stop the sender's queue, a conflict is
//     answered 200 and parked: an event of its own, for a person, which no snapshot is
//     ever made of.
//
// Processor keeps:
//
//   - 4, an event is a hint: it fetches the snapshot after the event, outside of any
//     transaction. A snapshot behind the event lets the event wait; where there are no
//     revisions, that is one of an open payment after an event that says paid, or one
//     without any refund or settled dispute after an event of one, and after a few tries
//     it counts. Whether it lacks a second refund can't be seen: after an event of money
//     that went back the payment is marked, and asked about once more later. A provider
//     that can't be asked answers by all that it has told and signed: [Told] folds its
//     stored events. An event that says by itself that it changes nothing here (another
//     mode, another account, a kind that we don't act on) has its verdict when it is
//     stored, and nobody is asked.
//   - 6, one writer at a time: checkout.Refresh notes the payment's version before it
//     asks, and asks again if somebody wrote in between. Of a fold the number of events
//     is the revision.
//   - 9, a lost lease finishes nothing: verdicts are written with the lease's
//     version in the WHERE clause, in the transaction that changed the order.
//   - 10, nothing is hidden: an event that can't be processed ends as dead and stays
//     listed; one about a payment that names no order of ours is unattributed, and
//     its money is recorded.
//
// Retention deletes the bytes of old events and nothing else: without their identity
// an old delivery would count as new (3), without their columns a fold would forget (4).
//
// The answer to a webhook waits for one durable commit and nothing else: not for
// the provider's API, a mail server or a worker.
package webhooks
