-- One row per refund of the provider, by its reference: a refund counts once, however
-- often and through whomever we hear of it.

-- +goose Up
CREATE TABLE shop_refunds (
    provider     VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    provider_ref VARBINARY(255) NOT NULL,
    payment_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    amount       DECIMAL(65,0) NOT NULL,
    status       VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at   DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    updated_at   DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    PRIMARY KEY (provider, provider_ref),
    KEY payment (payment_id),
    CONSTRAINT refund_payment FOREIGN KEY (payment_id) REFERENCES shop_payments (id) ON DELETE CASCADE,
    CONSTRAINT refund_state_known CHECK (status IN ('pending', 'done', 'failed')),
    CONSTRAINT refund_amount CHECK (amount > 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_refunds;
