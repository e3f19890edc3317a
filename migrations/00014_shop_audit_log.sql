-- What a person did, and what came of it.

-- +goose Up
CREATE TABLE shop_audit_log (
    seq        BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    actor      VARCHAR(100) NOT NULL,
    action     VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject    VARCHAR(300) NOT NULL,
    result     VARCHAR(300) NOT NULL,
    created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    KEY subject (subject)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_audit_log;
