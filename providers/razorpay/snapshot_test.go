package razorpay_test

import (
	"fmt"
	"testing"

	"onceshop/payment"
)

func TestTheStatusIsTheBestOfAllAttempts(t *testing.T) {
	t.Parallel()
	const created, failed, authorised, captured = "created", "failed", "authorized", "captured"
	for _, c := range []struct {
		link     string
		attempts []string
		want     payment.Status
		received int64
	}{
		{"created", nil, payment.Pending, 0},
		{"created", []string{failed}, payment.Pending, 0},
		{"created", []string{created, failed}, payment.Pending, 0},
		{"created", []string{failed, authorised}, payment.Authorised, 0},
		{"created", []string{authorised, failed, created}, payment.Authorised, 0},
		{"paid", []string{failed, captured}, payment.Paid, 2500},
		{"paid", []string{captured, captured}, payment.Paid, 5000},
		{"paid", []string{captured, authorised}, payment.Paid, 2500},
		{"expired", nil, payment.Expired, 0},
		{"expired", []string{failed, created}, payment.Expired, 0},
		{"expired", []string{authorised}, payment.Authorised, 0},
		{"expired", []string{captured}, payment.Paid, 2500},
		{"cancelled", []string{failed}, payment.Failed, 0},
		{"cancelled", []string{captured}, payment.Paid, 2500},
	} {
		f := &fake{links: []record{link(c.link, 0)}, orders: []record{order(0)}}
		for i, status := range c.attempts {
			f.payments = append(f.payments, attempt(fmt.Sprintf("pay_%d", i), status))
		}
		s := fetch(t, f, ours)
		if s.Status != c.want || !s.Received.Equal(paise(c.received)) || s.RefundStatus != payment.NotRefunded {
			t.Errorf("link %s, attempts %v: %s with %s, want %s with %d", c.link, c.attempts, s.Status, s.Received, c.want, c.received)
		}
	}
}

func TestAPartIsNotPaid(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]payment.Status{"partially_paid": payment.Pending, "expired": payment.Expired} {
		f := &fake{links: []record{link(state, 1000)}, payments: []record{attempt("pay_1", "captured").with(record{"amount": 1000})}}
		if s := fetch(t, f, ours); s.Status != want || !s.Received.Equal(paise(1000)) || !s.Amount.Equal(paise(2500)) {
			t.Errorf("%s: %s with %s of %s", state, s.Status, s.Received, s.Amount)
		}
	}
}

func TestMoneyThatWasOnlyReservedIsNoRefund(t *testing.T) {
	t.Parallel()
	returned := attempt("pay_1", "refunded").with(record{"captured": false, "amount_refunded": 2500, "refund_status": "full"})
	for name, f := range map[string]*fake{
		"of a link":        {links: []record{link("created", 0)}, orders: []record{order(0)}},
		"of an order":      {orders: []record{order(0)}},
		"of an old link":   {links: []record{link("cancelled", 0)}, orders: []record{order(0)}},
		"after a failure":  {links: []record{link("created", 0)}, payments: []record{attempt("pay_0", "failed")}},
		"without an order": {},
	} {
		p := returned
		if name == "without an order" {
			p = p.with(record{"order_id": nil})
		}
		if name == "after a failure" {
			f.orders = []record{order(0)}
		}
		f.payments = append(f.payments, p)
		f.refunds = []record{refund("rfnd_1", "pay_1", 2500, "processed")}
		s := fetch(t, f, "pay_1")
		if s.Status != payment.Failed || s.Received.Sign() != 0 || s.Refunded.Sign() != 0 || s.RefundStatus != payment.NotRefunded || s.Refunds != nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestAFullRefundAndOneThatFailedAfterIt(t *testing.T) {
	t.Parallel()
	f := paid()
	f.payments[1] = f.payments[1].with(record{"status": "refunded", "captured": true, "amount_refunded": 2500, "refund_status": "full"})
	f.refunds = []record{refund("rfnd_1", "pay_2", 1500, "processed"), refund("rfnd_2", "pay_2", 1000, "pending")}
	before := fetch(t, f, ours)
	if before.Status != payment.Paid || before.RefundStatus != payment.FullyRefunded || !before.Refunded.Equal(paise(2500)) || before.Reversed.Sign() != 0 {
		t.Errorf("%+v", before)
	}
	// The payment goes on counting the refund that failed.
	f.refunds[1]["status"] = "failed"
	after := fetch(t, f, ours)
	if after.RefundStatus != payment.PartiallyRefunded || !after.Refunded.Equal(paise(1500)) || !after.Reversed.Equal(paise(1000)) {
		t.Errorf("%+v", after)
	}
	known := payment.Next(payment.Record{Amount: paise(2500), Currency: "INR"}, before).Record
	if d := payment.Next(known, after); d.Verdict != payment.Applied {
		t.Errorf("%s %s", d.Verdict, d.Reason)
	}
}

func TestDisputesCountByPhaseAndOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		phase, status string
		deducted      int
		want          payment.DisputeStatus
	}{
		{"chargeback", "open", 0, payment.DisputeOpen},
		{"chargeback", "under_review", 0, payment.DisputeOpen},
		{"pre_arbitration", "open", 0, payment.DisputeOpen},
		{"arbitration", "won", 0, payment.DisputeWon},
		{"chargeback", "lost", 2500, payment.DisputeLost},
		{"chargeback", "closed", 0, payment.DisputeWon},
		{"chargeback", "closed", 2500, payment.DisputeLost},
		{"retrieval", "open", 0, ""},
		{"fraud", "under_review", 0, ""},
		{"fraud", "won", 0, ""},
		{"retrieval", "closed", 0, ""},
		{"fraud", "closed", 2500, payment.DisputeLost},
		{"retrieval", "lost", 2500, payment.DisputeLost},
	} {
		f := paid()
		f.disputes = []record{dispute("disp_1", "pay_2", c.phase, c.status, c.deducted)}
		s := fetch(t, f, ours)
		if c.want == "" && len(s.Disputes) == 0 {
			continue
		}
		if len(s.Disputes) != 1 || s.Disputes[0].Status != c.want {
			t.Errorf("%+v: %+v", c, s.Disputes)
		}
	}
}

