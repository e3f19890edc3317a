-- Single refunds and disputes: facts of their own, beside a payment's totals.

-- name: ListRefundsOfPayment :many
SELECT * FROM shop_refunds WHERE payment_id = ? ORDER BY provider_ref;

-- name: ListDisputesOfPayment :many
SELECT * FROM shop_disputes WHERE payment_id = ? ORDER BY provider_ref;

-- name: SaveRefund :exec
INSERT INTO shop_refunds (provider, provider_ref, payment_id, amount, status)
VALUES (sqlc.arg(provider), sqlc.arg(provider_ref), sqlc.arg(payment_id), sqlc.arg(amount), sqlc.arg(status))
ON DUPLICATE KEY UPDATE amount = sqlc.arg(amount), status = sqlc.arg(status), updated_at = NOW(6);

-- name: SaveDispute :exec
INSERT INTO shop_disputes (provider, provider_ref, payment_id, amount, reason, status)
VALUES (sqlc.arg(provider), sqlc.arg(provider_ref), sqlc.arg(payment_id), sqlc.arg(amount), sqlc.arg(reason), sqlc.arg(status))
ON DUPLICATE KEY UPDATE amount = sqlc.arg(amount), reason = sqlc.arg(reason), status = sqlc.arg(status), updated_at = NOW(6);

-- name: ListRefundsOfOrder :many
SELECT r.* FROM shop_refunds r JOIN shop_payments p ON p.id = r.payment_id WHERE p.order_id = ? ORDER BY r.created_at, r.provider_ref;

-- name: ListDisputesOfOrder :many
SELECT d.* FROM shop_disputes d JOIN shop_payments p ON p.id = d.payment_id WHERE p.order_id = ? ORDER BY d.created_at, d.provider_ref;
