-- One row an order; locked before anything of the order is written (promise 6).
-- cart_id is unique: however often "Pay" is pressed, a cart becomes one order.

-- +goose Up
CREATE TABLE shop_orders (
    id                   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    number               VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    cart_id              CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    token_hash           BINARY(32) NOT NULL,
    token_version        INT UNSIGNED NOT NULL DEFAULT 1,
    email                VARCHAR(254) NOT NULL,
    total                DECIMAL(65,0) NOT NULL,
    currency             VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    payment_status       VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'pending',
    refund_status        VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'none',
    fulfillment_status   VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'none',
    review_reason        VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
    received_amount      DECIMAL(65,0) NOT NULL DEFAULT 0,
    refunded_amount      DECIMAL(65,0) NOT NULL DEFAULT 0,
    surplus_amount       DECIMAL(65,0) NOT NULL DEFAULT 0,
    paid_by              CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    fulfillment_decision VARCHAR(32) NOT NULL DEFAULT '',
    service_status       VARCHAR(32) NOT NULL DEFAULT '',
    chain_enforcement    VARCHAR(32) NOT NULL DEFAULT '',
    risk_assessed_at     DATETIME(6) NULL,
    risk_valid_until     DATETIME(6) NULL,
    revision             BIGINT UNSIGNED NOT NULL DEFAULT 1,
    placed_at            DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    expires_at           DATETIME(6) NOT NULL,
    paid_at              DATETIME(6) NULL,
    delivered_at         DATETIME(6) NULL,
    cancelled_at         DATETIME(6) NULL,
    mail_refused_at      DATETIME(6) NULL,
    UNIQUE KEY number (number),
    UNIQUE KEY cart_id (cart_id),
    UNIQUE KEY token_hash (token_hash),
    KEY expiry (payment_status, expires_at),
    KEY undelivered (fulfillment_status, paid_at),
    KEY placed_at (placed_at),
    KEY review (review_reason),
    CONSTRAINT order_cart FOREIGN KEY (cart_id) REFERENCES shop_carts (id),
    CONSTRAINT order_total CHECK (total > 0),
    CONSTRAINT order_payment_status CHECK (payment_status IN ('pending', 'confirming', 'paid', 'failed', 'expired', 'cancelled')),
    CONSTRAINT order_refund_status CHECK (refund_status IN ('none', 'partial', 'full')),
    CONSTRAINT order_fulfillment_status CHECK (fulfillment_status IN ('none', 'waiting', 'delivered', 'withheld', 'revoked')),
    CONSTRAINT order_paid_has_a_time CHECK (payment_status <> 'paid' OR paid_at IS NOT NULL),
    CONSTRAINT order_delivered_was_paid CHECK (delivered_at IS NULL OR paid_at IS NOT NULL)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_orders;
