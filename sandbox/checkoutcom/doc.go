// Package checkoutcom is the sandbox's stand-in for Checkout.com: as much of its API,
// its events and its signatures as a shop with hosted payment pages meets.
//
// It is written from Checkout.com's documentation and knows nothing of the shop. What
// is served, under the base URL http://…/checkoutcom, with the key as bearer token and
// requests in JSON:
//
//   - POST /hosted-payments, GET /hosted-payments/{id}. The redirect link leads to the
//     sandbox's payment page, which is open for a day.
//   - GET /payments?reference=, GET /payments/{id}, GET /payments/{id}/actions
//   - POST /payments/{id}/refunds, with Cko-Idempotency-Key
//   - GET /disputes
//   - POST /payments/search, GET /payments/search/{id}?token=
//
// A page sees any number of payments: each attempt to pay is one, under an id of its
// own, and they have in common what the merchant calls the page. There is no
// idempotency key for pages, and one reference may have many. Nobody is told of a
// page, not even when its day is over: what is told begins with the first attempt.
//
// A member of a request that isn't known here is refused, so that a mistyped one
// shows. Amounts are in Checkout.com's minor units (see units.go). Lists are newest
// first, with limit, skip and total_count.
//
// What Checkout.com has not published, and how it is done here:
//
//   - Which bytes of a signature key are the key: its text. The digits are small.
//   - While two keys are set for an endpoint, the first one signs.
//   - Events of payments have their time in created_on, those of disputes in
//     timestamp: receivers meet both.
//   - Events link to the API without naming its host.
//   - CLP is counted by a rule of its own, which isn't known: it is not taken.
//   - A list by reference finds what has exactly this reference, and is never behind
//     unless the sandbox's API is. It has the balances; the search hasn't.
//   - A search takes no query, or one clause: id:'pay_…' or reference:'…'.
//   - What is answered to a key that was used with another request: 422.
//   - Pages take the money at once: with capture false they are refused. Money that
//     is reserved is practised by the sandbox's own buttons.
//   - What is captured in parts is one action, of their sum; each part is told by an
//     event with its own amount.
//   - Reserved money that was never captured ends as Expired, told by payment_expired.
//   - A refund is carried out while it is asked for. It can't be declined afterwards,
//     and none comes back.
package checkoutcom
