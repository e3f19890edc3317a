-- +goose Up
-- Where the events of one dialect are sent. A removed endpoint keeps its row for its deliveries.
CREATE TABLE pay_webhook_endpoints (
    id              CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    dialect         VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'stablein',
    url             VARBINARY(2048) NOT NULL,
    secret          VARBINARY(255)  NOT NULL,
    previous_secret VARBINARY(255)  NULL,
    faults          JSON            NULL, -- NULL: the general switches of pay_faults
    created_at      DATETIME(6)     NOT NULL,
    removed_at      DATETIME(6)     NULL,
    PRIMARY KEY (id),
    UNIQUE KEY pay_webhook_endpoints_url (url)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
