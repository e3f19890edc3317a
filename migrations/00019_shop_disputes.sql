-- One row per dispute of the provider, by its reference.

-- +goose Up
CREATE TABLE shop_disputes (
    provider     VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    provider_ref VARBINARY(255) NOT NULL,
    payment_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    amount       DECIMAL(65,0) NOT NULL,
    reason       VARCHAR(100) NOT NULL DEFAULT '',
    status       VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at   DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    updated_at   DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    PRIMARY KEY (provider, provider_ref),
    KEY payment (payment_id),
    CONSTRAINT dispute_payment FOREIGN KEY (payment_id) REFERENCES shop_payments (id) ON DELETE CASCADE,
    CONSTRAINT dispute_known CHECK (status IN ('open', 'won', 'lost'))
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_disputes;
