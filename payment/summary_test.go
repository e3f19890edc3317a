package payment_test

import (
	"testing"

	"onceshop/payment"
)

// one is a payment of an order of 13790 as it ended.
func one(status payment.Status, received, refunded int64, refund payment.RefundStatus) payment.Record {
	return payment.Record{
		Status: status, RefundStatus: refund, Amount: payment.NewAmount(13790), Currency: "EUR",
		Received: payment.NewAmount(received), Refunded: payment.NewAmount(refunded),
	}
}

func TestPaymentsOfAnOrderAreReadTogether(t *testing.T) {
	t.Parallel()
	const (
		pending, confirming, paid = payment.Pending, payment.Confirming, payment.Paid
		failed, expired           = payment.Failed, payment.Expired
		none, partial, full       = payment.NotRefunded, payment.PartiallyRefunded, payment.FullyRefunded
	)
	type want struct {
		status            payment.Status
		refund            payment.RefundStatus
		refunded, surplus string
		received          string
		paidBy            int
	}
	for _, c := range []struct {
		name    string
		paidBy  int
		records []payment.Record
		want    want
	}{
		{"no payment yet", -1, nil, want{pending, none, "0", "0", "0", -1}},
		{"a payment that has seen nothing", -1, []payment.Record{{}}, want{pending, none, "0", "0", "0", -1}},
		{"paid", -1, []payment.Record{one(paid, 13790, 0, none)}, want{paid, none, "0", "0", "13790", 0}},
		{"another session expires after the payment", 0, []payment.Record{one(paid, 13790, 0, none), one(expired, 0, 0, none)}, want{paid, none, "0", "0", "13790", 0}},
		{"an older session expires after the payment", 1, []payment.Record{one(expired, 0, 0, none), one(paid, 13790, 0, none)}, want{paid, none, "0", "0", "13790", 1}},
		{"one failed, one open", -1, []payment.Record{one(pending, 0, 0, none), one(failed, 0, 0, none)}, want{pending, none, "0", "0", "0", -1}},
		{"one open, one confirming", -1, []payment.Record{one(confirming, 0, 0, none), one(pending, 0, 0, none)}, want{confirming, none, "0", "0", "0", -1}},
		{"none succeeded, the newest expired", -1, []payment.Record{one(failed, 0, 0, none), one(expired, 0, 0, none)}, want{expired, none, "0", "0", "0", -1}},
		{"none succeeded, the newest failed", -1, []payment.Record{one(expired, 0, 0, none), one(failed, 0, 0, none)}, want{failed, none, "0", "0", "0", -1}},

		{"a part received", -1, []payment.Record{one(pending, 10790, 0, none)}, want{pending, none, "0", "0", "10790", -1}},
		{"parts, late, and too much", 0, []payment.Record{one(paid, 20890, 0, none)}, want{paid, none, "0", "7100", "20890", 0}},
		{"the surplus returned", 0, []payment.Record{one(paid, 20890, 7100, partial)}, want{paid, none, "0", "0", "20890", 0}},
		{"half the surplus returned", 0, []payment.Record{one(paid, 20890, 3000, partial)}, want{paid, none, "0", "4100", "20890", 0}},
		{"more than the surplus returned", 0, []payment.Record{one(paid, 20890, 9000, partial)}, want{paid, partial, "1900", "0", "20890", 0}},
		{"the price of an overpaid order returned", 0, []payment.Record{one(paid, 20890, 13790, full)}, want{paid, partial, "6690", "0", "20890", 0}},
		{"all of an overpaid order returned", 0, []payment.Record{one(paid, 20890, 20890, full)}, want{paid, full, "13790", "0", "20890", 0}},

		{"paid twice", 0, []payment.Record{one(paid, 13790, 0, none), one(paid, 13790, 0, none)}, want{paid, none, "0", "13790", "27580", 0}},
		{"paid twice, the younger one first", 1, []payment.Record{one(paid, 13790, 0, none), one(paid, 13790, 0, none)}, want{paid, none, "0", "13790", "27580", 1}},
		{"paid twice, the second returned", 0, []payment.Record{one(paid, 13790, 0, none), one(paid, 13790, 13790, full)}, want{paid, none, "0", "0", "27580", 0}},
		{"paid twice, the second returned in part", 0, []payment.Record{one(paid, 13790, 0, none), one(paid, 13790, 790, partial)}, want{paid, none, "0", "13000", "27580", 0}},
		{"paid twice, the first returned", 0, []payment.Record{one(paid, 13790, 13790, full), one(paid, 13790, 0, none)}, want{paid, full, "13790", "13790", "27580", 0}},
		{"paid twice, part of the first returned", 0, []payment.Record{one(paid, 13790, 3000, partial), one(paid, 13790, 0, none)}, want{paid, partial, "3000", "13790", "27580", 0}},
		{"paid, and a part in another session", 0, []payment.Record{one(paid, 13790, 0, none), one(expired, 5000, 0, none)}, want{paid, none, "0", "5000", "18790", 0}},
		{"two parts of two sessions", -1, []payment.Record{one(expired, 10790, 0, none), one(expired, 10100, 0, none)}, want{expired, none, "0", "7100", "20890", -1}},
		{"two parts, one returned", -1, []payment.Record{one(expired, 10790, 10790, full), one(expired, 10100, 0, none)}, want{expired, none, "0", "0", "20890", -1}},

		{"a hint that points nowhere", 7, []payment.Record{one(paid, 13790, 0, none)}, want{paid, none, "0", "0", "13790", 0}},
		{"a hint at an unpaid payment", 0, []payment.Record{one(failed, 0, 0, none), one(paid, 13790, 0, none)}, want{paid, none, "0", "0", "13790", 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := payment.Summarize(payment.NewAmount(13790), c.paidBy, c.records)
			got := want{o.PaymentStatus, o.RefundStatus, o.Refunded.String(), o.Surplus.String(), o.Received.String(), o.PaidBy}
			if got != c.want {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestAnOrdersRiskIsThatOfThePaymentThatPaid(t *testing.T) {
	t.Parallel()
	first, second := one(payment.Paid, 13790, 0, payment.NotRefunded), one(payment.Pending, 0, 0, payment.NotRefunded)
	first.Risk.Decision, second.Risk.Decision = "allow", "deny"
	if o := payment.Summarize(first.Amount, -1, []payment.Record{first, second}); o.Risk.Decision != "allow" {
		t.Errorf("paid: %s", o.Risk.Decision)
	}
	first.Status = payment.Failed
	if o := payment.Summarize(first.Amount, -1, []payment.Record{first, second}); o.Risk.Decision != "deny" {
		t.Errorf("not paid: %s, not the newest", o.Risk.Decision)
	}
}
