-- +goose Up
-- One row per refund; the key makes a repeated request the same refund.
CREATE TABLE pay_refunds (
    id              CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id        CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    idempotency_key VARBINARY(255) NOT NULL,
    request_hash    BINARY(32)     NOT NULL,
    revision        BIGINT UNSIGNED NOT NULL,
    amount          DECIMAL(65,0)  NOT NULL,
    reason          VARCHAR(255)   NOT NULL,
    created_at      DATETIME(6)    NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY pay_refunds_idempotency (idempotency_key),
    UNIQUE KEY pay_refunds_revision (order_id, revision),
    CONSTRAINT pay_refunds_order FOREIGN KEY (order_id) REFERENCES pay_orders (id),
    CONSTRAINT pay_refunds_amount CHECK (amount > 0)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
