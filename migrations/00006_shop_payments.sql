-- What we have recorded of a provider's payment. One without an order is money that
-- names no order of ours: a person has to look at it.

-- +goose Up
CREATE TABLE shop_payments (
    id                   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    order_id             CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    attempt              INT UNSIGNED NULL,
    provider             VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    provider_ref         VARBINARY(255) NULL,
    idempotency_key      VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL,
    payment_url          VARCHAR(2000) NULL,
    status               VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'pending',
    refund_status        VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'none',
    amount               DECIMAL(65,0) NOT NULL,
    currency             VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    received             DECIMAL(65,0) NOT NULL DEFAULT 0,
    refunded             DECIMAL(65,0) NOT NULL DEFAULT 0,
    confirmations        INT UNSIGNED NOT NULL DEFAULT 0,
    review_reason        VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
    refused_revision     DECIMAL(65,0) NULL,
    reviewed_revision    DECIMAL(65,0) NULL,
    fulfillment_decision VARCHAR(32) NOT NULL DEFAULT '',
    service_status       VARCHAR(32) NOT NULL DEFAULT '',
    chain_enforcement    VARCHAR(32) NOT NULL DEFAULT '',
    risk_assessed_at     DATETIME(6) NULL,
    risk_valid_until     DATETIME(6) NULL,
    provider_revision    DECIMAL(65,0) NOT NULL DEFAULT 0,
    row_version          BIGINT UNSIGNED NOT NULL DEFAULT 1,
    created_at           DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    updated_at           DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    checked_at           DATETIME(6) NULL,
    UNIQUE KEY provider_ref (provider, provider_ref),
    UNIQUE KEY idempotency_key (idempotency_key),
    UNIQUE KEY attempt (order_id, attempt),
    KEY open_payments (status, updated_at),
    KEY review (review_reason),
    CONSTRAINT payment_order FOREIGN KEY (order_id) REFERENCES shop_orders (id),
    CONSTRAINT payment_status_known CHECK (status IN ('pending', 'confirming', 'paid', 'failed', 'expired')),
    CONSTRAINT payment_refund_known CHECK (refund_status IN ('none', 'partial', 'full')),
    CONSTRAINT payment_amounts CHECK (received >= 0 AND refunded >= 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_payments;
