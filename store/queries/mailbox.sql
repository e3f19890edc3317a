-- The same Message-ID again is the same mail: it is counted, not shown twice.
-- name: DropMail :exec
INSERT INTO shop_mailbox (message_id, recipient, subject, raw)
VALUES (sqlc.arg(message_id), sqlc.arg(recipient), sqlc.arg(subject), sqlc.arg(raw))
ON DUPLICATE KEY UPDATE sent = sent + 1;

-- name: ListMails :many
SELECT seq, recipient, subject, created_at FROM shop_mailbox ORDER BY seq DESC LIMIT ?;

-- name: GetMail :one
SELECT * FROM shop_mailbox WHERE seq = ?;
