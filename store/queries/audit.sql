-- name: InsertAudit :exec
INSERT INTO shop_audit_log (actor, action, subject, result) VALUES (sqlc.arg(actor), sqlc.arg(action), sqlc.arg(subject), sqlc.arg(result));

-- Newest first. What is done to an order's jobs and events is done to the order. No
-- order_id narrows nothing.
-- name: ListAudit :many
SELECT * FROM shop_audit_log a
WHERE CAST(sqlc.arg(order_id) AS CHAR) = ''
   OR a.subject IN (SELECT o.number FROM shop_orders o WHERE o.id = sqlc.arg(order_id))
   OR a.subject IN (SELECT j.operation_key FROM shop_fulfillment_outbox j WHERE j.order_id = sqlc.arg(order_id))
   OR a.subject IN (SELECT CONCAT(e.provider, ' ', e.event_id) FROM shop_orders o JOIN shop_events e ON e.order_id = o.id WHERE o.id = sqlc.arg(order_id))
ORDER BY a.seq DESC LIMIT ?;
