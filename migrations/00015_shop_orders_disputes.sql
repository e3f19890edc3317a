-- A payment may be authorised before it is taken, and disputed after it was paid. A
-- dispute is a fact of its own beside payment and refund: while one is open the
-- licenses are suspended, and a won one gives them back.

-- +goose Up
ALTER TABLE shop_orders
    ADD COLUMN dispute_status VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'none' AFTER refund_status,
    DROP CONSTRAINT order_payment_status,
    DROP CONSTRAINT order_fulfillment_status,
    ADD CONSTRAINT order_payment_known CHECK (payment_status IN ('pending', 'confirming', 'authorised', 'paid', 'failed', 'expired', 'cancelled')),
    ADD CONSTRAINT order_fulfillment_known CHECK (fulfillment_status IN ('none', 'waiting', 'delivered', 'withheld', 'suspended', 'revoked')),
    ADD CONSTRAINT order_dispute_known CHECK (dispute_status IN ('none', 'open', 'won', 'lost'));

-- +goose Down
ALTER TABLE shop_orders
    DROP CONSTRAINT order_payment_known,
    DROP CONSTRAINT order_fulfillment_known,
    DROP CONSTRAINT order_dispute_known,
    DROP COLUMN dispute_status,
    ADD CONSTRAINT order_payment_status CHECK (payment_status IN ('pending', 'confirming', 'paid', 'failed', 'expired', 'cancelled')),
    ADD CONSTRAINT order_fulfillment_status CHECK (fulfillment_status IN ('none', 'waiting', 'delivered', 'withheld', 'revoked'));
