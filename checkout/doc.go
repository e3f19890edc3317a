// Package checkout holds the shop's commands on carts and orders: a cart becomes
// one order, the order one or more hosted payments, and a provider's snapshot
// becomes the order's state.
//
// # The promises it keeps
//
//   - 4, the snapshot is the truth: [ApplyTx] takes nothing but a snapshot; live
//     webhooks, replays, reconciliation and refunds all come through it.
//   - 5, state never runs backwards: payment.Next decides about each payment, the
//     database's fences (row_version, provider_revision, revision) hold it. What
//     can't be right leaves the payment as it is, a reason for a person, and a digest
//     of what was refused: looking at it ends the review of this and of nothing else.
//   - 6, one writer at a time: the order row is locked first, then its payments are
//     read again. A provider that counts no revisions may answer with what was so
//     before the last write: ApplyTx takes its snapshot only if nobody has written the
//     payment since the question, and [Refresh] asks again.
//   - 7, a booking and the jobs it causes are one transaction.
//   - 8, a business action happens once: a payment is asked for under a key made of
//     order and attempt, a refund under one made of payment, amount, what had been given
//     back before and how often that was refused, which the history keeps until it is
//     known what became of it.
//     Single refunds and disputes are rows under the provider's references, and totals
//     are set, never added.
//   - 10, nothing is hidden: a payment that names no order of ours is recorded without
//     one, and given to its order when that turns up.
//   - 12, every change is in the history, through store.SaveOrder; a refund is there
//     from when a person has decided it, before the provider is asked.
//
// # Several payments
//
// An order may have payments at several providers. One of them pays it, and which one
// is noted; another that holds the price stands in where that one is given back or
// disputed. Once licenses have ended nothing stands in, unless the provider took the
// money back: then another payment revives them. What we hold beyond what the order
// costs is surplus, and is given back first.
//
// # What is taken back
//
// What was given back of an order shrinks only where the provider says that a refund
// came back to us. Captured money that it takes back makes the order unpaid again. A
// dispute is the order's if it is about the payment that pays it. What this means for
// the licenses is decided by package fulfillment, in the same transaction.
//
// No provider is called while a transaction is open: [Shop.Begin] commits the order
// and its first revision, then asks for the payment under its key, then notes the
// answer; [Shop.Refund] does likewise. Each step may be repeated after a crash.
package checkout
