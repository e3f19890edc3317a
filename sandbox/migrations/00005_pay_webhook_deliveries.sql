-- +goose Up
-- The queue of sends: one row per event and endpoint, and one for every copy
-- that a fault or a person asked for. The lease columns belong to package lease.
CREATE TABLE pay_webhook_deliveries (
    seq             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    endpoint_id     CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    event_id        CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id        CHAR(36)        CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind            VARCHAR(16)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    faults          JSON            NULL, -- NULL: the endpoint's
    created_at      DATETIME(6)     NOT NULL,
    status          VARCHAR(16)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempts        INT UNSIGNED    NOT NULL DEFAULT 0,
    next_attempt_at DATETIME(6)     NOT NULL,
    lease_owner     VARCHAR(64)    CHARACTER SET ascii COLLATE ascii_bin NULL,
    lease_until     DATETIME(6)     NULL,
    lease_version   BIGINT UNSIGNED NOT NULL DEFAULT 0,
    last_error      VARCHAR(500)   NULL,
    PRIMARY KEY (seq),
    KEY pay_webhook_deliveries_due (status, next_attempt_at),
    KEY pay_webhook_deliveries_leased (status, lease_until),
    KEY pay_webhook_deliveries_event (event_id),
    KEY pay_webhook_deliveries_order (order_id),
    CONSTRAINT pay_webhook_deliveries_endpoint FOREIGN KEY (endpoint_id) REFERENCES pay_webhook_endpoints (id),
    CONSTRAINT pay_webhook_deliveries_of_event FOREIGN KEY (event_id) REFERENCES pay_order_events (id),
    CONSTRAINT pay_webhook_deliveries_kind CHECK (kind IN ('event', 'duplicate', 'conflict', 'resend')),
    CONSTRAINT pay_webhook_deliveries_status CHECK (status IN ('pending', 'leased', 'done', 'dead', 'cancelled'))
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
