-- cart_id is unique: the second order of a cart is refused here.
-- name: InsertOrder :exec
INSERT INTO shop_orders (id, number, cart_id, token_hash, email, total, currency, expires_at)
VALUES (sqlc.arg(id), sqlc.arg(number), sqlc.arg(cart_id), sqlc.arg(token_hash), sqlc.arg(email), sqlc.arg(total),
        sqlc.arg(currency), NOW(6) + INTERVAL CAST(sqlc.arg(lifetime_seconds) AS SIGNED) SECOND);

-- name: InsertOrderLine :exec
INSERT INTO shop_order_lines (order_id, line_no, product_id, name, unit_price, quantity)
VALUES (sqlc.arg(order_id), sqlc.arg(line_no), sqlc.arg(product_id), sqlc.arg(name), sqlc.arg(unit_price), sqlc.arg(quantity));

-- Promise 6: one writer at a time. Everything of an order is written under this lock.
-- name: LockOrder :one
SELECT sqlc.embed(o), NOW(6) AS db_now FROM shop_orders o WHERE o.id = ? FOR UPDATE;

-- name: GetOrder :one
SELECT sqlc.embed(o), NOW(6) AS db_now FROM shop_orders o WHERE o.id = ?;

-- name: FindOrderByToken :one
SELECT sqlc.embed(o), NOW(6) AS db_now,
       EXISTS (SELECT 1 FROM shop_fulfillment_outbox j WHERE j.order_id = o.id AND j.kind = 'send_licenses_mail' AND j.status = 'done') AS mailed
FROM shop_orders o WHERE o.token_hash = ?;

-- name: FindOrderByCart :one
SELECT * FROM shop_orders WHERE cart_id = ?;

-- name: FindOrderByNumber :one
SELECT * FROM shop_orders WHERE number = ?;

-- name: ListOrderLines :many
SELECT * FROM shop_order_lines WHERE order_id = ? ORDER BY line_no;

-- Promise 5 and 6: the revision in the WHERE clause is the fence; zero rows means
-- that somebody else wrote first.
-- name: UpdateOrder :execrows
UPDATE shop_orders SET
    payment_status = sqlc.arg(payment_status), refund_status = sqlc.arg(refund_status),
    dispute_status = sqlc.arg(dispute_status), fulfillment_status = sqlc.arg(fulfillment_status), review_reason = sqlc.arg(review_reason),
    received_amount = sqlc.arg(received_amount), refunded_amount = sqlc.arg(refunded_amount),
    surplus_amount = sqlc.arg(surplus_amount), paid_by = sqlc.arg(paid_by),
    fulfillment_decision = sqlc.arg(fulfillment_decision), service_status = sqlc.arg(service_status),
    chain_enforcement = sqlc.arg(chain_enforcement), risk_assessed_at = sqlc.arg(risk_assessed_at),
    risk_valid_until = sqlc.arg(risk_valid_until), paid_at = sqlc.arg(paid_at), delivered_at = sqlc.arg(delivered_at),
    cancelled_at = sqlc.arg(cancelled_at), mail_refused_at = sqlc.arg(mail_refused_at), expires_at = sqlc.arg(expires_at),
    revision = revision + 1
WHERE id = sqlc.arg(id) AND revision = sqlc.arg(revision);

-- name: RenewOrderToken :execrows
UPDATE shop_orders SET token_hash = sqlc.arg(token_hash), token_version = token_version + 1
WHERE id = sqlc.arg(id) AND token_version = sqlc.arg(token_version);

-- Money on its way keeps an order open, however late it is (case: the timer fires
-- while a payment confirms).
-- name: ListOverdueOrders :many
SELECT o.id FROM shop_orders o
WHERE o.payment_status = 'pending' AND o.expires_at < NOW(6)
  AND NOT EXISTS (SELECT 1 FROM shop_payments p WHERE p.order_id = o.id AND p.status IN ('confirming', 'authorised', 'paid'))
ORDER BY o.expires_at LIMIT ?;

-- name: InsertOrderRevision :exec
INSERT INTO shop_order_revisions (order_id, revision, kind, source, actor, event_seq, provider_revision, changes)
VALUES (sqlc.arg(order_id), sqlc.arg(revision), sqlc.arg(kind), sqlc.arg(source), sqlc.arg(actor), sqlc.arg(event_seq),
        sqlc.arg(provider_revision), sqlc.arg(changes));

-- name: ListOrderRevisions :many
SELECT r.*, COALESCE(e.provider, '') AS event_provider, COALESCE(e.event_id, '') AS event_id,
       COALESCE(e.event_type, '') AS event_type
FROM shop_order_revisions r LEFT JOIN shop_events e ON e.seq = r.event_seq
WHERE r.order_id = ? ORDER BY r.revision DESC;

-- Whether an order's page has changed: cheap enough to ask every second.
-- name: OrderPulse :one
SELECT o.revision, CAST((SELECT COUNT(*) FROM shop_events e WHERE e.order_id = o.id AND e.processed_at IS NOT NULL) AS SIGNED) AS settled,
       EXISTS (SELECT 1 FROM shop_fulfillment_outbox j WHERE j.order_id = o.id AND j.kind = 'send_licenses_mail' AND j.status = 'done') AS mailed
FROM shop_orders o WHERE o.token_hash = ?;
