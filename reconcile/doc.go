// Package reconcile asks providers about payments that they have been silent
// about, and applies their answer through the same command as live traffic
// (promise 11). An event that was lost, or never sent, costs time and nothing
// else. A payment changes only on the provider's positive word: an error, an
// empty answer or a silent provider leaves it as it is.
//
//   - 5 and 6, never backwards, one writer at a time: checkout.Refresh asks and
//     checkout.ApplyTx decides, with the fences of live traffic. Of several instances
//     one asks, and the others find its mark.
//   - 11, the provider's list is read back, as far as this goes: open payments that we
//     know (pending, confirming, authorised), ever more seldom and for 30 days, and
//     paid ones whose risk assessment ran out before the delivery. After an event of a
//     refund or a dispute a payment is asked about once more, where its provider doesn't
//     count revisions: the record that answered the event may have been behind. Other
//     paid ones aren't asked about: a refund or a dispute whose event is lost is seen
//     when the next event about the payment arrives. The adapters' lists aren't
//     compared with ours yet, and a provider that can't be asked (payment.Folder) has
//     nothing to read back.
package reconcile
