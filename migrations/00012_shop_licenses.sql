-- What buyers hold: one license per order line and unit, ever. The key itself is not
-- kept, only its hash; it can be derived again from the id.

-- +goose Up
CREATE TABLE shop_licenses (
    id           CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    order_id     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    line_no      INT UNSIGNED NOT NULL,
    unit_no      INT UNSIGNED NOT NULL,
    product_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    key_hash     BINARY(32) NOT NULL,
    status       VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'active',
    reason       VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL,
    issued_at    DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    suspended_at DATETIME(6) NULL,
    revoked_at   DATETIME(6) NULL,
    UNIQUE KEY unit (order_id, line_no, unit_no),
    UNIQUE KEY key_hash (key_hash),
    CONSTRAINT license_line FOREIGN KEY (order_id, line_no) REFERENCES shop_order_lines (order_id, line_no),
    CONSTRAINT license_product FOREIGN KEY (product_id) REFERENCES shop_products (id),
    CONSTRAINT license_status CHECK (status IN ('active', 'suspended', 'revoked')),
    CONSTRAINT license_revoked_has_a_time CHECK (status <> 'revoked' OR revoked_at IS NOT NULL)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_licenses;
