-- What people and dashboards look at. An empty or zero argument narrows nothing.

-- An order is stuck when its money has been on its way for longer than hours.
-- name: ListOrders :many
SELECT * FROM shop_orders o
WHERE (o.payment_status = sqlc.arg(payment_status) OR sqlc.arg(payment_status) = '')
  AND (o.fulfillment_status = sqlc.arg(fulfillment_status) OR sqlc.arg(fulfillment_status) = '')
  AND (CAST(sqlc.arg(review) AS UNSIGNED) = 0 OR o.review_reason IS NOT NULL
       OR EXISTS (SELECT 1 FROM shop_payments p WHERE p.order_id = o.id AND p.review_reason IS NOT NULL))
  AND (CAST(sqlc.arg(stuck_hours) AS UNSIGNED) = 0 OR (o.payment_status IN ('confirming', 'authorised')
       AND COALESCE((SELECT MAX(r.created_at) FROM shop_order_revisions r WHERE r.order_id = o.id AND r.kind IN ('payment_confirming', 'payment_authorised')), o.placed_at)
           < NOW(6) - INTERVAL CAST(sqlc.arg(stuck_hours) AS UNSIGNED) HOUR))
ORDER BY o.placed_at DESC, o.id DESC LIMIT ?;

-- name: ListEvents :many
SELECT sqlc.embed(e), COALESCE(o.number, '') AS order_number FROM shop_events e LEFT JOIN shop_orders o ON o.id = e.order_id
WHERE (e.provider = sqlc.arg(provider) OR sqlc.arg(provider) = '')
  AND (e.status = sqlc.arg(status) OR sqlc.arg(status) = '')
  AND (e.verdict = sqlc.arg(verdict) OR sqlc.arg(verdict) = '')
  AND (e.order_id = sqlc.arg(order_id) OR sqlc.arg(order_id) = '')
ORDER BY e.seq DESC LIMIT ?;

-- Two providers may give their events the same id.
-- name: FindEventsByID :many
SELECT * FROM shop_events WHERE event_id = ? ORDER BY provider;

-- name: GetEventPayload :one
SELECT body FROM shop_event_payloads WHERE provider = ? AND event_id = ?;

-- name: ListJobs :many
SELECT sqlc.embed(j), o.number AS order_number FROM shop_fulfillment_outbox j JOIN shop_orders o ON o.id = j.order_id
WHERE (j.status = sqlc.arg(status) OR sqlc.arg(status) = '')
  AND (j.kind = sqlc.arg(kind) OR sqlc.arg(kind) = '')
  AND (j.order_id = sqlc.arg(order_id) OR sqlc.arg(order_id) = '')
ORDER BY j.seq DESC LIMIT ?;

-- Queue depths leave out what is done: it only grows, and would be counted whole at
-- every scrape.
-- name: CountEvents :many
SELECT status, COUNT(*) AS total FROM shop_events WHERE status IN ('pending', 'leased', 'dead') GROUP BY status;

-- name: CountJobs :many
SELECT kind, status, COUNT(*) AS total FROM shop_fulfillment_outbox
WHERE status IN ('pending', 'leased', 'blocked', 'dead', 'undeliverable') GROUP BY kind, status;

-- How long the queues' oldest due rows have been waiting, in seconds.
-- name: OldestDue :one
SELECT
  CAST((SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(e.next_attempt_at), NOW(6)), 0) FROM shop_events e
        WHERE e.status = 'pending' AND e.next_attempt_at <= NOW(6)) AS SIGNED) AS event_seconds,
  CAST((SELECT COALESCE(TIMESTAMPDIFF(SECOND, MIN(j.next_attempt_at), NOW(6)), 0) FROM shop_fulfillment_outbox j
        WHERE j.status = 'pending' AND j.next_attempt_at <= NOW(6)) AS SIGNED) AS job_seconds;

-- Orders that wait for a person: paid but withheld, or under review; with a refund that
-- failed, as long as nobody has asked for it anew and the payment holds its amount, which
-- no bank wants; with an open dispute. What has ended (fulfillment.Ended: refunded, or
-- lost in a dispute) isn't withheld. Refunds and disputes are few, so those are read whole.
-- name: CountOrdersToLookAt :one
SELECT
  CAST((SELECT COUNT(*) FROM shop_orders o WHERE o.fulfillment_status = 'withheld' AND o.refund_status <> 'full' AND o.dispute_status <> 'lost') AS SIGNED) AS withheld,
  CAST((SELECT COUNT(DISTINCT p.order_id) FROM shop_payments p WHERE p.review_reason IS NOT NULL)
       + (SELECT COUNT(*) FROM shop_orders o WHERE o.review_reason = 'paid_after_cancellation') AS SIGNED) AS under_review,
  CAST((SELECT COUNT(DISTINCT p.order_id) FROM shop_refunds f JOIN shop_payments p ON p.id = f.payment_id
        WHERE f.status = 'failed' AND p.received - p.refunded - (
            SELECT COALESCE(SUM(CASE WHEN d.amount = 0 THEN p.received ELSE d.amount END), 0)
            FROM shop_disputes d WHERE d.payment_id = p.id AND d.status IN ('open', 'lost')) >= f.amount
          AND NOT EXISTS (SELECT 1 FROM shop_refunds n WHERE n.payment_id = f.payment_id AND n.status <> 'failed' AND n.created_at >= f.updated_at)) AS SIGNED) AS refund_failed,
  CAST((SELECT COUNT(DISTINCT p.order_id) FROM shop_disputes d JOIN shop_payments p ON p.id = d.payment_id WHERE d.status = 'open') AS SIGNED) AS disputed;
