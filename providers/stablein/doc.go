// Package stablein speaks with StableIn, a payment platform for stablecoins:
// it verifies and reads its webhooks and asks its API. It knows the words of
// package payment and nothing else of the shop.
//
// # The promises it keeps
//
// Promise 1, nothing unsigned is read: [Adapter.Verify] checks an HMAC-SHA256
// over the timestamp header, a dot and the exact bytes of the body. Every
// secret that is valid now is tried, whichever matches first, and digests are
// compared in constant time. Only a sender who signed correctly is told that
// the timestamp is stale. [Adapter.Parse] decodes JSON and is called afterwards.
//
// Promise 3, an event counts once: an event's identity is the id in its body,
// which has to equal the (unsigned) event id header; its fingerprint is the
// SHA-256 of the raw bytes, because StableIn repeats a delivery byte for byte
// under a fresh timestamp. A body that two readers could understand in two
// ways is refused: names that occur twice or differ from a name we read only
// in case, a byte order mark, a second document, invalid UTF-8, lone
// surrogates, numbers where decimal strings belong, more than 64 levels.
//
// Promise 4, an event is a hint, the snapshot is the truth: an event yields its
// payment and revision, and what it claims. What changes an order comes from
// [Adapter.Fetch] and [Adapter.List], read by the same strict reader; an answer
// that can't be read without doubt, or tells of another payment than the one
// asked for, is an error of the kind payment.ErrLater and never a snapshot.
//
// Promise 5, state never runs backwards: StableIn counts the revisions of each
// payment, and a record without one is not read.
//
// Promise 8, a business action happens once: payments and refunds are asked for
// under the key that is passed in, as Idempotency-Key, with the same bytes each time.
//
// Secrets, keys, signatures and bodies appear in no error and no explanation.
//
// # What StableIn has not published, and how it is read here
//
//   - Where an event keeps its order. Read: a member "order" at the top, and
//     "data.orderId" beside or instead of it; both together have to agree.
//     An event with neither is accepted and names no payment.
//
//   - What merchantOrderId may hold, which other applications of the account choose.
//     Read: one that can't be ours counts as none.
//
//   - Whether every event has a type. Read: it may be absent, since the
//     published test vector has none; where it is present it is a word.
//
//   - Which words paymentStatus, refundStatus and the risk fields may hold.
//     Read: words are passed on as they came, and unknown ones allow nothing.
//
//   - Absent members, and null, which means the same: receivedAmount is the
//     amount once paid and 0 before, refundedAmount is 0, refundStatus is
//     "none", an absent decision or risk is unknown and so allows nothing, an
//     absent validUntil states no end.
//
//   - How an amount's currency is named, and with how many decimals. Read: by its
//     code in "currency", in the same minor units as ours.
//
//   - Events of payments that are pending, failed, expired or disputed. Read:
//     payment.pending, payment.failed and payment.expired; of any other type the
//     record is fetched. There are no disputes: transfers on a chain have none.
//
//   - Whether a repeated delivery is signed anew. Read: it has to be, or it is stale
//     300 s after the first one.
//
//   - Rotation of secrets, and several signatures. Read: a delivery carries one
//     signature, and we hold several secrets, each with an id and an end.
//
// The API isn't published either. Its paths and answers are the ones our
// sandbox serves, with the key as bearer token and an Idempotency-Key for what
// creates or refunds; a hosted page is at paymentUrl:
//
//	POST /v1/orders               {"order":{…},"paymentUrl":"…"}
//	GET  /v1/orders/{id}          the order
//	POST /v1/orders/{id}/refunds  the order
//	GET  /v1/orders               {"orders":[…],"nextCursor":"…"}
//
// An answer about one order may hold it bare or as its member "order". The
// last page has no nextCursor. A refusal may name its reason in a member
// "code", in capitals and underscores. A 404 means an unknown payment where the
// path names one, and a wrong address elsewhere.
package stablein
