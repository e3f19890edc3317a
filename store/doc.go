// Package store keeps the shop's records: every line of the shop's SQL is here,
// as SQL in queries/*.sql, turned into Go by sqlc (package db), or by hand in this
// package where a statement's shape depends on its input.
//
// It keeps these promises by the schema and by statements:
//
//   - 3, an event counts once: shop_events is unique by (provider, event_id), and by
//     (provider, alias) where the sender gave an id that it didn't sign;
//     [Tx.InsertEvents] inserts and lets the keys decide. What is parked under a known
//     id gets one of its own ([Received.Parked]).
//   - 4, the snapshot is the truth: what an event claims stays in columns for ever,
//     so that the record of a provider that can't be asked is folded from them. Bytes
//     may be deleted, events never are.
//   - 5, state never runs backwards: what a provider takes back has totals of its own
//     (reversed, taken_back), and single refunds and disputes are rows.
//   - 6, one writer at a time: LockOrder comes before anything of an order is
//     written, and every write carries its fence (revision, row_version,
//     lease_version) in the WHERE clause. Zero rows is an answer: somebody else
//     was first.
//   - 8, a business action happens once: operation keys, license units, idempotency
//     keys, and a provider's references of payments, refunds and disputes are unique.
//   - 10, nothing is hidden: money without an order is a payment without order_id.
//   - 12, every change is in the history: [Tx.SaveOrder] is the only way to
//     change an order, and it writes the revision in the same transaction. Only a new
//     address of an order's page is in the audit log instead.
//
// [DB.InTx] is the only door to a transaction. Its function may run more than
// once and must not call a network.
package store
