// Package razorpay is the sandbox's stand-in for Razorpay: as much of its API, its
// events and its signatures as a shop with payment links meets.
//
// It is written from Razorpay's documentation and knows nothing of the shop. What is
// served, under the base URL http://…/razorpay/v1, with the key by basic
// authentication and requests in JSON:
//
//   - POST /payment_links, GET /payment_links[/{id}] (also by reference_id or
//     payment_id), POST /payment_links/{id}/cancel. The link's short_url leads to the
//     sandbox's payment page.
//   - GET /orders[/{id}] (also by receipt), GET /orders/{id}/payments
//   - GET /payments[/{id}], POST /payments/{id}/capture
//   - POST /payments/{id}/refund, GET /payments/{id}/refunds, GET /refunds[/{id}]
//   - GET /disputes[/{id}]
//
// Lists are newest first, by the time of creation, with from, to, count and skip. What
// isn't known here is refused, so that a mistyped name shows. Amounts are in Razorpay's
// minor units (see units.go).
//
// A link has no order before the buyer's first attempt; each attempt is a payment of
// its own on the one order. Everything that a shop trips over is there:
//
//   - One change has several events: payment.authorized, payment.captured, order.paid,
//     payment_link.paid. Each shows the payment as it is after the change, so an
//     authorized one may be captured already. payment.failed ends nothing.
//   - The time of a payment_link event is when the link was made. Beside a link, the
//     order's id lacks its prefix. Links that were given up name no order.
//   - notes are an object, or an empty array; those of a link without any are null.
//   - A reference_id is taken once: the same request again is refused, as any other.
//   - Nearly every refusal is BAD_REQUEST_ERROR with status 400, an unknown id too.
//   - A payment that shows in refund.failed goes on counting that refund. Asked for, it
//     doesn't.
//   - Reserved money that is let go is refunded by itself, and was never captured.
//   - Neither the event's id nor any time is signed. No signature is ever stale.
//
// What Razorpay has not published, or leaves open, and how it is done here:
//
//   - The waits between attempts: doubled from one minute on, for 24 hours. The
//     endpoint is not switched off afterwards.
//   - Which secret signs retries of events older than a change of the secret: the new
//     one does. The old one signs where the switch previous_secret asks for it.
//   - Whether a link's notes are copied to its order and payments, and its reference_id
//     to the order's receipt: they are.
//   - When the order is made, and its created_at: with the first attempt.
//   - What becomes of a partial payment on a link that doesn't accept any: it counts,
//     and is told as payment_link.partially_paid. Such payments are made by the practice
//     API only.
//   - Automatic refunds are in the list of their payment, not in that of all refunds.
//   - callback_url may be left out at Razorpay; here it is needed, for the page leads
//     back to it.
//   - What a refund's key belongs to: the payment that it came with.
//   - A failed payment isn't authorised late: a later attempt is another payment.
package razorpay
