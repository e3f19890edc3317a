-- name: InsertPayment :exec
INSERT INTO shop_payments (id, order_id, attempt, provider, idempotency_key, amount, currency)
VALUES (sqlc.arg(id), sqlc.arg(order_id), sqlc.arg(attempt), sqlc.arg(provider), sqlc.arg(idempotency_key), sqlc.arg(amount),
        sqlc.arg(currency));

-- Money that names no order of ours is recorded all the same.
-- name: InsertUnattributedPayment :exec
INSERT INTO shop_payments (id, provider, provider_ref, amount, currency, status, refund_status, received, refunded, reversed, taken_back,
                           provider_revision)
VALUES (sqlc.arg(id), sqlc.arg(provider), sqlc.arg(provider_ref), sqlc.arg(amount), sqlc.arg(currency), sqlc.arg(status),
        sqlc.arg(refund_status), sqlc.arg(received), sqlc.arg(refunded), sqlc.arg(reversed), sqlc.arg(taken_back),
        sqlc.arg(provider_revision));

-- name: FindPayment :one
SELECT * FROM shop_payments WHERE provider = ? AND provider_ref = ?;

-- What was asked for under our own reference, when the provider's isn't known yet.
-- name: FindAskedPayment :one
SELECT * FROM shop_payments WHERE order_id = ? AND attempt = ?;

-- Read again under the order's lock: what was read before may have changed.
-- name: ListPaymentsOfOrder :many
SELECT * FROM shop_payments WHERE order_id = ? ORDER BY attempt;

-- Promise 6: row_version and the provider's revision are the fence.
-- name: UpdatePayment :execrows
UPDATE shop_payments SET
    provider_ref = COALESCE(provider_ref, sqlc.arg(provider_ref)), status = sqlc.arg(status), refund_status = sqlc.arg(refund_status),
    dispute_status = sqlc.arg(dispute_status), received = sqlc.arg(received), refunded = sqlc.arg(refunded), reversed = sqlc.arg(reversed),
    taken_back = sqlc.arg(taken_back), confirmations = sqlc.arg(confirmations),
    review_reason = sqlc.arg(review_reason), refused_revision = sqlc.arg(refused_revision), refused_digest = sqlc.arg(refused_digest),
    reviewed_digest = sqlc.arg(reviewed_digest),
    fulfillment_decision = sqlc.arg(fulfillment_decision),
    service_status = sqlc.arg(service_status), chain_enforcement = sqlc.arg(chain_enforcement),
    risk_assessed_at = sqlc.arg(risk_assessed_at), risk_valid_until = sqlc.arg(risk_valid_until),
    provider_revision = sqlc.arg(provider_revision), row_version = row_version + 1, updated_at = NOW(6)
WHERE id = sqlc.arg(id) AND row_version = sqlc.arg(row_version) AND provider_revision <= sqlc.arg(provider_revision);

-- What the provider answered to our request for a payment. It touches nothing that
-- a webhook may have written meanwhile.
-- name: SetPaymentCreated :execrows
UPDATE shop_payments SET provider_ref = COALESCE(provider_ref, sqlc.arg(provider_ref)), payment_url = sqlc.arg(payment_url),
    row_version = row_version + 1
WHERE id = sqlc.arg(id) AND payment_url IS NULL;

-- Open payments whose provider has said nothing for a while. An old one is asked
-- about ever more seldom, and after a month not at all.
-- name: ListSilentPayments :many
SELECT * FROM shop_payments
WHERE status IN ('pending', 'confirming', 'authorised') AND provider_ref IS NOT NULL AND order_id IS NOT NULL
  AND updated_at > NOW(6) - INTERVAL 30 DAY
  AND TIMESTAMPDIFF(SECOND, COALESCE(checked_at, updated_at), NOW(6)) >= GREATEST(CAST(sqlc.arg(quiet_seconds) AS SIGNED), TIMESTAMPDIFF(SECOND, updated_at, NOW(6)) DIV 8)
ORDER BY updated_at LIMIT ?;

-- Payments that paid an order whose risk assessment ran out before its delivery.
-- name: ListOutdatedPayments :many
SELECT p.* FROM shop_orders o JOIN shop_payments p ON p.id = o.paid_by
WHERE o.fulfillment_status IN ('waiting', 'withheld') AND o.refund_status <> 'full' AND o.risk_valid_until < NOW(6)
  AND TIMESTAMPDIFF(SECOND, COALESCE(p.checked_at, p.updated_at), NOW(6)) >= GREATEST(CAST(sqlc.arg(quiet_seconds) AS SIGNED), TIMESTAMPDIFF(SECOND, p.updated_at, NOW(6)) DIV 8)
ORDER BY o.paid_at LIMIT ?;

-- Payments of which an event told a refund or a dispute, to be looked at once more.
-- name: ListToldPayments :many
SELECT * FROM shop_payments
WHERE told_at > NOW(6) - INTERVAL 30 DAY AND order_id IS NOT NULL
  AND TIMESTAMPDIFF(SECOND, COALESCE(GREATEST(checked_at, told_at), told_at), NOW(6)) >= GREATEST(CAST(sqlc.arg(quiet_seconds) AS SIGNED), TIMESTAMPDIFF(SECOND, told_at, NOW(6)) DIV 8)
ORDER BY told_at LIMIT ?;

-- name: NotePaymentTold :exec
UPDATE shop_payments SET told_at = NOW(6) WHERE provider = ? AND provider_ref = ?;

-- What was told since then stays to be looked at.
-- name: ForgetPaymentTold :exec
UPDATE shop_payments SET told_at = NULL WHERE id = sqlc.arg(id) AND told_at <=> sqlc.arg(seen);

-- No row: another instance is asking about it already.
-- name: MarkPaymentChecked :execrows
UPDATE shop_payments SET checked_at = NOW(6) WHERE id = sqlc.arg(id) AND checked_at <=> sqlc.arg(seen);

-- name: ListPaymentsWithoutOrder :many
SELECT * FROM shop_payments WHERE order_id IS NULL AND status = 'paid' ORDER BY created_at DESC LIMIT ?;

-- name: LockUnattributedPayment :one
SELECT * FROM shop_payments WHERE provider = ? AND provider_ref = ? AND order_id IS NULL FOR UPDATE;

-- Money that was recorded without an order turns out to belong to one.
-- name: AdoptPayment :execrows
UPDATE shop_payments SET order_id = sqlc.arg(order_id), attempt = sqlc.arg(attempt), amount = sqlc.arg(amount), currency = sqlc.arg(currency),
    status = 'pending', refund_status = 'none', dispute_status = 'none', received = 0, refunded = 0, reversed = 0, taken_back = 0,
    provider_revision = 0, row_version = row_version + 1
WHERE provider = sqlc.arg(provider) AND provider_ref = sqlc.arg(provider_ref) AND order_id IS NULL;

-- An orphan that turns out to be the payment we have asked for makes room for it.
-- name: DeleteOrphanPayment :execrows
DELETE FROM shop_payments WHERE provider = ? AND provider_ref = ? AND order_id IS NULL;

-- name: SetPaymentURL :exec
UPDATE shop_payments SET payment_url = COALESCE(payment_url, sqlc.arg(payment_url)) WHERE provider = sqlc.arg(provider) AND provider_ref = sqlc.arg(provider_ref) AND order_id = sqlc.arg(order_id);
