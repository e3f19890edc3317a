-- Where mails land when no mail server is configured: the demo's mailbox page.

-- +goose Up
CREATE TABLE shop_mailbox (
    seq        BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    message_id VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    recipient  VARCHAR(254) NOT NULL,
    subject    VARCHAR(300) NOT NULL,
    raw        MEDIUMBLOB NOT NULL,
    sent       INT UNSIGNED NOT NULL DEFAULT 1,
    created_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    UNIQUE KEY message_id (message_id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;

-- +goose Down
DROP TABLE shop_mailbox;
