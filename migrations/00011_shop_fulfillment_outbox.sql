-- Business actions still to do. The unique operation key keeps promise 8: an action
-- happens once.

-- +goose Up
CREATE TABLE shop_fulfillment_outbox (
    seq             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    operation_key   VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind            VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payload         JSON NOT NULL,
    created_at      DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    status          VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'pending',
    attempts        INT UNSIGNED NOT NULL DEFAULT 0,
    next_attempt_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    lease_owner     VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NULL,
    lease_until     DATETIME(6) NULL,
    lease_version   BIGINT UNSIGNED NOT NULL DEFAULT 0,
    last_error      VARCHAR(500) NULL,
    UNIQUE KEY operation_key (operation_key),
    KEY due (status, next_attempt_at),
    KEY due_of_kind (kind, status, next_attempt_at),
    KEY leased (status, lease_until),
    KEY order_id (order_id),
    CONSTRAINT outbox_order FOREIGN KEY (order_id) REFERENCES shop_orders (id),
    CONSTRAINT outbox_status CHECK (status IN ('pending', 'leased', 'blocked', 'done', 'dead', 'cancelled', 'undeliverable'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_fulfillment_outbox;
