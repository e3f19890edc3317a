-- What an event means, in the words of the providers' mapping files: one that tells of a
-- refund or a dispute waits for a record that shows some.

-- +goose Up
ALTER TABLE shop_events
    ADD COLUMN event_effect VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '' AFTER event_status;

-- +goose Down
ALTER TABLE shop_events DROP COLUMN event_effect;
