-- What an event says of itself: which state it claims, about how much money. Of a
-- provider that can't be asked, the snapshot is folded from these columns, for ever:
-- the bytes are purged. alias is a second identity that the sender gave without
-- signing it; known with other content it is a conflict (promise 3).

-- +goose Up
ALTER TABLE shop_events
    ADD COLUMN alias VARBINARY(255) NULL AFTER event_id,
    ADD COLUMN event_status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' AFTER event_revision,
    ADD COLUMN amount DECIMAL(65,0) NULL AFTER order_ref,
    ADD COLUMN currency VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' AFTER amount,
    ADD UNIQUE KEY alias (provider, alias),
    ADD KEY order_ref (provider, order_ref),
    ADD KEY payment_ref (provider, payment_ref);

-- +goose Down
ALTER TABLE shop_events
    DROP KEY alias,
    DROP KEY order_ref,
    DROP KEY payment_ref,
    DROP COLUMN alias,
    DROP COLUMN event_status,
    DROP COLUMN amount,
    DROP COLUMN currency;
