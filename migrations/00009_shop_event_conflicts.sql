-- Other content under a known event id, answered 409 (promise 3). Never the body.

-- +goose Up
CREATE TABLE shop_event_conflicts (
    provider      VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_id      VARBINARY(255) NOT NULL,
    payload_hash  BINARY(32) NOT NULL,
    key_id        VARCHAR(64) NOT NULL,
    seen          INT UNSIGNED NOT NULL DEFAULT 1,
    first_seen_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    last_seen_at  DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    PRIMARY KEY (provider, event_id, payload_hash),
    CONSTRAINT conflict_event FOREIGN KEY (provider, event_id) REFERENCES shop_events (provider, event_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_event_conflicts;
