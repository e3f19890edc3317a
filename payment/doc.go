// Package payment is the vocabulary all rooms share: money, events, snapshots,
// and the one decision that may change what we have recorded of a payment. It
// knows no provider, no database and no clock; everything in it is a value or a
// pure function.
//
// It keeps two of the shop's promises.
//
// Promise 4: an event is a hint, the snapshot is the truth. Next takes a
// Snapshot; there is no way to hand it an Event. What was asked for (amount,
// currency) is never taken from a snapshot either, only compared with it.
//
// Promise 5: state never runs backwards. Next is the only place that decides,
// and it can't be made to:
//
//   - A snapshot of a lower revision is Stale.
//   - Paid never becomes confirming, a refunded amount never shrinks, a full
//     refund stays full, money that arrived stays. A snapshot that says
//     otherwise needs review.
//   - A payment of another amount or currency, or one minor unit short, isn't
//     applied; the decision lists what was refused, so that it can be seen.
//   - Whatever may be reached over several snapshots may be reached in one:
//     events are lost, skipped and overtaken, and the newest snapshot must lead
//     to the same record as all of them. TestAnyDeliveryOrderLeadsToTheSameRecord
//     holds Next to it.
//
// Amounts are whole minor units of any size (Amount); a person's writing of them
// is read by ParseMajor and made by Money.Format, exactly or not at all.
//
// An order may have several payments: Summarize says what they mean together.
package payment
