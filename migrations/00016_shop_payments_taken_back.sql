-- What a provider takes back is a fact with a total of its own, so that refunds and
-- money that arrived never shrink by themselves (promise 5): refunded + reversed and
-- received + taken_back only grow.
--
-- Not every provider counts revisions. What a person has looked at is therefore known
-- by a digest of what was refused, not by its revision.

-- +goose Up
ALTER TABLE shop_payments
    ADD COLUMN reversed DECIMAL(65,0) NOT NULL DEFAULT 0 AFTER refunded,
    ADD COLUMN taken_back DECIMAL(65,0) NOT NULL DEFAULT 0 AFTER reversed,
    ADD COLUMN dispute_status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'none' AFTER refund_status,
    ADD COLUMN refused_digest BINARY(32) NULL AFTER refused_revision,
    ADD COLUMN reviewed_digest BINARY(32) NULL AFTER refused_digest,
    DROP COLUMN reviewed_revision,
    DROP CONSTRAINT payment_status_known,
    ADD CONSTRAINT payment_state_known CHECK (status IN ('pending', 'confirming', 'authorised', 'paid', 'failed', 'expired')),
    ADD CONSTRAINT payment_dispute_known CHECK (dispute_status IN ('none', 'open', 'won', 'lost')),
    ADD CONSTRAINT payment_taken_back CHECK (reversed >= 0 AND taken_back >= 0);

-- +goose Down
ALTER TABLE shop_payments
    DROP CONSTRAINT payment_state_known,
    DROP CONSTRAINT payment_dispute_known,
    DROP CONSTRAINT payment_taken_back,
    DROP COLUMN reversed,
    DROP COLUMN taken_back,
    DROP COLUMN dispute_status,
    DROP COLUMN refused_digest,
    DROP COLUMN reviewed_digest,
    ADD COLUMN reviewed_revision DECIMAL(65,0) NULL AFTER refused_revision,
    ADD CONSTRAINT payment_status_known CHECK (status IN ('pending', 'confirming', 'paid', 'failed', 'expired'));
