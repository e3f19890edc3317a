-- +goose Up
-- The general fault switches: at most one row. No row: nothing goes wrong.
CREATE TABLE pay_faults (
    id     TINYINT UNSIGNED NOT NULL,
    faults JSON             NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT pay_faults_one CHECK (id = 1)
) DEFAULT CHARSET = utf8mb4 COLLATE = utf8mb4_bin;
