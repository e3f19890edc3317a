-- When an event last told of a refund or a dispute of a payment whose provider doesn't
-- count revisions: its record may have been behind, so it is asked for once more.

-- +goose Up
ALTER TABLE shop_payments
    ADD COLUMN told_at DATETIME(6) NULL AFTER checked_at,
    ADD KEY told (told_at);

-- +goose Down
ALTER TABLE shop_payments
    DROP KEY told,
    DROP COLUMN told_at;
