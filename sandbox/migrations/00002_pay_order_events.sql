-- +goose Up
-- One row per revision of an order, written in the transaction that made the
-- revision. The body is kept as bytes: every delivery of the event sends these.
CREATE TABLE pay_order_events (
    seq        BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    id         CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id   CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    revision   BIGINT UNSIGNED NOT NULL,
    type       VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    body       MEDIUMBLOB      NOT NULL,
    created_at DATETIME(6)     NOT NULL,
    PRIMARY KEY (seq),
    UNIQUE KEY pay_order_events_id (id),
    UNIQUE KEY pay_order_events_revision (order_id, revision),
    KEY pay_order_events_created (created_at, seq),
    CONSTRAINT pay_order_events_order FOREIGN KEY (order_id) REFERENCES pay_orders (id),
    CONSTRAINT pay_order_events_type CHECK (type IN ('payment.pending', 'payment.confirming', 'payment.paid',
        'payment.failed', 'payment.expired', 'refund.completed', 'risk.updated'))
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
