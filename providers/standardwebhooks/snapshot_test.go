package standardwebhooks_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestSnapshotIsReadWhole(t *testing.T) {
	t.Parallel()
	got, err := fetch(t, `{"payment_ref":"pay_0001","order_ref":"our-1","status":"paid","amount_minor":2500,"received_minor":2600,"refunded_total_minor":1000,
		"currency":"EUR","updated_at":"2026-01-01T02:00:01+01:00","more":1,"refunds":[{"refund_ref":"r1","amount_minor":600,"status":"done"},
		{"refund_ref":"r2","amount_minor":400,"status":"pending","more":1},{"refund_ref":"r3","amount_minor":70,"status":"failed"},{"refund_ref":"r4","amount_minor":7,"status":"failed"}],
		"disputes":[{"dispute_ref":"d1","amount_minor":2500,"reason":"fraudulent","status":"open"},{"dispute_ref":"d2","amount_minor":1,"status":"won"},{"dispute_ref":"d3","amount_minor":1,"status":"lost"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	n := payment.NewAmount
	want := payment.Snapshot{
		Ref: "our-1", OrderRef: "our-1", Status: payment.Paid, RefundStatus: payment.PartiallyRefunded, Amount: n(2500), Received: n(2600), Refunded: n(1000), Reversed: n(77),
		Refunds:  []payment.Refund{{Ref: "r1", Amount: n(600), Status: payment.RefundDone}, {Ref: "r2", Amount: n(400), Status: payment.RefundPending}, {Ref: "r3", Amount: n(70), Status: payment.RefundFailed}, {Ref: "r4", Amount: n(7), Status: payment.RefundFailed}},
		Disputes: []payment.Dispute{{Ref: "d1", Amount: n(2500), Reason: "fraudulent", Status: payment.DisputeOpen}, {Ref: "d2", Amount: n(1), Status: payment.DisputeWon}, {Ref: "d3", Amount: n(1), Status: payment.DisputeLost}},
		Currency: "EUR", Risk: payment.NotAssessed(),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAbsentAndNullMembersHaveAMeaning(t *testing.T) {
	t.Parallel()
	bare := `{"payment_ref":"pay_0001","status":"paid","amount_minor":2500,"currency":"EUR"}`
	nulls := strings.Replace(bare, `{`, `{"order_ref":null,"received_minor":null,"refunded_total_minor":null,"refunds":null,"disputes":null,"updated_at":null,`, 1)
	for _, answer := range []string{bare, nulls} {
		got, err := fetch(t, answer)
		want := payment.Snapshot{
			Ref: "pay_0001", Status: payment.Paid, RefundStatus: payment.NotRefunded, Amount: payment.NewAmount(2500), Received: payment.NewAmount(2500), Currency: "EUR", Risk: payment.NotAssessed(),
		}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	got, err := fetch(t, strings.Replace(bare, "paid", "authorised", 1))
	if err != nil || got.Received.Sign() != 0 || got.Status != payment.Authorised {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := fetch(t, strings.Replace(bare, "paid", "odd", 1)); err != nil || got.Status != "odd" {
		t.Errorf("an unknown status isn't passed on to a review: %+v, %v", got, err)
	}
}

// The snapshot's totals have to stand before payment.Next, whatever became of the
// refunds in between.
func TestRefundsThatFailAreReversed(t *testing.T) {
	t.Parallel()
	record := payment.Record{Amount: payment.NewAmount(2500), Currency: "EUR"}
	for _, step := range []struct {
		total, refunds string
		want           payment.RefundStatus
	}{
		{`0`, `[]`, payment.NotRefunded},
		{`1000`, `[{"refund_ref":"r1","amount_minor":1000,"status":"pending"}]`, payment.PartiallyRefunded},
		{`2500`, `[{"refund_ref":"r1","amount_minor":1000,"status":"done"},{"refund_ref":"r2","amount_minor":1500,"status":"pending"}]`, payment.FullyRefunded},
		{`1500`, `[{"refund_ref":"r1","amount_minor":1000,"status":"failed"},{"refund_ref":"r2","amount_minor":1500,"status":"done"}]`, payment.PartiallyRefunded},
		{`0`, `[{"refund_ref":"r1","amount_minor":1000,"status":"failed"},{"refund_ref":"r2","amount_minor":1500,"status":"failed"}]`, payment.NotRefunded},
	} {
		s, err := fetch(t, strings.Replace(recordJSON, `{`, `{"refunded_total_minor":`+step.total+`,"refunds":`+step.refunds+`,`, 1))
		if err != nil {
			t.Fatal(err)
		}
		d := payment.Next(record, s)
		if d.Verdict != payment.Applied || d.Record.RefundStatus != step.want {
			t.Fatalf("total %s: %s %s, refund status %q", step.total, d.Verdict, d.Reason, d.Record.RefundStatus)
		}
		record = d.Record
	}
}

func TestUnreadableAnswersAreForLater(t *testing.T) {
	t.Parallel()
	with := func(member string) string { return strings.Replace(recordJSON, `{`, `{`+member+`,`, 1) }
	for _, answer := range []string{
		``, `canary`, `null`, `[]`, `{}`, recordJSON + recordJSON, strings.Replace(recordJSON, `"status"`, `"Status"`, 1), `{"payment":` + recordJSON + `}`,
		strings.Replace(recordJSON, `"payment_ref":"pay_0001",`, ``, 1), strings.Replace(recordJSON, `"status":"paid",`, ``, 1), strings.Replace(recordJSON, `"amount_minor":2500,`, ``, 1), strings.Replace(recordJSON, `,"currency":"EUR"`, ``, 1),
		strings.Replace(recordJSON, `EUR`, `eur`, 1), strings.Replace(recordJSON, `EUR`, `XYZ`, 1), strings.Replace(recordJSON, `2500`, `"2500"`, 1), strings.Replace(recordJSON, `2500`, `25.00`, 1), strings.Replace(recordJSON, `2500`, `-2500`, 1),
		strings.Replace(recordJSON, `pay_0001`, `pay_0002`, 1), with(`"received_minor":1e9`), with(`"refunds":{}`), with(`"refunds":[null]`), with(`"refunds":[{"refund_ref":"r","amount_minor":1}]`),
		with(`"refunds":[{"refund_ref":"r","status":"done"}]`), with(`"refunds":[{"amount_minor":1,"status":"done"}]`), with(`"refunds":[{"refund_ref":"r","amount_minor":1,"status":"canary"}]`),
		with(`"refunds":[{"refund_ref":"r","amount_minor":1,"status":"done"},{"refund_ref":"r","amount_minor":1,"status":"failed"}]`),
		with(`"disputes":[{"dispute_ref":"d","amount_minor":1,"status":"none"}]`), with(`"disputes":[{"dispute_ref":"d","amount_minor":"1","status":"open"}]`), with(`"disputes":[{"amount_minor":1,"status":"open"}]`),
		with(`"disputes":[{"dispute_ref":"d","amount_minor":1,"status":"open"},{"dispute_ref":"d","amount_minor":1,"status":"won"}]`),
	} {
		s, err := fetch(t, answer)
		if !errors.Is(err, payment.ErrLater) || !cmp.Equal(s, payment.Snapshot{}) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %+v, %v", answer, s, err)
		}
		// What Fetch can't read, a page doesn't hold; another payment it may.
		if payments, next, err := answering(t, `{"payments":[`+answer+`]}`).List(t.Context(), time.Time{}, "", 0); !errors.Is(err, payment.ErrLater) && answer != "" && !strings.Contains(answer, "pay_0002") {
			t.Errorf("listed %s: %v %q, %v", answer, payments, next, err)
		}
	}
}

func TestAPaymentIsReadWhateverTheReasonOfItsDispute(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]string{
		"not as described": "not as described", "": "", " padded": "", "two\\nlines": "", strings.Repeat("x", 256): "",
	} {
		got, err := fetch(t, `{"payment_ref":"pay_0001","status":"paid","amount_minor":2500,"currency":"EUR",
			"disputes":[{"dispute_ref":"d1","amount_minor":2500,"reason":"`+reason+`","status":"open"}]}`)
		if err != nil || len(got.Disputes) != 1 || got.Disputes[0].Reason != want || got.Disputes[0].Status != payment.DisputeOpen {
			t.Errorf("%q: %+v, %v", reason, got.Disputes, err)
		}
	}
}
