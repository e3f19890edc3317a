-- +goose Up
-- One row per refund; the key makes a repeated request the same refund.
CREATE TABLE pay_refunds (
    id              CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    dialect         VARCHAR(32)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'stablein',
    ref             VARBINARY(255) NULL, -- the provider's id, where it has one
    order_id        CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payment_id      CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NULL, -- what of the order it gives back
    idempotency_key VARBINARY(255) NOT NULL,
    request_hash    BINARY(32)     NOT NULL,
    revision        BIGINT UNSIGNED NOT NULL, -- that made it
    changed_in      BIGINT UNSIGNED NOT NULL, -- revision of its last change
    amount          DECIMAL(65,0)  NOT NULL,
    reason          VARCHAR(255)   NOT NULL,
    extra           MEDIUMBLOB     NULL, -- what the dialect keeps of the request, in its own form
    status          VARCHAR(16)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at      DATETIME(6)    NOT NULL,
    updated_at      DATETIME(6)    NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY pay_refunds_idempotency (idempotency_key, dialect),
    UNIQUE KEY pay_refunds_revision (order_id, revision),
    UNIQUE KEY pay_refunds_ref (ref, dialect),
    KEY pay_refunds_created (dialect, created_at),
    CONSTRAINT pay_refunds_order FOREIGN KEY (order_id) REFERENCES pay_orders (id),
    CONSTRAINT pay_refunds_status CHECK (status IN ('pending', 'done', 'failed')),
    CONSTRAINT pay_refunds_amount CHECK (amount > 0)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
