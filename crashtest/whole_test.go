package crashtest_test

import (
	"testing"

	"onceshop/shoptest"
)

// halves are what a transaction that was committed in part would leave: each query
// counts rows that lack their other half.
var halves = map[string]string{
	"events without their bytes": `SELECT COUNT(*) FROM shop_events e LEFT JOIN shop_event_payloads p USING (provider, event_id)
		WHERE p.event_id IS NULL`,
	"orders without lines, payment or first revision": `SELECT COUNT(*) FROM shop_orders o
		WHERE NOT EXISTS (SELECT 1 FROM shop_order_lines l WHERE l.order_id = o.id)
		   OR NOT EXISTS (SELECT 1 FROM shop_payments p WHERE p.order_id = o.id)
		   OR NOT EXISTS (SELECT 1 FROM shop_order_revisions r WHERE r.order_id = o.id AND r.revision = 1)`,
	"orders whose history isn't as long as their revision": `SELECT COUNT(*) FROM shop_orders o
		WHERE o.revision <> (SELECT COUNT(*) FROM shop_order_revisions r WHERE r.order_id = o.id)
		   OR o.revision <> (SELECT MAX(r.revision) FROM shop_order_revisions r WHERE r.order_id = o.id)`,
	"orders that are paid without a payment, or the other way round": `SELECT COUNT(*) FROM shop_orders o
		WHERE (o.payment_status = 'paid') <> EXISTS (SELECT 1 FROM shop_payments p WHERE p.order_id = o.id AND p.status = 'paid')`,
	"bookings whose event isn't settled": `SELECT COUNT(*) FROM shop_order_revisions r JOIN shop_events e ON e.seq = r.event_seq
		WHERE e.status <> 'done' OR e.verdict <> 'applied'`,
	"settled events that changed nothing": `SELECT COUNT(*) FROM shop_events e
		WHERE e.verdict = 'applied' AND NOT EXISTS (SELECT 1 FROM shop_order_revisions r WHERE r.event_seq = e.seq)`,
	"orders that wait for jobs that aren't there": `SELECT COUNT(*) FROM shop_orders o WHERE o.fulfillment_status = 'waiting'
		AND NOT EXISTS (SELECT 1 FROM shop_fulfillment_outbox j WHERE j.order_id = o.id AND j.kind = 'issue_license')`,
	"licenses whose job isn't done, or the other way round": `SELECT COUNT(*) FROM shop_fulfillment_outbox j
		WHERE j.kind = 'issue_license' AND (j.status = 'done') <> EXISTS (SELECT 1 FROM shop_licenses l
			WHERE j.operation_key = CONCAT('issue-license:', l.order_id, ':', l.line_no, ':', l.unit_no))`,
	"orders that are delivered without a license and a mail to send": `SELECT COUNT(*) FROM shop_orders o WHERE o.fulfillment_status = 'delivered'
		AND (NOT EXISTS (SELECT 1 FROM shop_licenses l WHERE l.order_id = o.id)
		  OR NOT EXISTS (SELECT 1 FROM shop_fulfillment_outbox j WHERE j.order_id = o.id AND j.kind = 'send_licenses_mail'))`,
	"licenses that outlive a full refund": `SELECT COUNT(*) FROM shop_licenses l JOIN shop_orders o ON o.id = l.order_id
		WHERE (o.refund_status = 'full') <> (l.status = 'revoked')`,
	"refused mails whose order doesn't know": `SELECT COUNT(*) FROM shop_fulfillment_outbox j JOIN shop_orders o ON o.id = j.order_id
		WHERE (j.status = 'undeliverable') <> (o.mail_refused_at IS NOT NULL) AND j.kind = 'send_licenses_mail'`,
}

// allOrNothing demands that no transaction was committed in part.
func allOrNothing(t testing.TB, s *shoptest.Shop) {
	t.Helper()
	for what, query := range halves {
		if n := s.Count(query); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
}
