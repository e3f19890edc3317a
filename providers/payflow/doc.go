// Package payflow speaks with PayFlow, a payment gateway of Razorpay's shape: it
// verifies and reads its webhooks and asks its API. It knows the words of package
// payment and nothing else of the shop.
//
// # The promises it keeps
//
// Promise 1, nothing unsigned is read: [Adapter.Verify] checks an HMAC-SHA256 over
// the exact bytes of the body. Every secret that is valid now is tried, whichever
// matches first, and digests are compared in constant time. A header that is missing
// or of another length is an invalid signature like any other. The time of sending
// is in the body, so it is read after the signature held: only a sender who signed
// correctly is told that it is stale, or that the body isn't JSON.
//
// Promise 3, an event counts once: an event is known by its eventId, which retries
// repeat. Its fingerprint covers event, orderId, amount, refundAmount and
// refundedTotal, digit by digit, and not the timestamp, which a retry may have anew.
// A body that two readers could understand in two ways is refused.
//
// Promise 4, an event is a hint, the snapshot is the truth: what changes an order
// comes from [Adapter.Fetch] and [Adapter.List]. An answer that can't be read without
// doubt, or tells of another payment than the one asked for, is an error of the kind
// payment.ErrLater and never a snapshot.
//
// Promise 5, state never runs backwards: refunds that failed leave refundedTotal and
// are what was reversed, so both together never shrink. Where the single refunds are
// told, the total has to fit them.
//
// Promise 8, a business action happens once: payments and refunds are asked for
// under the key that is passed in, as Idempotency-Key, with the same bytes each time.
//
// Secrets, keys, signatures and bodies appear in no error and no explanation.
//
// A payment is known by our own reference, which is PayFlow's orderId.
//
// # What PayFlow has not published, and how it is read here
//
// Published are the signature, the fields eventId, event, orderId, amount and
// timestamp, and one event, payment.success. All else is our convention:
//
//   - The unit of amounts. Read: minor units, of ISO 4217's number of digits.
//
//   - The currency of an event. Read: the account has one, Config.Currency.
//
//   - Other events: payment.pending, payment.processing, payment.authorized,
//     payment.failed (one attempt, not the end), payment.expired, refund.success with
//     refundAmount and refundedTotal, dispute.opened, dispute.won, dispute.lost. Any
//     other is ignored.
//
//   - Whether a retry has the timestamp of the event or its own. Read: either. One of
//     the event is stale after 300 s like any other, so PayFlow has to stamp again.
//
//   - When retries come, and how often. Nothing here depends on it.
//
//   - Rotation of secrets. Read: a delivery carries one signature, and we hold
//     several secrets, each with an id and an end.
//
// # The API
//
// It isn't published. Its paths and answers are Razorpay's in shape, and the ones
// that our sandbox serves. Basic authentication with key id and key secret; amounts
// are whole numbers; times are seconds since 1970; unknown members are skipped, and
// null means absent.
//
//	POST /payment_links                 with an Idempotency-Key
//	  {"orderId","amount","currency","description","returnUrl","cancelUrl","expireBy"}
//	  answers {"orderId","status","shortUrl"}
//	GET  /payments/{orderId}
//	  answers {"orderId","amount","currency","status","received","refundedTotal",
//	    "refunds":[{"id","amount","status"}],"disputes":[{"id","amount","status"}],
//	    "updatedAt"}
//	GET  /payments?from=&to=&count=&skip=
//	  answers {"items":[…],"count"}: those that changed at from or later (and at to
//	  or before), the oldest change first, count at most (100), skip left out
//	POST /payments/{orderId}/refund     with an Idempotency-Key
//	  {"amount"} answers {"id","amount","status"}
//
// The status of a payment is pending, processing, authorized, success, failed or
// expired; of a refund pending, success or failed; of a dispute open, won or lost.
// An unknown one makes the answer unreadable. received may be absent: the amount for
// success, otherwise 0. refundedTotal is what is given back now: all refunds with
// success, and those pending or not; failed ones are what was reversed. A refusal
// has its reason in {"error":{"code"}}; 404 means an unknown payment where the path
// names one, 409 a request that is still under way.
package payflow
