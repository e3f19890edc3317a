-- Promise 8: one license an order line and unit, ever.
-- name: InsertLicense :exec
INSERT INTO shop_licenses (id, order_id, line_no, unit_no, product_id, key_hash)
VALUES (sqlc.arg(id), sqlc.arg(order_id), sqlc.arg(line_no), sqlc.arg(unit_no), sqlc.arg(product_id), sqlc.arg(key_hash));

-- name: ListLicensesOfOrder :many
SELECT l.*, ol.name AS product_name, p.slug AS product_slug, p.activation_limit FROM shop_licenses l
JOIN shop_order_lines ol ON ol.order_id = l.order_id AND ol.line_no = l.line_no
JOIN shop_products p ON p.id = l.product_id
WHERE l.order_id = ? ORDER BY l.line_no, l.unit_no;

-- Licenses follow their order: all of them, always the same ones. Zero rows: they were
-- so already.
-- name: SetLicenses :execrows
UPDATE shop_licenses SET status = sqlc.arg(status), reason = NULLIF(sqlc.arg(reason), ''),
    suspended_at = IF(sqlc.arg(status) = 'suspended', NOW(6), NULL), revoked_at = IF(sqlc.arg(status) = 'revoked', NOW(6), NULL)
WHERE order_id = sqlc.arg(order_id) AND (status <> sqlc.arg(status) OR COALESCE(reason, '') <> sqlc.arg(reason));
