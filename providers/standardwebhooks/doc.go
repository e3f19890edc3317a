// Package standardwebhooks speaks with any sender of Standard Webhooks: it
// verifies and reads their messages, and asks an API of our own convention. It
// knows the words of package payment and nothing else of the shop.
//
// # The promises it keeps
//
// Promise 1, nothing unsigned is read: [Adapter.Verify] checks an HMAC-SHA256 over
// the message's id, a dot, the timestamp header, a dot and the exact bytes of the
// body. An id has no dot in it, and a timestamp is its digits as received (+5 and
// 005 are refused), so that one signature stands for one message. Any of the
// header's v1 entries is enough, every secret that is valid now is tried,
// whichever matches first, and digests are compared in constant time. Entries of
// other versions, such as v1a, are skipped; none of v1 means not signed. Only a
// sender who signed correctly is told that the timestamp is more than 300 s off.
//
// Promise 3, an event counts once: an event's identity is the message's id, which
// is signed and the same in every attempt; its fingerprint is the SHA-256 of the
// raw bytes, because an attempt is signed again over the same ones. A body that two
// readers could understand in two ways is refused: names that occur twice or differ
// from a name we read only in case, a byte order mark, a second document, invalid
// UTF-8, lone surrogates, numbers that aren't whole, more than 64 levels.
//
// Promise 4, an event is a hint, the snapshot is the truth: what changes an order
// comes from [Adapter.Fetch] and [Adapter.List], read by the same strict reader; an
// answer that can't be read without doubt, or tells of another payment than the one
// asked for, is an error of the kind payment.ErrLater and never a snapshot.
//
// Promise 5, state never runs backwards: a refund that failed leaves
// refunded_total_minor and counts as reversed, so both together never shrink.
//
// Promise 8, a business action happens once: payments and refunds are asked for
// under the key that is passed in, as Idempotency-Key, with the same bytes each time.
//
// Secrets, keys, signatures and bodies appear in no error and no explanation.
//
// # What the specification leaves open, and how it is filled here
//
// It defines how a message is signed, and {"type", "timestamp", "data"} as its
// shape. It defines no payments. These are ours:
//
//	payment.pending  .confirming  .authorised  .paid  .failed  .expired
//	payment.refunded  .refund_failed
//	payment.disputed  .dispute_won  .dispute_lost
//
//	"data": {"payment_ref", "order_ref", "amount_minor", "currency", "refunded_total_minor"}
//
// Amounts are JSON numbers in the currency's minor units, as ISO 4217 counts them.
// Messages of other types are kept and change nothing, whatever is in their data;
// so is a message without a type. A message about a payment that names none is
// accepted and belongs to no order; an order_ref that can't be ours counts as none.
//
//   - Test and live mode: nothing in a message tells them apart. A sender has a
//     secret for each, and the shop holds those of its mode only.
//
//   - An entry of the header that isn't a version, a comma and a signature, or a v1
//     signature that isn't 32 bytes in base64, makes all of the header malformed,
//     also beside a good one.
//
//   - The last second of the tolerance counts whole; a library of the specification
//     cuts it short by the fraction of a second.
//
// The API's paths, with a bearer token and an Idempotency-Key for what writes:
//
//	POST /payments                {"order_ref","amount_minor","currency","description","return_url","cancel_url","expires_at"}
//	                              {"payment":{…},"url":"…"}
//	GET  /payments/{ref}          the payment, by its payment_ref or its order_ref
//	GET  /payments                ?updated_since=&cursor=&limit=  {"payments":[…],"next_cursor":"…"}
//	POST /payments/{ref}/refunds  {"amount_minor","reason"}
//	                              {"refund":{…}}
//
//	payment  {"payment_ref","order_ref","status","amount_minor","received_minor","refunded_total_minor",
//	         "currency","refunds":[…],"disputes":[…],"updated_at"}
//	refund   {"refund_ref","amount_minor","status"}            pending, done, failed
//	dispute  {"dispute_ref","amount_minor","reason","status"}  open, won, lost
//
// There is one payment for an order_ref, and it is what payments are known by
// here; the provider's payment_ref stands in where there is none. A refund counts
// in refunded_total_minor from when it is pending until it fails; what has failed
// counts as reversed. Absent members, and null, which means the same:
// received_minor is the amount once paid and 0 before, refunded_total_minor is 0.
// An unknown status of a payment goes on to a review; that of a refund or a dispute
// makes the answer unreadable. The last page has no next_cursor. A refusal may name
// its reason in a member "code". A 404 means an unknown payment where the path
// names one, and a wrong address elsewhere.
package standardwebhooks
