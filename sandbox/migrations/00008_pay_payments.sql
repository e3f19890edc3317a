-- +goose Up
-- One row per attempt to pay an order: most providers keep a record of each.
CREATE TABLE pay_payments (
    id         CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    dialect    VARCHAR(32)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ref        VARBINARY(255) NULL, -- the provider's id, where it has one
    order_id   CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    number     INT UNSIGNED   NOT NULL, -- 1, 2, 3 within the order
    changed_in BIGINT UNSIGNED NOT NULL, -- revision of its last change
    amount     DECIMAL(65,0)  NOT NULL,
    captured   DECIMAL(65,0)  NOT NULL,
    status     VARCHAR(16)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(6)    NOT NULL,
    updated_at DATETIME(6)    NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY pay_payments_number (order_id, number),
    UNIQUE KEY pay_payments_ref (ref, dialect),
    KEY pay_payments_created (dialect, created_at),
    CONSTRAINT pay_payments_order FOREIGN KEY (order_id) REFERENCES pay_orders (id),
    CONSTRAINT pay_payments_status
        CHECK (status IN ('failed', 'confirming', 'authorised', 'captured', 'cancelled', 'expired', 'taken_back')),
    CONSTRAINT pay_payments_captured CHECK (captured >= 0 AND captured <= amount)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
