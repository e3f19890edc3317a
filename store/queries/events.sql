-- name: FindEvent :one
SELECT * FROM shop_events WHERE provider = ? AND event_id = ?;

-- name: LockEventHash :one
SELECT payload_hash FROM shop_events WHERE provider = ? AND event_id = ? FOR UPDATE;

-- name: LockAlias :one
SELECT event_id, payload_hash FROM shop_events WHERE provider = ? AND alias = ? FOR UPDATE;

-- All that was told under one of our references, or of a payment that was named with
-- it once: what a snapshot is folded from. Two look-ups by index, put together: an OR
-- would read all that the provider ever told, and so would a server that guesses the
-- indexes' worth before it has counted.
-- name: ListEventsOfReference :many
SELECT e.* FROM (
    SELECT o.seq FROM shop_events o FORCE INDEX (order_ref) WHERE o.provider = sqlc.arg(provider) AND o.order_ref = sqlc.arg(order_ref)
    UNION
    SELECT p.seq FROM shop_events named FORCE INDEX (order_ref)
    STRAIGHT_JOIN shop_events p FORCE INDEX (payment_ref) ON p.provider = named.provider AND p.payment_ref = named.payment_ref
    WHERE named.provider = sqlc.arg(same_provider) AND named.order_ref = sqlc.arg(same_ref) AND named.payment_ref <> ''
) AS told STRAIGHT_JOIN shop_events e FORCE INDEX (PRIMARY) ON e.seq = told.seq
ORDER BY e.seq;

-- name: ListEventsOfPayment :many
SELECT * FROM shop_events FORCE INDEX (payment_ref) WHERE provider = ? AND payment_ref = ? ORDER BY seq;

-- name: CountDeliveries :exec
UPDATE shop_events SET deliveries = deliveries + sqlc.arg(more) WHERE provider = sqlc.arg(provider) AND event_id = sqlc.arg(event_id);

-- Promise 3: what was refused leaves a record, never its body.
-- name: RecordConflict :exec
INSERT INTO shop_event_conflicts (provider, event_id, payload_hash, key_id)
VALUES (sqlc.arg(provider), sqlc.arg(event_id), sqlc.arg(payload_hash), sqlc.arg(key_id))
ON DUPLICATE KEY UPDATE seen = seen + 1, last_seen_at = NOW(6);

-- name: GetEvents :many
SELECT * FROM shop_events WHERE seq IN (sqlc.slice('seqs')) ORDER BY seq;

-- The lease is finished in the same statement that gives the verdict; zero rows
-- means that the lease was lost (promise 9).
-- name: SettleEvent :execrows
UPDATE shop_events SET status = 'done', verdict = sqlc.arg(verdict), reason = sqlc.arg(reason), order_id = COALESCE(order_id, sqlc.arg(order_id)),
    processed_at = NOW(6), lease_owner = NULL, lease_until = NULL, last_error = NULL
WHERE seq = sqlc.arg(seq) AND lease_version = sqlc.arg(lease_version) AND status = 'leased';

-- An event that waits is already known to belong to an order.
-- name: AttributeEvent :exec
UPDATE shop_events SET order_id = sqlc.arg(order_id) WHERE seq = sqlc.arg(seq) AND order_id IS NULL;

-- A person asks for the event to be processed again; the caller writes the audit.
-- name: ReplayEvent :execrows
UPDATE shop_events SET status = 'pending', attempts = 0, next_attempt_at = NOW(6), lease_owner = NULL, lease_until = NULL
WHERE provider = sqlc.arg(provider) AND event_id = sqlc.arg(event_id) AND status IN ('done', 'dead', 'pending');

-- name: ListEventsOfOrder :many
SELECT * FROM shop_events WHERE order_id = ? ORDER BY seq;

-- name: ListConflictsOfOrder :many
SELECT c.* FROM shop_event_conflicts c JOIN shop_events e ON e.provider = c.provider AND e.event_id = c.event_id
WHERE e.order_id = ? ORDER BY c.first_seen_at;

-- name: ListConflictsOfEvent :many
SELECT * FROM shop_event_conflicts WHERE provider = ? AND event_id = ? ORDER BY first_seen_at;

-- Bodies are kept as long as a dispute may need them; identity and hash for ever.
-- name: PurgeEventPayloads :execrows
DELETE FROM shop_event_payloads WHERE created_at < NOW(6) - INTERVAL CAST(sqlc.arg(keep_seconds) AS SIGNED) SECOND LIMIT ?;
