-- name: InsertAudit :exec
INSERT INTO shop_audit_log (actor, action, subject, result) VALUES (sqlc.arg(actor), sqlc.arg(action), sqlc.arg(subject), sqlc.arg(result));

-- name: ListAudit :many
SELECT * FROM shop_audit_log WHERE subject = ? ORDER BY seq;
