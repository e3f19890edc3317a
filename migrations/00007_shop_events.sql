-- The inbox. The unique key keeps promise 3: an event counts once. What a provider
-- calls its event is compared byte by byte, in case and blanks.

-- +goose Up
CREATE TABLE shop_events (
    seq             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    provider        VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_id        VARBINARY(255) NOT NULL,
    event_type      VARCHAR(100) NOT NULL,
    event_revision  DECIMAL(65,0) NULL,
    payment_ref     VARBINARY(255) NOT NULL,
    order_ref       VARBINARY(255) NOT NULL,
    order_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    occurred_at     DATETIME(6) NULL,
    payload_hash    BINARY(32) NOT NULL,
    key_id          VARCHAR(64) NOT NULL,
    deliveries      INT UNSIGNED NOT NULL DEFAULT 1,
    verdict         VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
    reason          VARCHAR(100) NULL,
    received_at     DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    processed_at    DATETIME(6) NULL,
    status          VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'pending',
    attempts        INT UNSIGNED NOT NULL DEFAULT 0,
    next_attempt_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    lease_owner     VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NULL,
    lease_until     DATETIME(6) NULL,
    lease_version   BIGINT UNSIGNED NOT NULL DEFAULT 0,
    last_error      VARCHAR(500) NULL,
    UNIQUE KEY event (provider, event_id),
    KEY due (status, next_attempt_at),
    KEY leased (status, lease_until),
    KEY order_id (order_id),
    CONSTRAINT event_order FOREIGN KEY (order_id) REFERENCES shop_orders (id),
    CONSTRAINT event_status CHECK (status IN ('pending', 'leased', 'done', 'dead')),
    CONSTRAINT event_done_has_a_verdict CHECK (status <> 'done' OR verdict IS NOT NULL)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_events;
