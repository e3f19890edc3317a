-- name: GetJob :one
SELECT * FROM shop_fulfillment_outbox WHERE seq = ?;

-- name: ListJobsOfOrder :many
SELECT * FROM shop_fulfillment_outbox WHERE order_id = ? ORDER BY seq;

-- What the rules held back, or what ended with a refund or a dispute that turned out
-- otherwise, is due again once they allow it.
-- name: UnblockJobs :execrows
UPDATE shop_fulfillment_outbox SET status = 'pending', attempts = 0, next_attempt_at = NOW(6), last_error = NULL
WHERE order_id = ? AND status IN ('blocked', 'cancelled');

-- Where licenses end (refund, lost dispute, money taken back), so does every action that
-- isn't done. Whoever holds the lease of one has lost it: the raised version tells.
-- name: CancelJobs :execrows
UPDATE shop_fulfillment_outbox SET status = 'cancelled', lease_owner = NULL, lease_until = NULL, lease_version = lease_version + 1
WHERE order_id = ? AND status IN ('pending', 'leased', 'blocked', 'dead');

-- Ends a leased job in another way than done or dead (promise 9).
-- name: EndJob :execrows
UPDATE shop_fulfillment_outbox SET status = sqlc.arg(status), last_error = sqlc.arg(last_error), lease_owner = NULL, lease_until = NULL,
    attempts = attempts - sqlc.arg(uncounted)
WHERE seq = sqlc.arg(seq) AND lease_version = sqlc.arg(lease_version) AND status = 'leased';

-- A person asks for the action again; the caller writes the audit. What is done stays
-- done, except for a mail: it goes out again with the same keys and Message-ID.
-- name: RetryJob :execrows
UPDATE shop_fulfillment_outbox SET status = 'pending', attempts = 0, next_attempt_at = NOW(6), last_error = NULL
WHERE seq = ? AND (status IN ('dead', 'undeliverable', 'blocked', 'pending') OR status = 'done' AND kind = 'send_licenses_mail');
