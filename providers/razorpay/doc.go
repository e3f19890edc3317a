// Package razorpay speaks with Razorpay: it verifies and reads its webhooks and asks
// its API for hosted pages (payment links) and for what became of them. It knows
// the words of package payment and nothing else of the shop.
//
// # The promises it keeps
//
// Promise 1, nothing unsigned is read: [Adapter.Verify] checks an HMAC-SHA256 over
// the exact bytes of the body. Every secret that is valid now is tried, whichever
// matches first, and digests are compared in constant time. After a change of the
// secret Razorpay goes on signing retries of older events with the old one for a
// day: hold both.
//
// Promise 3, an event counts once: an event is known by the SHA-256 of its body,
// because nothing else about it is signed. The id in the header X-Razorpay-Event-Id
// isn't, and neither is a time, so a captured delivery stays valid for ever and can
// be sent again under any id: it is the same event all the same. The header's id is
// the event's Alias. Known with another body it is a conflict; unknown it means
// nothing, and a repeat must not bring in a new one: otherwise somebody who replays
// an old body could reserve ids for it. Bodies that two readers could understand in
// two ways are refused.
//
// Promise 4, an event is a hint, the snapshot is the truth: what changes an order
// comes from [Adapter.Fetch] and [Adapter.List]. An answer that can't be read without
// doubt, or contradicts another (fewer payments listed than counted), is an error of
// the kind payment.ErrLater and never a snapshot.
//
// Promise 5, state never runs backwards: what was refunded is the sum of the single
// refunds that haven't failed, and those that have are what was reversed, so both
// together never shrink, whatever the payment goes on counting.
//
// Promise 8, a business action happens once: a link has no idempotency key, but its
// reference_id is taken once, and where ours is refused as used, the link that has it
// is the answer. A refund's key is known to Razorpay together with the attempt only: it
// stands in the refund's notes as well, and is looked for there first, over all attempts.
//
// Secrets, keys, signatures and bodies appear in no error and no explanation.
//
// # One page, one payment
//
// Razorpay has a record for each attempt to pay (pay_…), an order that bundles them
// (order_…), and the link that the buyer was sent to (plink_…). To the shop all that
// is one payment, known by our own reference, which is the link's reference_id and
// stands in its notes as order_ref. [Adapter.Fetch] takes any of these references
// and comes to the same snapshot: received is what was captured on all attempts; the
// status is the best that any of them has come to, and for want of money what the
// link says. A failed attempt ends nothing: another may follow, and this one may
// still be authorised days later. A payment that was given back before it was
// captured never was a sale: failed, with nothing received and nothing refunded.
//
// A payment without a link and without a reference is known by the order's id, or by
// its own if it has none. One whose order claims a reference of ours, but isn't the
// link's, is a payment of its own.
//
// # What is read how
//
//   - The type of an event says what happened, its entities don't: they are of the
//     time of sending, and payment.authorized may carry a captured payment.
//
//   - The order nested in payment_link.paid has an id without "order_". It is read
//     where nothing else names the payment, and completed.
//
//   - notes may be an object, an empty array or null. Their names are the merchant's:
//     only ours are read, and one in another case is somebody else's.
//
//   - Refunds: the total is the sum of the single ones that haven't failed, pending
//     ones too, as in amount_refunded; a payment may go on counting one that failed.
//     Failed ones are what was reversed. One that fails after it was processed is
//     therefore no surprise.
//
//   - Disputes: in the phases retrieval and fraud the bank only asks, and no dispute
//     is reported unless it was lost. "closed" is lost if money was deducted and won
//     otherwise. In another currency than the payment's their amount is left at 0.
//     Razorpay can't be asked for the disputes of one payment: those since its
//     creation are read, 2000 at most.
//
//   - An account's events, not those of others: Accounts. An event that names none
//     goes to a person. Which mode an event is of, the secret tells: set up the
//     webhook of test mode with a secret of its own.
//
// # What Razorpay's documentation leaves open, and how it is read here
//
//   - Whether a link's notes are copied to its payments and its reference_id to the
//     order's receipt. Either is enough; where both are missing, the link is searched
//     by the payment.
//
//   - When a link shows its order_id: the samples of expired and cancelled links have
//     none. The orders whose receipt is the reference are the link's then.
//
//   - Whether lists may lag behind. If Razorpay refuses a reference as used and
//     doesn't list its link yet, creating is for later.
//
//   - Whether an order's list of payments is cut off at some length. What it lacks is
//     noticed by the amount that the order or link counts as paid.
//
//   - How a refusal is told: the code is nearly always BAD_REQUEST_ERROR. Three are
//     known by their words or status: a used reference, an id that doesn't exist, and
//     a refund under way (409), which is for later whatever it says.
//
//   - How many days pass until uncaptured money is given back (3 or 5), and how long
//     deliveries can be replayed from the dashboard (7 or 15 days). Nothing here
//     depends on it.
//
//   - The limits of a link's life: 15 minutes at least when Razorpay reads the
//     request, so an end that is nearer is put off to 16; 180 days at most.
//
// Outside of India the API may have no disputes; fetching fails there, because a
// dispute that isn't seen would leave licenses valid.
package razorpay
