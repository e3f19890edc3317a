// Package stripe speaks with Stripe: it verifies and reads its webhooks and asks
// its API for Checkout Sessions, one for each payment. It knows the words of package
// payment and nothing else of the shop.
//
// # The promises it keeps
//
// Promise 1, nothing unsigned is read: [Adapter.Verify] checks an HMAC-SHA256 over
// the timestamp of the signature header, a dot and the exact bytes of the body. The
// key is the whole secret, whsec_ included. Every secret that is valid now is held
// against every signature of scheme v1, in constant time; v0 and schemes that we
// don't know count for nothing. Timestamps more than 300 s old are refused, and,
// other than by Stripe's own libraries, those more than 300 s ahead: a signature
// must not be kept for later. Only a sender who signed correctly is told so.
//
// Promise 3, an event counts once: its identity is the id in its body. Its
// fingerprint is the SHA-256 of type, created and data, as their bytes were written
// but for white space between them; pending_webhooks, request and api_version may
// differ between two deliveries of one event. A body that two readers could
// understand in two ways is refused (package wire), and so is one that isn't an
// "event", as the thin notifications of the second API.
//
// Promise 4, an event is a hint, the snapshot is the truth: what changes an order
// comes from [Adapter.Fetch] and [Adapter.List]. Stripe counts no revisions, so a
// snapshot's is zero. An answer that can't be read without doubt is an error of the
// kind payment.ErrLater and never a snapshot: another id than asked for, the other
// mode, a currency that isn't in our table, an id where an object was asked for, a
// list whose end isn't told, a charge that tells of more refunds, or of a dispute,
// than are listed.
//
// Promise 5, state never runs backwards: [payment.Snapshot]'s refunds are added up
// from the single ones. Of each, pending or done, the amount counts as refunded; of
// each that failed or was cancelled, as reversed. So both together never shrink,
// although the total on Stripe's charge goes down again when a refund fails, and
// one answer can't contradict another that is a moment older.
//
// Promise 8, a business action happens once: session and refund are asked for
// under the key that is passed in, as Idempotency-Key. Stripe keeps it for a day; a
// refund's stands in its metadata as well and is looked for first. What is asked for depends on
// nothing else than what is passed in, but for the end of a page that would end too
// early: it moves by half hours.
//
// Secrets, keys, signatures and bodies appear in no error and no explanation.
//
// # A payment is a session
//
// [payment.Created.Ref] and [payment.Snapshot.Ref] are the id of the Checkout
// Session, cs_…. Events mostly name its PaymentIntent instead; Fetch takes both, and
// the ids of charges (ch_, py_), refunds (re_, pyr_) and disputes (dp_, du_). An
// intent that has no session is a payment of its own, under its id.
//
// Our reference of the order is sent as client_reference_id, and as order_ref in
// the metadata of the session and in that of its intent, from which Stripe copies it
// to charges. Disputes don't have it.
//
// How a session and its intent become a state, money before anything else:
//
//	intent succeeded, all received            paid
//	intent succeeded, a part received         authorised: only a part was captured
//	intent requires_capture                   authorised
//	intent processing                         confirming
//	intent canceled                           expired if the session is, or for the reasons
//	                                          expired, automatic, abandoned; else failed
//	intent requires_payment_method            failed if the session is complete: a delayed
//	                                          payment failed; else as without an intent
//	intent requires_confirmation or _action   as without an intent
//	no intent, session open or complete       pending
//	no intent, session expired                expired
//	no intent, nothing to pay                 paid, if the amount is 0; we never ask for that
//
// A failed attempt leaves the session open, and so the payment pending. Words that
// we don't know are passed on as the state: they need a person. One for a dispute
// counts as open, one for a refund as pending.
//
// # What it costs
//
// One call for a payment of which nothing was captured, three for the others; see
// [Adapter.Fetch] and [Adapter.List]. Nothing in a charge tells that a refund has
// failed, nor, of inquiries, that there is one, so both lists are always read.
//
// # What Stripe has not published, and how it is read here
//
//   - Whether metadata of a session ever reaches its PaymentIntent. Read: it
//     doesn't, and both are set.
//
//   - Which event reports a dispute that was prevented. Read: charge.dispute.updated
//     or .closed with that status, and the record in any case.
//
//   - Whether the charge is called disputed for an inquiry, a status that begins
//     with warning_. Read: perhaps not, so disputes are listed for every captured
//     payment. An inquiry counts as an open dispute, and its end as won.
//
//   - How long two secrets sign while one is rolled, some say 24 hours. Read: as
//     long as ours are valid; a header may have any number of signatures.
//
//   - Whether a repeated delivery is signed anew. Read: it has to be, or it is stale
//     300 s after the first one.
//
//   - When deliveries are repeated, and how long an answer may take. Nothing here
//     depends on it.
//
//   - Whether pending_webhooks differs between deliveries of one event. Read: it
//     may.
//
//   - Two events for one change, which only others tell of. Read: both are hints,
//     and the second finds the record unchanged.
//
//   - The decimals of UGX: Stripe lists it without, and elsewhere as a special case
//     with two. Read: none in answers. It isn't taken for a payment, because a
//     mistake would charge a hundredth of the price.
//
//   - Whether a refund that waits for the buyer (requires_action) is in the charge's
//     total. Read: it counts here, as pending; the charge's total is only held
//     against the list, and may be anything up to all that is listed.
//
//   - Whether what was only reserved, and given back because a part was captured, is
//     listed as a refund. Read: as listed; a payment with more refunds than receipts
//     needs a person.
//
//   - The amount of a dispute in another currency than the payment's. Read: all that
//     was received.
package stripe
