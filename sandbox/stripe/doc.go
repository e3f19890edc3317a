// Package stripe is the sandbox's stand-in for Stripe: as much of its API, its
// events and its signatures as a shop with hosted payment pages meets.
//
// It is written from Stripe's documentation and knows nothing of the shop. What is
// served, under the base URL http://…/stripe, with the key as bearer token and
// requests in form encoding:
//
//   - POST /v1/checkout/sessions, GET /v1/checkout/sessions[/{id}], and
//     POST /v1/checkout/sessions/{id}/expire. The session's url leads to the
//     sandbox's payment page.
//   - GET /v1/payment_intents/{id}, POST /v1/payment_intents/{id}/capture, /cancel
//   - GET /v1/charges/{id}
//   - POST /v1/refunds, GET /v1/refunds[/{id}]
//   - GET /v1/disputes[/{id}]
//
// Everything is in test mode: ids say cs_test_, livemode is false. A parameter that
// isn't known here is refused, so that a mistyped one shows. Amounts are in Stripe's
// minor units (see units.go). Lists are newest first, with limit, starting_after and
// has_more.
//
// A session has no payment intent before the buyer's first attempt; each attempt is
// a charge of its own under the one intent.
//
// What Stripe has not published, and how it is done here:
//
//   - Retry intervals. Live mode tries for three days with growing waits; so does
//     this, in eleven steps from five minutes to twelve hours.
//   - Whether a retry is signed afresh: it is, as receivers that check the time need.
//   - Whether pending_webhooks changes between attempts: it is always 1 here, for the
//     bytes of an event never change.
//   - The state of an intent whose session expired after a failed attempt: canceled,
//     for the reason "expired".
//   - UGX has no decimals, as on the list of currencies without.
package stripe
