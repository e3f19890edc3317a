-- +goose Up
-- What was sent and what came back, one row per attempt; never changed.
CREATE TABLE pay_delivery_attempts (
    seq          BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    delivery_seq BIGINT UNSIGNED NOT NULL,
    attempt      INT UNSIGNED    NOT NULL,
    signed_at    BIGINT          NOT NULL, -- the timestamp header
    status_code  SMALLINT UNSIGNED NULL,   -- NULL: no answer
    duration_ms  INT UNSIGNED    NOT NULL,
    error        VARCHAR(500)    NOT NULL,
    fault        VARCHAR(255)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at   DATETIME(6)     NOT NULL,
    PRIMARY KEY (seq),
    KEY pay_delivery_attempts_delivery (delivery_seq),
    CONSTRAINT pay_delivery_attempts_of FOREIGN KEY (delivery_seq) REFERENCES pay_webhook_deliveries (seq)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
