-- The history: every change of an order, by revision (promise 12).

-- +goose Up
CREATE TABLE shop_order_revisions (
    order_id          CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    revision          BIGINT UNSIGNED NOT NULL,
    kind              VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    source            VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    actor             VARCHAR(100) NOT NULL,
    event_seq         BIGINT UNSIGNED NULL,
    provider_revision DECIMAL(65,0) NULL,
    changes           JSON NOT NULL,
    created_at        DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    PRIMARY KEY (order_id, revision),
    CONSTRAINT revision_order FOREIGN KEY (order_id) REFERENCES shop_orders (id),
    CONSTRAINT revision_event FOREIGN KEY (event_seq) REFERENCES shop_events (seq),
    CONSTRAINT revision_source CHECK (source IN ('checkout', 'webhook', 'reconcile', 'fulfillment', 'staff', 'timer'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_order_revisions;
