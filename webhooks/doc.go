// Package webhooks takes what payment providers report: an http.Handler that
// verifies and stores events (the inbox), and a Processor that later turns each
// stored event into a fetched snapshot and hands it to checkout.ApplyTx.
//
// Handler is plain net/http and can be lifted into any router. It keeps:
//
//   - 1, nothing unsigned is read: the provider's Verify sees the exact bytes
//     before anything parses them.
//   - 2, nothing is acknowledged that isn't stored: 200 follows the commit; what
//     can't be stored within 9 s is answered 503 with Retry-After.
//   - 3, an event counts once: the unique key decides. The same content again is
//     counted on the event's row and answered 200; other content under the same
//     id is recorded without its body and answered 409.
//
// Processor keeps:
//
//   - 4, an event is a hint: it fetches the snapshot after the event, outside of
//     any transaction; a snapshot behind the event lets the event wait.
//   - 9, a lost lease finishes nothing: verdicts are written with the lease's
//     version in the WHERE clause, in the transaction that changed the order.
//   - 10, nothing is hidden: an event that can't be processed ends as dead and
//     stays listed.
//
// The answer to a webhook waits for one durable commit and nothing else: not for
// the provider's API, a mail server or a worker.
package webhooks
