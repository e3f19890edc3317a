// Package adyen speaks with Adyen: it verifies and reads its Standard webhooks, makes
// the record of a payment out of them, and asks its Checkout API for payment links
// and refunds. It knows the words of package payment and nothing else of the shop.
//
// # The promises it keeps
//
// Promise 1, nothing unsigned is read: Adyen signs values, not bytes, so a delivery
// is decoded first, by one strict decoder, once to verify and once more, in the same
// way, to parse. [Adapter.Verify] wants every item of a delivery to be signed by one
// and the same secret that is valid now, over eight of its fields, and to be of a
// merchant account of ours; every secret is tried over every item, and digests are
// compared in constant time. What can't be decoded without doubt can't be verified.
// Where the endpoint has a user and a password, a delivery without them is refused
// before it is decoded.
//
// Nothing is escaped in the signed text, so a colon moved from one field into the
// next leaves the signature as it was. That is why none of the fields may have a
// colon in it but the merchant's reference, which the other seven then leave no
// choice of, and why [Adapter.Create] takes no reference with a colon.
//
// Nothing else is signed: neither "live", nor the date, the reason, the payment
// method, or what is in additionalData. The date is shown, and the rest isn't read.
// Which platform sent a delivery, test or live, the secret tells that verified it.
//
// Promise 3, an event counts once: Adyen's events have no id. They are known by
// account, pspReference, eventCode and success; the fingerprint is the SHA-256 of the
// signed text. A repeat with a later date or another reason is the same event with
// the same content; with another amount it is a conflict. Adyen holds everything back
// while one delivery is refused, so a conflict is parked for a person
// ([Adapter.Accepted]), and what can be taken is taken: codes that we don't know, a
// merchant reference that can't be ours, a date that is none.
//
// Promise 4, an event is a hint, the snapshot is the truth: Adyen can't be asked what
// became of a payment. [Adapter.Fold] makes the snapshot of what was told, out of the
// signed fields of the stored events. It is a function of their set: order and
// repetition don't matter, and its revision is how many they are.
//
// Other applications may share the account and call all of their payments the same:
// each of those is folded by itself, by Adyen's reference.
//
// Promise 5, state never runs backwards: whatever order the events arrive in, each
// snapshot may follow the one before it.
//
//   - A capture pays whether or not its authorisation is known yet, and money wins
//     over a cancellation.
//   - A capture that failed after all was money for a while and is told as taken back.
//   - A refund counts once the capture is told of whose money it gives back. One that
//     failed counts as reversed once it is told of itself, whichever came first.
//   - A refund that came to nothing, refused or failed, is listed as one that failed, by
//     its own reference, also where nothing else tells of it: it moves no sum, and the
//     shop waits for it no longer.
//   - A failed attempt counts for nothing: the page stays open for another.
//   - Of a dispute the latest stage counts.
//
// What is told may look wrong until an event that is still on its way explains it.
// A person is asked then, and the record stays as it is until the event arrives:
//
//   - part of the money, captured before its authorisation is known: too little;
//   - more refunded than there was: one of the refunds failed;
//   - a refund of money that was taken back;
//   - a capture that was refused after its authorisation had counted as one;
//   - two payments, and an event that names neither.
//
// Promise 8, a business action happens once: payment links and refunds are asked for
// under the key that is passed in, as Idempotency-Key, whatever is told meanwhile. After
// a refund that came to nothing Adyen would only repeat its answer under that key: the
// shop, which knows of the failure, makes another. A refund counts by the reference of
// its own that its events carry.
//
// Secrets, keys, signatures and bodies appear in no error and no explanation.
//
// # What Adyen has not published, and how it is read here
//
//   - Whether a CAPTURE is sent where the account captures automatically. Read: there
//     an authorisation is the capture, and a CAPTURE of the same payment the same
//     money. A cancellation or an expiry that succeeds says that there was none: the
//     money counts as taken back, unless a CAPTURE was told. One that was refused
//     (CAPTURE without success) withholds the payment until a CAPTURE is told, or
//     something that happens to captured money only. Where it had counted as paid
//     already, a person looks: nobody has said that the money is gone.
//
//   - CANCEL_OR_REFUND tells in modification.action which of the two it was, unsigned.
//     Read: not at all. It is a refund if money of the payment is told of, and a
//     cancellation if not, which a capture that arrives later corrects.
//
//   - What a REFUND without success says of the payment. Read: nothing, so its state and
//     sums stay. The record is made anew all the same, for the refund that it ends, as
//     after a refused CAPTURE where captures are automatic. Should the same reference be
//     told of with success as well, that counts. A CANCEL_OR_REFUND without success was
//     a refund if money of the payment is told of.
//
//   - What success says of failures and disputes (CAPTURE_FAILED, REFUND_FAILED,
//     CHARGEBACK …). Read: nothing.
//
//   - Which merchantReference a modification carries. Read: the one that it was asked
//     for with, so [Adapter.Refund] sends the payment's own. Whose a payment is, its
//     AUTHORISATION tells, or its CAPTURE while that isn't told: under whatever
//     reference the rest comes, another order's as well, it is that payment's, and
//     waits until one of them is told. So a capture under another order's reference
//     that overtakes its authorisation pays the other order: nothing else is known then.
//
//   - Which events come without originalReference. Read: an AUTHORISATION, EXPIRE or
//     OFFER_CLOSED is then about its pspReference. Otherwise, and for an expiry that
//     names no payment told of, it is about the only payment under the reference.
//     Disputes are known by their own references and need none.
//
//   - Whether amounts are ever missing. Read: where money would count that can't be
//     counted, a person looks, and no snapshot is made.
//
//   - The decimals of IDR and ISK, which only copies of Adyen's page tell. Read: 0
//     and 2.
//
//   - The parameters that are added to returnUrl. Read: none.
//
//   - How long an idempotency key is kept. Read: at least as long as we retry. One
//     that is too long for Adyen is sent as its SHA-256.
//
//   - Webhooks of other types, signed in a header, and resending from the Customer
//     Area. Read: the first aren't, the second is a repeat like any other.
//
// A payment link has a status that could be asked for; it knows less than the events
// do, and nothing of refunds, so it isn't.
//
//	POST /paymentLinks                    {"url":"…","reference":"…","amount":{…}}
//	POST /payments/{pspReference}/refunds {"status":"received"}
package adyen
