// Package store keeps the shop's records: every line of the shop's SQL is here,
// as SQL in queries/*.sql, turned into Go by sqlc (package db), or by hand in this
// package where a statement's shape depends on its input.
//
// It keeps these promises by the schema and by statements:
//
//   - 3, an event counts once: shop_events is unique by (provider, event_id);
//     [Tx.InsertEvents] inserts and lets the key decide.
//   - 6, one writer at a time: LockOrder comes before anything of an order is
//     written, and every write carries its fence (revision, row_version,
//     lease_version) in the WHERE clause. Zero rows is an answer: somebody else
//     was first.
//   - 8, a business action happens once: operation keys and license units are
//     unique.
//   - 12, every change is in the history: [Tx.SaveOrder] is the only way to
//     change an order, and it writes the revision in the same transaction.
//
// [DB.InTx] is the only door to a transaction. Its function may run more than
// once and must not call a network.
package store
