package payflow_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestASnapshotIsReadWhole(t *testing.T) {
	t.Parallel()
	f := &fake{payments: []record{paid(ours).with(record{
		"refundedTotal": 1500,
		"refunds": []any{
			record{"id": "pf_re_1", "amount": 1000, "status": "success"}, record{"id": "pf_re_2", "amount": 500, "status": "pending"}, record{"id": "pf_re_3", "amount": 300, "status": "failed"},
		},
		"disputes": []any{record{"id": "pf_dp_1", "amount": 4999, "status": "won"}, record{"id": "pf_dp_2", "amount": 4999, "status": "open"}, record{"id": "pf_dp_3", "amount": 1, "status": "lost"}},
		"network":  "x",
	})}}
	got, err := f.adapter(t).Fetch(t.Context(), ours)
	if err != nil {
		t.Fatal(err)
	}
	want := payment.Snapshot{
		Ref: ours, OrderRef: ours, Status: payment.Paid, RefundStatus: payment.PartiallyRefunded, Amount: paise(4999), Received: paise(4999), Refunded: paise(1500),
		Reversed: paise(300), Currency: "INR", Risk: payment.NotAssessed(),
		Refunds: []payment.Refund{
			{Ref: "pf_re_1", Amount: paise(1000), Status: payment.RefundDone}, {Ref: "pf_re_2", Amount: paise(500), Status: payment.RefundPending}, {Ref: "pf_re_3", Amount: paise(300), Status: payment.RefundFailed},
		},
		Disputes: []payment.Dispute{
			{Ref: "pf_dp_1", Amount: paise(4999), Status: payment.DisputeWon}, {Ref: "pf_dp_2", Amount: paise(4999), Status: payment.DisputeOpen}, {Ref: "pf_dp_3", Amount: paise(1), Status: payment.DisputeLost},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAbsentTotalsFollowFromTheState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		changes  record
		status   payment.Status
		received int64
		refund   payment.RefundStatus
	}{
		{record{"status": "pending", "received": 0}, payment.Pending, 0, payment.NotRefunded},
		{record{"status": "pending", "received": 1000}, payment.Pending, 1000, payment.NotRefunded},
		{record{"status": "processing", "received": nil}, payment.Confirming, 0, payment.NotRefunded},
		{record{"status": "authorized", "received": nil}, payment.Authorised, 0, payment.NotRefunded},
		{record{"status": "failed", "received": nil}, payment.Failed, 0, payment.NotRefunded},
		{record{"status": "expired", "received": nil}, payment.Expired, 0, payment.NotRefunded},
		{record{"received": nil}, payment.Paid, 4999, payment.NotRefunded},
		{record{"received": 4998}, payment.Paid, 4998, payment.NotRefunded}, // payment.Next refuses it
		{record{"refundedTotal": 1, "refunds": nil}, payment.Paid, 4999, payment.PartiallyRefunded},
		{record{"refundedTotal": 4999, "refunds": nil, "disputes": nil, "updatedAt": nil}, payment.Paid, 4999, payment.FullyRefunded},
		{record{"refundedTotal": nil, "refunds": nil}, payment.Paid, 4999, payment.NotRefunded},
	} {
		f := &fake{payments: []record{paid(ours).with(c.changes)}}
		s, err := f.adapter(t).Fetch(t.Context(), ours)
		if err != nil || s.Status != c.status || !s.Received.Equal(paise(c.received)) || s.RefundStatus != c.refund {
			t.Errorf("%v: %+v, %v", c.changes, s, err)
		}
	}
}

func TestAnswersInDoubtAreForLater(t *testing.T) {
	t.Parallel()
	for name, changes := range map[string]record{
		"another payment":         {"orderId": "other"},
		"no order":                {"orderId": nil},
		"no amount":               {"amount": nil},
		"an amount in a text":     {"amount": "4999"},
		"an amount with decimals": {"amount": 49.99},
		"no currency":             {"currency": nil},
		"an unknown currency":     {"currency": "XYZ"},
		"a small currency":        {"currency": "inr"},
		"no status":               {"status": nil},
		"an unknown status":       {"status": "dancing"},
		"our word for it":         {"status": "paid"},
		"a total without refunds": {"refundedTotal": 1},
		"a total that is less":    {"refundedTotal": 1, "refunds": []any{record{"id": "r", "amount": 2, "status": "success"}}},
		"a total that is more":    {"refundedTotal": 3, "refunds": []any{record{"id": "r", "amount": 2, "status": "pending"}}},
		"a failed one counted":    {"refundedTotal": 2, "refunds": []any{record{"id": "r", "amount": 2, "status": "failed"}}},
		"an odd refund":           {"refunds": []any{record{"id": "r", "amount": 0, "status": "dancing"}}},
		"a refund without id":     {"refunds": []any{record{"amount": 0, "status": "success"}}},
		"a refund that is null":   {"refunds": []any{nil}},
		"an odd dispute":          {"disputes": []any{record{"id": "d", "amount": 0, "status": "dancing"}}},
		"disputes in an object":   {"disputes": record{}},
		"a time in a text":        {"updatedAt": "2026-01-01T00:00:00Z"},
		"a name in another case":  {"Amount": 1},
	} {
		f := &fake{before: func(w http.ResponseWriter, r *http.Request) bool { answer(w, paid(ours).with(changes)); return true }}
		s, err := f.adapter(t).Fetch(t.Context(), ours)
		if !errors.Is(err, payment.ErrLater) || s.Ref != "" {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		quiet(t, err)
	}
}
