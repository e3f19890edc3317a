-- The signed bytes as they came. Purged in time; an event's identity and hash stay.

-- +goose Up
CREATE TABLE shop_event_payloads (
    provider   VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_id   VARBINARY(255) NOT NULL,
    body       MEDIUMBLOB NOT NULL,
    created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    PRIMARY KEY (provider, event_id),
    KEY created_at (created_at),
    CONSTRAINT payload_event FOREIGN KEY (provider, event_id) REFERENCES shop_events (provider, event_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_event_payloads;
