-- +goose Up
-- One row per dispute: money that a buyer's bank claims back.
CREATE TABLE pay_disputes (
    id         CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    dialect    VARCHAR(32)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    ref        VARBINARY(255) NULL, -- the provider's id, where it has one
    order_id   CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payment_id CHAR(36)       CHARACTER SET ascii COLLATE ascii_bin NULL, -- what of the order is disputed
    changed_in BIGINT UNSIGNED NOT NULL, -- revision of its last change
    amount     DECIMAL(65,0)  NOT NULL,
    reason     VARCHAR(255)   NOT NULL,
    status     VARCHAR(16)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(6)    NOT NULL,
    updated_at DATETIME(6)    NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY pay_disputes_ref (ref, dialect),
    KEY pay_disputes_order (order_id, id),
    KEY pay_disputes_created (dialect, created_at),
    CONSTRAINT pay_disputes_order FOREIGN KEY (order_id) REFERENCES pay_orders (id),
    CONSTRAINT pay_disputes_status CHECK (status IN ('open', 'won', 'lost')),
    CONSTRAINT pay_disputes_amount CHECK (amount > 0)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