func TestADisputeInAnotherCurrencyHasNoAmount(t *testing.T) {
	t.Parallel()
	f := paid()
	f.disputes = []record{dispute("disp_1", "pay_2", "chargeback", "open", 0).with(record{"currency": "USD"})}
	if s := fetch(t, f, ours); len(s.Disputes) != 1 || s.Disputes[0].Amount.Sign() != 0 {
		t.Errorf("%+v", s.Disputes)
	}
}

func TestAllPagesOfDisputesAndRefundsAreRead(t *testing.T) {
	t.Parallel()
	f := paid()
	f.payments[1] = f.payments[1].with(record{"amount_refunded": 101, "refund_status": "partial"})
	f.disputes = append(f.disputes, dispute("disp_old", "pay_2", "chargeback", "lost", 2500))
	for i := range 250 {
		f.disputes = append(f.disputes, dispute(fmt.Sprintf("disp_%d", i), "pay_9", "chargeback", "open", 0))
	}
	for i := range 101 {
		f.refunds = append(f.refunds, refund(fmt.Sprintf("rfnd_%d", i), "pay_2", 1, "processed"))
	}
	s := fetch(t, f, ours)
	if len(s.Disputes) != 1 || s.Disputes[0].Ref != "disp_old" || !s.Refunded.Equal(paise(101)) || len(s.Refunds) != 101 {
		t.Errorf("%+v", s)
	}
}

func TestAnotherCurrencyThanAskedForIsTold(t *testing.T) {
	t.Parallel()
	f := paid()
	f.payments[1] = f.payments[1].with(record{"currency": "USD"})
	f.links[0], f.orders[0] = link("created", 0), order(0)
	s := fetch(t, f, ours)
	if d := payment.Next(payment.Record{Amount: paise(2500), Currency: "INR"}, s); d.Verdict != payment.NeedsReview || d.Reason != payment.CurrencyMismatch {
		t.Errorf("%+v: %s %s", s, d.Verdict, d.Reason)
	}
}

func TestYenAndDinarAreCountedInTheirOwnUnits(t *testing.T) {
	t.Parallel()
	for currency, amount := range map[string]int{"JPY": 5800, "KWD": 2950} {
		f := paid()
		for _, r := range [][]record{f.links, f.orders, f.payments} {
			for _, record := range r {
				record["currency"], record["amount"] = currency, amount
			}
		}
		if s := fetch(t, f, ours); s.Currency != currency || !s.Amount.Equal(paise(int64(amount))) || s.Status != payment.Paid {
			t.Errorf("%s: %+v", currency, s)
		}
	}
}
