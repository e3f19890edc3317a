-- +goose Up
-- What was announced of a revision, written in the transaction that made the
-- revision: one event, or several, or none, as the provider does. The body is
-- kept as bytes: every delivery of the event sends these.
CREATE TABLE pay_order_events (
    seq        BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    id         CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    dialect    VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'stablein',
    order_id   CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    revision   BIGINT UNSIGNED NOT NULL,
    type       VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    body       MEDIUMBLOB      NOT NULL,
    created_at DATETIME(6)     NOT NULL,
    PRIMARY KEY (seq),
    UNIQUE KEY pay_order_events_id (id),
    UNIQUE KEY pay_order_events_revision (order_id, revision, type),
    KEY pay_order_events_created (dialect, created_at, seq),
    CONSTRAINT pay_order_events_order FOREIGN KEY (order_id) REFERENCES pay_orders (id)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
