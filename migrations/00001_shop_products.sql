-- The catalogue. Prices are whole minor units of their currency.

-- +goose Up
CREATE TABLE shop_products (
    id               CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    slug             VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name             VARCHAR(200) NOT NULL,
    summary          VARCHAR(300) NOT NULL,
    description      TEXT NOT NULL,
    price            DECIMAL(65,0) NOT NULL,
    currency         VARCHAR(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    activation_limit INT UNSIGNED NOT NULL,
    position         INT UNSIGNED NOT NULL,
    created_at       DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    withdrawn_at     DATETIME(6) NULL,
    UNIQUE KEY slug (slug),
    CONSTRAINT product_price_is_positive CHECK (price > 0)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_products;
