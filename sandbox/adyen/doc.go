// Package adyen is the sandbox's stand-in for Adyen: as much of its Checkout API, its
// Standard webhooks and their signatures as a shop with payment links meets.
//
// It is written from Adyen's documentation and knows nothing of the shop. What is
// served, under the base URL http://…/adyen or http://…/adyen/v71, with the key in
// X-API-Key and requests in JSON:
//
//   - POST /paymentLinks, with Idempotency-Key. The url leads to the sandbox's payment
//     page, which is open for a day, and for 70 at most.
//   - GET /paymentLinks/{id}, and PATCH /paymentLinks/{id} with {"status":"expired"}
//   - POST /payments/{pspReference}/refunds, with Idempotency-Key. It answers that the
//     request was received; what became of it, a webhook tells.
//
// There is no call that tells the state of a payment, as there is none at Adyen.
//
// Each attempt to pay is a payment with a pspReference of its own; captures, refunds
// and cancellations have theirs and name the payment's in originalReference; all that
// happens to a dispute has that of the dispute. A notification has one item. Its
// signature covers eight of the item's fields, and is made at each attempt to deliver
// it, as is eventDate, which is the time of that attempt: duplicates differ in it.
//
// Whether a merchant account captures by itself is a setting of the stand-in, as it is
// one of the account: with automatic capture a successful AUTHORISATION is all that is
// told of a payment, and nothing can be reserved.
//
// A member of a request that isn't known here is refused, so that a mistyped one
// shows. Amounts are in Adyen's minor units (see units.go).
//
// What Adyen has not published, and how it is done here:
//
//   - Whether CAPTURE is sent where captures are automatic: it isn't.
//   - Attempts beyond those that are listed come every 8 hours, up to the thirtieth day.
//     While one notification fails, others to the same endpoint don't wait for it.
//   - The reference in notifications of a refund is the one of its request, or the
//     payment's if that has none.
//   - A payment that is under way is told of when it has arrived or failed.
//   - A link that ends without a payment is told by OFFER_CLOSED, with a pspReference of
//     its own; reserved money that ran out by EXPIRE, of its own as well, and with the
//     payment's in originalReference.
//   - A chargeback comes with its notification. Before either end of it the defence
//     succeeds (CHARGEBACK_REVERSED); then it is won by PREARBITRATION_WON, or lost by
//     SECOND_CHARGEBACK.
//   - A refund of more than there is, or of an unknown payment, is refused at once.
//   - Money captured in parts and taken back is told by one CAPTURE_FAILED, of the last
//     capture and about all of it.
//   - The decimals of IDR and ISK: none, and two.
//   - What is answered to a key that was used with another request: error 704.
package adyen
