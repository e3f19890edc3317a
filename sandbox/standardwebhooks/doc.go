// Package standardwebhooks is the sandbox's stand-in for a payment provider that sends
// Standard Webhooks. The specification says how messages are signed and sent, and
// nothing of payments: those follow a convention. It knows nothing of the shop.
//
// By the specification: webhook-id is the same in every attempt, webhook-timestamp is
// that of the attempt, webhook-signature has an entry v1 for each of the endpoint's
// secrets, separated by blanks, over id, timestamp and the raw bytes. A secret is
// base64 of 24 to 64 bytes behind whsec_. Any 2xx is accepted; 410 ends the endpoint:
// nothing more is sent there until it is registered again. Attempts are made at once,
// then after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h. Bodies are
// {"type","timestamp","data"}.
//
// By convention: the types are payment.pending, .confirming, .authorised, .paid,
// .failed, .expired, .refunded, .refund_failed, .disputed, .dispute_won, .dispute_lost,
// and data is {"payment_ref","order_ref","amount_minor","currency"}, with
// "refunded_total_minor" where a refund is told. amount_minor is always that of the
// payment. An attempt that fails is no event. What is served, under the base URL
// http://…/standardwebhooks, with the key as bearer token and requests in JSON:
//
//	POST /payments                with an Idempotency-Key
//	  {"order_ref","amount_minor","currency","description","return_url","cancel_url","expires_at"}
//	  answers {"payment":{…},"url"}
//	GET  /payments/{ref}          by payment_ref or order_ref
//	GET  /payments?updated_since=&cursor=&limit=
//	  answers {"payments":[…],"next_cursor"}, the oldest change first
//	POST /payments/{ref}/refunds  with an Idempotency-Key
//	  {"amount_minor","reason"} answers {"refund":{…}}
//
//	payment  {"payment_ref","order_ref","status","amount_minor","received_minor","refunded_total_minor",
//	         "currency","refunds":[…],"disputes":[…],"updated_at"}
//	refund   {"refund_ref","amount_minor","status"}            pending, done, failed
//	dispute  {"dispute_ref","amount_minor","reason","status"}  open, won, lost
//
// Amounts are JSON numbers up to 2^53-1, in ISO 4217's minor units. An order_ref is used
// once. A refusal is {"code","detail"}.
//
// Left out of the specification: retry-after and the statuses that ask to slow down
// change nothing about the schedule, and there are no asymmetric signatures (v1a).
package standardwebhooks
