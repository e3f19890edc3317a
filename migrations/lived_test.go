package migrations_test

import (
	"database/sql"
	"io/fs"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"onceshop/migrations"
)

// lived fills a database as a shop does that was stopped in the middle of its
// work: a paid order, its event, a license, and a job nobody has leased yet.
var lived = []string{
	`INSERT INTO shop_products (id, slug, name, summary, description, price, currency, activation_limit, position)
	 VALUES ('product', 'editor', 'Editor', 'Writes', 'Writes well', 4900, 'USD', 3, 1)`,
	`INSERT INTO shop_carts (id, token_hash) VALUES ('cart', REPEAT('c', 32))`,
	`INSERT INTO shop_cart_lines (cart_id, product_id, quantity) VALUES ('cart', 'product', 2)`,
	`INSERT INTO shop_orders (id, number, cart_id, token_hash, email, total, currency, payment_status, fulfillment_status, expires_at, paid_at)
	 VALUES ('order', '1001', 'cart', REPEAT('o', 32), 'ann@example.com', 9800, 'USD', 'paid', 'waiting', '2030-01-01', '2029-12-31 23:59:59.123456')`,
	`INSERT INTO shop_order_lines (order_id, line_no, product_id, name, unit_price, quantity) VALUES ('order', 1, 'product', 'Editor', 4900, 2)`,
	`INSERT INTO shop_payments (id, order_id, attempt, provider, provider_ref, idempotency_key, status, amount, currency, received, provider_revision)
	 VALUES ('payment', 'order', 1, 'stablein', 'pay_1', 'order-1', 'paid', 9800, 'USD', 9800, 3)`,
	`INSERT INTO shop_events (provider, event_id, event_type, event_revision, payment_ref, order_ref, order_id, payload_hash, key_id, verdict, status)
	 VALUES ('stablein', 'evt_1', 'payment.paid', 3, 'pay_1', '1001', 'order', REPEAT('h', 32), 'current', 'applied', 'done')`,
	`INSERT INTO shop_events (provider, event_id, event_type, event_revision, payment_ref, order_ref, payload_hash, key_id)
	 VALUES ('stablein', 'evt_2', 'payment.paid', 4, 'pay_1', '1001', REPEAT('i', 32), 'current')`,
	`INSERT INTO shop_event_payloads (provider, event_id, body) VALUES ('stablein', 'evt_1', '{"id":"evt_1"}')`,
	`INSERT INTO shop_event_conflicts (provider, event_id, payload_hash, key_id) VALUES ('stablein', 'evt_1', REPEAT('x', 32), 'current')`,
	`INSERT INTO shop_order_revisions (order_id, revision, kind, source, actor, changes) VALUES ('order', 1, 'placed', 'checkout', 'buyer', '{}')`,
	`INSERT INTO shop_fulfillment_outbox (operation_key, order_id, kind, payload) VALUES ('issue-license:order:1:2', 'order', 'issue-license', '{"unit":2}')`,
	`INSERT INTO shop_licenses (id, order_id, line_no, unit_no, product_id, key_hash) VALUES ('license', 'order', 1, 1, 'product', REPEAT('k', 32))`,
	`INSERT INTO shop_refunds (provider, provider_ref, payment_id, amount, status) VALUES ('stablein', 're_1', 'payment', 100, 'done')`,
	`INSERT INTO shop_disputes (provider, provider_ref, payment_id, amount, status) VALUES ('stablein', 'dp_1', 'payment', 100, 'won')`,
	`INSERT INTO shop_audit_log (actor, action, subject, result) VALUES ('anna', 'cancel', 'order', 'cancelled')`,
	`INSERT INTO shop_mailbox (message_id, recipient, subject, raw) VALUES ('<1@shop>', 'ann@example.com', 'Your license', 'text')`,
}

// list returns the migrations' file names, oldest first.
func list(t *testing.T) []string {
	t.Helper()
	files, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil || len(files) < 2 {
		t.Fatalf("%d migrations, %v", len(files), err)
	}
	return files
}

// first returns a file system with these migrations alone.
func first(t *testing.T, files []string) fs.FS {
	t.Helper()
	some := fstest.MapFS{}
	for _, file := range files {
		text, err := fs.ReadFile(migrations.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		some[file] = &fstest.MapFile{Data: text}
	}
	return some
}

// columnsByTable lists the columns of all filled tables, so that columns added
// later don't count as a change.
func columnsByTable(t *testing.T, db *sql.DB) map[string]string {
	t.Helper()
	all, err := records(t.Context(), db, `SELECT table_name, CONCAT(column_name) FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name LIKE 'shop\_%' ORDER BY table_name, ordinal_position`)
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string]string{}
	for _, c := range all {
		if columns[c[0]] != "" {
			columns[c[0]] += ", "
		}
		columns[c[0]] += "`" + c[1] + "`"
	}
	for _, table := range slices.Collect(maps.Keys(columns)) {
		if one[int](t, db, "SELECT COUNT(*) FROM `"+table+"`") == 0 {
			t.Errorf("%s has no row: lived should have one for each table", table)
		}
	}
	return columns
}
