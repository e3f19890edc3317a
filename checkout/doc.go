// Package checkout holds the shop's commands on carts and orders: a cart becomes
// one order, the order a hosted payment, and a provider's snapshot becomes the
// order's state.
//
//   - 4, the snapshot is the truth: [ApplyTx] takes nothing but a snapshot; live
//     webhooks, replays and reconciliation all come through it.
//   - 5, state never runs backwards: payment.Next decides, the database's fences
//     (row_version, provider_revision, revision) hold it.
//   - 6, one writer at a time: the order row is locked first, then its payments
//     are read again.
//   - 7, a booking and the jobs it causes are one transaction.
//   - 12, every change is in the history, through store.SaveOrder.
//
// No provider is called while a transaction is open: [Shop.Begin] commits the
// order and its first revision, then asks for the payment under an idempotency
// key, then notes the answer. Each step may be repeated after a crash.
package checkout
