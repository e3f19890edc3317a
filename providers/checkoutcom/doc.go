// Package checkoutcom speaks with Checkout.com: it verifies and reads its webhooks,
// asks for hosted payment pages and reads payments back. It knows the words of
// package payment and nothing else of the shop.
//
// # What a payment is
//
// Checkout.com calls each attempt to pay a payment ("pay_…"), and a hosted page may
// see several. The shop asked for one page, under one reference of its own; that
// reference is what it knows the payment by. [Adapter.Fetch] takes either, and
// always answers for all attempts under the reference together: what was captured
// adds up, and the status is the best that one of them has come to. A declined
// attempt that arrives late takes nothing back, and two that captured are a
// surplus. A payment that was made without a reference stands alone, under its id.
//
// Paid is what the balances say, not the word: as soon as all that was asked for
// has been captured. A part stays authorised.
//
// After a failed attempt the payment is failed (payment_declined says so), although
// the buyer may try again on the page. While he does, the payment is confirming
// rather than pending: it couldn't go back to that.
//
// Nobody has told Checkout.com of an attempt before one is made, and a page can't
// be found by our reference. Fetch says payment.ErrNotFound until then.
//
// # The promises it keeps
//
// Promise 1, nothing unsigned is read: [Adapter.Verify] checks an HMAC-SHA256 over
// the exact bytes of the body. Every secret that is valid now is tried, and digests
// are compared in constant time; so is the fixed Authorization header, where one
// was agreed on. [Adapter.Parse] decodes JSON and is called afterwards.
//
// No time is signed, so a delivery that somebody recorded stays valid as long as
// its secret is held. It can do no harm: an event counts once, and is only a hint.
//
// Promise 3, an event counts once: its identity is the id in its body, its content
// is its type and its data without white space, digit by digit. What stands beside
// them, as links, may differ. A body that two readers could understand in two ways
// is refused.
//
// Promise 4, an event is a hint, the snapshot is the truth: an event yields its
// payment, what it claims, and no more. Where the balances in it don't tell whether
// a capture was the whole, or a refund counts, the effect is to fetch. A record
// that can't be read without doubt is an error of the kind payment.ErrLater and
// never a snapshot.
//
// Promise 5, state never runs backwards: what was received and what was refunded are
// the sums of all attempts' balances, and the status is the best that one of them has
// come to, so an attempt that arrives late takes nothing back. A total that is smaller
// than before, as after a refund that came back, isn't explained by anything that
// Checkout.com tells: the shop's records refuse it, and a person looks at it.
//
// Promise 8, a business action happens once. Refunds carry an idempotency key,
// which Checkout.com remembers for a day and for accepted requests only. Ours
// stands in the refund's metadata as well and is looked for first, so a repetition
// refunds nothing more, however late it comes and whichever attempt would be next.
// After a refund under our key that was declined, the header has the key with their
// number behind it: the answer to that one would only be repeated.
//
// Hosted pages have no such key. [Adapter.Create] looks whether anybody has tried
// to pay under the reference, in which case it refuses, and then asks exactly once.
// That guarantees that no second page is made after an attempt to pay that the list
// shows. It doesn't guarantee that there is only one page: where the answer to the
// first request was lost, a repetition makes another. Nobody has seen the address
// of the first, so it can't be paid, and it ends after a day. Were both to be paid
// all the same, both attempts have the same reference: the payment is paid once,
// and the rest is a surplus.
//
// Promise 11, the provider's list is read back: [Adapter.List] finds the payments
// that were attempted in a window, and those with a dispute that changed in it. It
// doesn't find an older payment for a refund that was made in it: that one is seen
// when the payment is fetched.
//
// Secrets, keys, signatures and bodies appear in no error and no explanation.
//
// # What Checkout.com has not published, and how it is read here
//
//   - Which bytes of a signature key are the key. Read: its text, as UTF-8.
//
//   - The case of the signature's hex digits. Read: either; 64 digits.
//
//   - A signed delivery to check against. The test vectors are our own, made after
//     the documented scheme.
//
//   - Rotation of signature keys. Read: a delivery carries one signature, and we
//     hold several secrets, each with an id and an end.
//
//   - Which statuses and how fast a delivery has to be answered. That is for the
//     webhook's route, which stores and answers at once.
//
//   - Which of an event's fields are always there. Read: none but the id. An event
//     without data names no payment; an amount without a currency is left out; a
//     capture or a refund without balances is fetched; a reference that can't be ours,
//     as other applications of the account may give, counts as none.
//
//   - The time of an event is in created_on or in timestamp, with up to seven
//     decimals. Read: the first one that is there, whole.
//
//   - The event dispute_received. Read: it opens a dispute.
//
//   - How CLP is counted. Not taken, and an answer in it is not read.
//
//   - Whether lists have balances. Read: where they are missing and money may have
//     been captured, the payment is read by its id, and where they are missing there
//     too, the approved captures and refunds are added up.
//
//   - How exactly a list by reference matches. Read: what has another reference, in
//     the slightest, is another payment.
//
//   - How far lists and searches are behind. Read: a payment that an event, or a
//     search, has named counts even if the list doesn't have it yet.
//
//   - Words that aren't in the API's description, among them the status of a card
//     that was only verified. Read: a status is passed on as it is and needs a
//     person; a dispute is open. Case, and underscores for blanks, don't matter, as
//     the search writes words in another way than the payments do.
//
//   - How a refund that is still under way looks. Read: not approved, and without a
//     response code. A refund that comes back shows in no field we know of.
//
//   - The numbers of disputes are described as fractions. Read: a fraction of zeros
//     is none, any other is refused.
//
//   - How the next page of a search is asked for. Read: by GET, with the id and the
//     token of its link, at the API's own address. A search without a query finds
//     everything in its window, by the time of the request for the payment.
//
//   - A refusal of a refund with status 403 means the payment, elsewhere it means
//     our key.
//
//   - A page ends after a day, and earlier only by being paid. The time by which the
//     shop wants it to end is not asked for; money that comes later is recorded.
//
// The API, as far as it is used:
//
//	POST /hosted-payments            a page, at _links.redirect.href
//	GET  /payments?reference=        all attempts, the newest first; none before June 2022
//	GET  /payments/{id}              one of them
//	GET  /payments/{id}/actions      captures and refunds
//	POST /payments/{id}/refunds      with Cko-Idempotency-Key
//	GET  /disputes                   by payment_reference, payment_id or from
//	POST /payments/search            ids and references of a window
package checkoutcom
