// Package payment is the vocabulary all rooms share: money, events, snapshots,
// and the one decision that may change what we have recorded of a payment. It
// knows no provider, no database and no clock; everything in it is a value or a
// pure function.
//
// It keeps two of the shop's promises.
//
// Promise 4: an event is a hint, the snapshot is the truth. Next takes a
// Snapshot; there is no way to hand it an Event. What was asked for (amount,
// currency) is never taken from a snapshot either, only compared with it. A Folder
// makes the snapshot of a provider that can't be asked out of all its events.
//
// Promise 5: state never runs backwards. Next is the only place that decides,
// and it can't be made to:
//
//   - A snapshot of a lower revision is Stale. Where a provider has none, content
//     decides, and that the snapshot isn't an older one the caller has to know.
//   - Paid never becomes confirming, a refunded amount never shrinks, a full
//     refund stays full, money that arrived stays. A snapshot that says otherwise
//     needs review.
//   - A provider may take back what was certain if it says how much: refunds that
//     came back to us are in Reversed, captured money that it took is in TakenBack.
//     Both only grow, and so do Refunded+Reversed and Received+TakenBack of what was
//     paid.
//   - A single refund or dispute that a snapshot doesn't mention stays known. Of
//     several disputes a lost one outweighs an open one, and that one that is won.
//   - A payment of another amount or currency, or one minor unit short, isn't
//     applied; the decision lists what was refused, so that it can be seen.
//   - Whatever may be reached over several snapshots may be reached in one:
//     events are lost, skipped and overtaken, and the newest snapshot must lead
//     to the same record as all of them. TestAnyDeliveryOrderLeadsToTheSameRecord
//     holds Next to it.
//
// Amounts are whole minor units of any size (Amount); a person's writing of them
// is read by ParseMajor and made by Money.Format, exactly or not at all. Providers
// count in minor units of their own: Units converts, exactly or not at all.
//
// An order may have several payments: Summarize says what they mean together.
package payment
