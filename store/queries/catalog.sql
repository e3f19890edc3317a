-- name: ListProducts :many
SELECT * FROM shop_products WHERE withdrawn_at IS NULL ORDER BY position, slug;

-- name: FindProductBySlug :one
SELECT * FROM shop_products WHERE slug = ? AND withdrawn_at IS NULL;

-- Seeding twice changes nothing that a merchant has edited.
-- name: InsertProduct :exec
INSERT INTO shop_products (id, slug, name, summary, description, price, currency, activation_limit, position)
VALUES (sqlc.arg(id), sqlc.arg(slug), sqlc.arg(name), sqlc.arg(summary), sqlc.arg(description), sqlc.arg(price),
        sqlc.arg(currency), sqlc.arg(activation_limit), sqlc.arg(position));
