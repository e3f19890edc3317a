-- +goose Up
-- The past of orders: one row per revision with the whole record as it was then.
-- A repeated request is answered from here, and so is everything while the API
-- is behind.
CREATE TABLE pay_order_revisions (
    order_id   CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    revision   BIGINT UNSIGNED NOT NULL,
    word       VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL, -- what happened
    record     MEDIUMBLOB      NOT NULL,
    created_at DATETIME(6)     NOT NULL,
    PRIMARY KEY (order_id, revision),
    CONSTRAINT pay_order_revisions_order FOREIGN KEY (order_id) REFERENCES pay_orders (id)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
