// Package payflow is the sandbox's stand-in for PayFlow, a gateway of Razorpay's shape
// that has published little more than how it signs. It knows nothing of the shop.
//
// Published are the header X-PayFlow-Signature, hex of HMAC-SHA256 over the raw body;
// the body's members eventId, event, orderId, amount and timestamp; payment.success; and
// that 200 is the one answer which ends the sending. The rest is a convention. What is
// served, under the base URL http://…/payflow, with the key by basic authentication and
// requests in JSON:
//
//	POST /payment_links              with an Idempotency-Key
//	  {"orderId","amount","currency","description","returnUrl","cancelUrl","expireBy"}
//	  answers {"orderId","status","shortUrl"}
//	GET  /payments/{orderId}
//	  answers {"orderId","amount","currency","status","received","refundedTotal",
//	    "refunds":[{"id","amount","status"}],"disputes":[{"id","amount","status"}],"updatedAt"}
//	GET  /payments?from=&to=&count=&skip=
//	  answers {"items":[…],"count"}: what changed at from or later, and at to or before,
//	  the oldest change first
//	POST /payments/{orderId}/refund  with an Idempotency-Key
//	  {"amount"} answers {"id","amount","status"}
//
// A refusal is {"error":{"code","description"}}: 401 without the key, 404 for an unknown
// orderId, 400 for everything else. 409 would be a request that is still under way,
// which doesn't occur here: a second one waits for the first.
//
// How it is done:
//
//   - A payment is known by the merchant's orderId, which is used once.
//   - Amounts are JSON numbers in ISO 4217's minor units. Times are seconds since 1970.
//   - The account takes one currency, for events name none.
//   - The body's timestamp is that of the attempt: bodies of one eventId differ in it,
//     and in nothing else. It is what makes a delivery stale, so a retry is stamped anew.
//   - Events: payment.pending, payment.processing, payment.authorized, payment.success,
//     payment.failed, payment.expired, refund.success with refundAmount and
//     refundedTotal, dispute.opened, dispute.won, dispute.lost. amount is always that of
//     the payment. payment.failed may be of one attempt or of all: asked for the
//     payment, the API says failed only of all.
//   - Refunds arrive at once and stay; there is no event of one that came back.
//   - One signature, with the newest secret, also while secrets are rotated.
//   - The waits between attempts: 10 s, 1 min, 5 min, 30 min, 2, 6, 12 and 24 h.
package payflow
