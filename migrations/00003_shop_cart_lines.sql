-- What is in a cart.

-- +goose Up
CREATE TABLE shop_cart_lines (
    cart_id    CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    product_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    quantity   INT UNSIGNED NOT NULL,
    created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    PRIMARY KEY (cart_id, product_id),
    CONSTRAINT cart_line_cart FOREIGN KEY (cart_id) REFERENCES shop_carts (id) ON DELETE CASCADE,
    CONSTRAINT cart_line_product FOREIGN KEY (product_id) REFERENCES shop_products (id),
    CONSTRAINT cart_line_quantity CHECK (quantity BETWEEN 1 AND 99)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_cart_lines;
