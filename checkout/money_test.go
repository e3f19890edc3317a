package checkout_test

import (
	"testing"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
)

// report is what a provider says about one of an order's two payments.
type report struct {
	payment            int // 0 or 1
	revision           int64
	received, refunded int64
}

// takes applies the report; a payment whose refund reaches its price is called full.
func (r report) takes(s *shoptest.Shop, refs []string) {
	s.Helper()
	snapshot := snapshotOf(refs[r.payment], r.revision, payment.Paid)
	snapshot.Received, snapshot.Refunded = payment.NewAmount(r.received), payment.NewAmount(r.refunded)
	switch {
	case r.refunded >= 50000:
		snapshot.RefundStatus = payment.FullyRefunded
	case r.refunded > 0:
		snapshot.RefundStatus = payment.PartiallyRefunded
	}
	if _, err := apply(s, snapshot); err != nil {
		s.Fatal(err)
	}
}

// TestMoneyDecidesWhoHoldsALicense walks orders with two payments of 50000 each
// through what can come of them.
func TestMoneyDecidesWhoHoldsALicense(t *testing.T) {
	t.Parallel()
	const deliver = -1 // lets the workers run
	settle := report{payment: deliver}
	tests := map[string]struct {
		reports           []report
		license           string // its status; empty: none
		refund            payment.RefundStatus
		surplus, delivery string
	}{
		"the first goes back before the delivery": {
			[]report{{0, 5, 50000, 0}, {1, 2, 50000, 0}, {0, 6, 50000, 50000}, settle}, "active", "none", "0", store.DeliveryDone},
		"the first was known only as gone back": {
			[]report{{0, 3, 50000, 50000}, {1, 2, 50000, 0}, settle}, "active", "none", "0", store.DeliveryDone},
		"the same in the other order": {
			[]report{{1, 2, 50000, 0}, {0, 3, 50000, 50000}, settle}, "active", "none", "0", store.DeliveryDone},
		"double paid and half of it back, then the other": {
			[]report{{0, 2, 100000, 0}, {1, 2, 50000, 0}, settle, {0, 3, 100000, 50000}, {1, 3, 50000, 50000}}, "active", "none", "0", store.DeliveryDone},
		"late money after a full refund is owed": {
			[]report{{0, 2, 50000, 0}, settle, {0, 3, 50000, 50000}, {0, 4, 100000, 50000}}, "revoked", "full", "50000", store.DeliveryRevoked},
		"a second payment after a full refund is owed and brings nothing back": {
			[]report{{0, 2, 50000, 0}, settle, {0, 3, 50000, 50000}, {1, 2, 50000, 0}, settle}, "revoked", "full", "50000", store.DeliveryRevoked},
		"a part goes back and more arrives": {
			[]report{{0, 2, 50000, 0}, settle, {0, 3, 50000, 20000}, {0, 4, 70000, 20000}}, "active", "partial", "20000", store.DeliveryDone},
		"both go back": {
			[]report{{0, 2, 50000, 0}, {1, 2, 50000, 0}, settle, {1, 3, 50000, 50000}, {0, 3, 50000, 50000}}, "revoked", "full", "0", store.DeliveryRevoked},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := shoptest.New(t)
			order, first := s.Buy(1)
			overdue(s, order.ID)
			refs := []string{first, payAgain(s, order.ID)}
			for _, r := range tt.reports {
				if r.payment == deliver {
					s.Settle()
					continue
				}
				r.takes(s, refs)
			}
			o, license := s.Order(order.ID), ""
			for _, l := range s.Licenses(order.ID) {
				license += l.Status
			}
			if license != tt.license || o.RefundStatus != tt.refund || o.SurplusAmount.String() != tt.surplus || o.FulfillmentStatus != tt.delivery {
				t.Errorf("license %q, refund %s, surplus %s, %s; want %q, %s, %s, %s", license, o.RefundStatus, o.SurplusAmount, o.FulfillmentStatus,
					tt.license, tt.refund, tt.surplus, tt.delivery)
			}
		})
	}
}

func TestAReopenedOrderIsPaidByTheMoneyThatIsThere(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	overdue(s, order.ID)
	refs := []string{first, payAgain(s, order.ID)}
	s.Cancel(order.ID)
	for _, r := range []report{{0, 2, 50000, 0}, {0, 3, 50000, 50000}, {1, 2, 50000, 0}} {
		r.takes(s, refs)
	}
	s.Reopen(order.ID)
	s.Settle()
	if o := s.Order(order.ID); o.FulfillmentStatus != store.DeliveryDone || o.RefundStatus != payment.NotRefunded || len(s.Licenses(order.ID)) != 1 {
		t.Errorf("%s, refund %s, %d licenses", o.FulfillmentStatus, o.RefundStatus, len(s.Licenses(order.ID)))
	}
}

func TestAnOutdatedReadEndsNoReview(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	for _, r := range []report{{0, 5, 50000, 0}, {0, 6, 50000, 60000}, {0, 5, 50000, 0}} {
		r.takes(s, []string{ref})
	}
	s.Settle()
	if o := s.Order(order.ID); store.Deref(o.ReviewReason) != payment.RefundExceedsPayment || len(s.Licenses(order.ID)) != 0 {
		t.Errorf("review %q, %d licenses", store.Deref(o.ReviewReason), len(s.Licenses(order.ID)))
	}
}

func TestARefusedSecondPaymentIsListedThoughTheFirstDelivers(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, first := s.Buy(1)
	overdue(s, order.ID)
	second := payAgain(s, order.ID)
	for _, r := range []report{{0, 2, 50000, 0}, {1, 2, 10, 0}} {
		r.takes(s, []string{first, second})
	}
	s.Settle()
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses", n)
	}
	if n := s.Count("SELECT COUNT(*) FROM shop_order_revisions WHERE kind = 'review'"); n != 1 {
		t.Errorf("%d rows of the history tell of the refusal", n)
	}
	people, err := s.DB.CountOrdersToLookAt(t.Context())
	if err != nil || people.UnderReview != 1 {
		t.Errorf("%d orders to look at, %v", people.UnderReview, err)
	}
}

func TestAnOrphansNewerRecordIsNotOvertakenByAnOlderRead(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, _ := s.Buy(1)
	const ref = "44444444-0000-4000-8000-000000000077"
	known := snapshotOf(ref, 5, payment.Paid)
	known.Refunded, known.RefundStatus = known.Received, payment.FullyRefunded
	if out, err := apply(s, known); err != nil || out.Order != nil {
		t.Fatalf("the orphan belongs to %v, %v", out.Order, err)
	}
	older := snapshotOf(ref, 4, payment.Paid)
	older.OrderRef = order.ID
	if _, err := apply(s, older); err == nil {
		t.Error("a read from before the refund was taken")
	}
	s.Settle()
	if n := len(s.Licenses(order.ID)); n != 0 {
		t.Errorf("%d licenses for money that has gone back", n)
	}
}

func TestOnlyTheWordsThatWeWriteNameAnAttempt(t *testing.T) {
	t.Parallel()
	const id = "01a22c68-cdef-74df-af31-916e2ecb082d"
	for ref, want := range map[string]int{id: 1, id + "/2": 2, id + "/17": 17, id + "/1": 0, id + "/02": 0, id + "/+2": 0, id + "/": 0,
		"/2": 0, id + "/999999999999999999999": 0, "invoice 7": 0, "": 0} {
		got, attempt := checkout.ParseOrderRef(ref)
		if attempt != want || (got != "") != (want > 0) {
			t.Errorf("%q is read as %q, %d", ref, got, attempt)
		}
	}
}
