-- name: InsertCart :exec
INSERT INTO shop_carts (id, token_hash) VALUES (?, ?);

-- name: FindCart :one
SELECT * FROM shop_carts WHERE token_hash = ?;

-- The cart's row is the lock that keeps its lines still while an order is made.
-- name: LockCart :one
SELECT * FROM shop_carts WHERE token_hash = ? FOR UPDATE;

-- name: ListCartLines :many
SELECT sqlc.embed(l), sqlc.embed(p)
FROM shop_cart_lines l JOIN shop_products p ON p.id = l.product_id
WHERE l.cart_id = ? AND p.withdrawn_at IS NULL
ORDER BY l.created_at, p.position;

-- name: AddCartLine :exec
INSERT INTO shop_cart_lines (cart_id, product_id, quantity) VALUES (sqlc.arg(cart_id), sqlc.arg(product_id), sqlc.arg(quantity))
ON DUPLICATE KEY UPDATE quantity = LEAST(99, quantity + VALUES(quantity));

-- name: SetCartLine :exec
UPDATE shop_cart_lines SET quantity = sqlc.arg(quantity) WHERE cart_id = sqlc.arg(cart_id) AND product_id = sqlc.arg(product_id);

-- name: DeleteCartLine :exec
DELETE FROM shop_cart_lines WHERE cart_id = ? AND product_id = ?;

-- Carts that nobody ordered; their lines go with them.
-- name: PurgeCarts :execrows
DELETE FROM shop_carts WHERE created_at < NOW(6) - INTERVAL CAST(sqlc.arg(keep_seconds) AS SIGNED) SECOND
  AND NOT EXISTS (SELECT 1 FROM shop_orders o WHERE o.cart_id = shop_carts.id) LIMIT ?;
