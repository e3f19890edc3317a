-- What was bought, at the name and price of that moment.

-- +goose Up
CREATE TABLE shop_order_lines (
    order_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    line_no    INT UNSIGNED NOT NULL,
    product_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name       VARCHAR(200) NOT NULL,
    unit_price DECIMAL(65,0) NOT NULL,
    quantity   INT UNSIGNED NOT NULL,
    PRIMARY KEY (order_id, line_no),
    CONSTRAINT order_line_order FOREIGN KEY (order_id) REFERENCES shop_orders (id),
    CONSTRAINT order_line_product FOREIGN KEY (product_id) REFERENCES shop_products (id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_order_lines;
