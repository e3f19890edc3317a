package stripe_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestRefundsAreAddedUpFromTheirList(t *testing.T) {
	t.Parallel()
	amount := payment.NewAmount
	for name, d := range map[string]struct {
		told    string // by the charge
		refunds []string
		change  func(*payment.Snapshot)
	}{
		"a part": {"1000", []string{refundJSON("re_1", "1000", "succeeded")}, func(s *payment.Snapshot) {
			s.Refunded, s.RefundStatus = amount(1000), payment.PartiallyRefunded
			s.Refunds = []payment.Refund{{Ref: "re_1", Amount: amount(1000), Status: payment.RefundDone}}
		}},
		"all in two": {"2500", []string{refundJSON("re_2", "1500", "pending"), refundJSON("re_1", "1000", "succeeded")}, func(s *payment.Snapshot) {
			s.Refunded, s.RefundStatus = amount(2500), payment.FullyRefunded
			s.Refunds = []payment.Refund{{Ref: "re_2", Amount: amount(1500), Status: payment.RefundPending}, {Ref: "re_1", Amount: amount(1000), Status: payment.RefundDone}}
		}},
		"failed, and the charge knows nothing of it": {"0", []string{refundJSON("re_1", "2500", "failed")}, func(s *payment.Snapshot) {
			s.Reversed = amount(2500)
			s.Refunds = []payment.Refund{{Ref: "re_1", Amount: amount(2500), Status: payment.RefundFailed}}
		}},
		"failed since the charge was read": {"2500", []string{refundJSON("re_1", "2500", "failed")}, func(s *payment.Snapshot) {
			s.Reversed = amount(2500)
			s.Refunds = []payment.Refund{{Ref: "re_1", Amount: amount(2500), Status: payment.RefundFailed}}
		}},
		"made since the charge was read": {"0", []string{refundJSON("re_1", "2500", "pending")}, func(s *payment.Snapshot) {
			s.Refunded, s.RefundStatus = amount(2500), payment.FullyRefunded
			s.Refunds = []payment.Refund{{Ref: "re_1", Amount: amount(2500), Status: payment.RefundPending}}
		}},
		"cancelled, waiting and unknown": {"1000", []string{refundJSON("re_3", "500", "odd"), refundJSON("re_2", "1000", "requires_action"), refundJSON("re_1", "2500", "canceled")}, func(s *payment.Snapshot) {
			s.Refunded, s.Reversed, s.RefundStatus = amount(1500), amount(2500), payment.PartiallyRefunded
			s.Refunds = []payment.Refund{
				{Ref: "re_3", Amount: amount(500), Status: payment.RefundPending}, {Ref: "re_2", Amount: amount(1000), Status: payment.RefundPending},
				{Ref: "re_1", Amount: amount(2500), Status: payment.RefundFailed},
			}
		}},
	} {
		a, _ := asking(t, with(paid(), getSession, paidSession(d.told, false), getRefunds, listOf(d.refunds...)))
		got, err := a.Fetch(t.Context(), "cs_test_1")
		if diff := cmp.Diff(snapshotOf(d.change), got); diff != "" || err != nil {
			t.Errorf("%s: %s %v", name, diff, err)
		}
	}
}

// What the record says after each of Stripe's answers, in order.
func TestAFailedRefundIsTakenBackWithoutShrinking(t *testing.T) {
	t.Parallel()
	record := payment.Record{Amount: payment.NewAmount(2500), Currency: "EUR"}
	for _, d := range []struct {
		told, refund string
		want         payment.RefundStatus
	}{
		{"0", "", payment.NotRefunded},
		{"0", "pending", payment.FullyRefunded}, // the charge was read a moment before
		{"2500", "succeeded", payment.FullyRefunded},
		{"2500", "failed", payment.NotRefunded}, // likewise
		{"0", "failed", payment.NotRefunded},
	} {
		var refunds []string
		if d.refund != "" {
			refunds = append(refunds, refundJSON("re_1", "2500", d.refund))
		}
		a, _ := asking(t, with(paid(), getSession, paidSession(d.told, false), getRefunds, listOf(refunds...)))
		s, err := a.Fetch(t.Context(), "cs_test_1")
		if err != nil {
			t.Fatal(err)
		}
		decision := payment.Next(record, s)
		if decision.Verdict == payment.NeedsReview || decision.Record.RefundStatus != d.want {
			t.Errorf("%s %s: %+v", d.told, d.refund, decision)
		}
		record = decision.Record
	}
}

func TestDisputesAreOpenWonOrLost(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]payment.DisputeStatus{
		"needs_response": payment.DisputeOpen, "under_review": payment.DisputeOpen, "won": payment.DisputeWon, "lost": payment.DisputeLost, "prevented": payment.DisputeWon,
		"warning_needs_response": payment.DisputeOpen, "warning_under_review": payment.DisputeOpen, "warning_closed": payment.DisputeWon, "odd": payment.DisputeOpen,
	} {
		// An inquiry may not be in the charge's word.
		for _, disputed := range []bool{true, false} {
			a, _ := asking(t, with(paid(), getSession, paidSession("0", disputed), getDisputes, listOf(disputeJSON("du_1", word))))
			got, err := a.Fetch(t.Context(), "cs_test_1")
			want := snapshotOf(func(s *payment.Snapshot) {
				s.Disputes = []payment.Dispute{{Ref: "du_1", Amount: payment.NewAmount(2500), Reason: "product_not_received", Status: want}}
			})
			if d := cmp.Diff(want, got); d != "" || err != nil {
				t.Errorf("%s: %s %v", word, d, err)
			}
		}
	}
}

func TestADisputeInAnotherCurrencyIsAboutAllOfIt(t *testing.T) {
	t.Parallel()
	a, _ := asking(t, with(paid(), getDisputes, listOf(strings.NewReplacer(`"eur"`, `"xyz"`, `2500`, `7`).Replace(disputeJSON("du_1", "lost")))))
	got, err := a.Fetch(t.Context(), "cs_test_1")
	if err != nil || len(got.Disputes) != 1 || !got.Disputes[0].Amount.Equal(payment.NewAmount(2500)) || got.Disputes[0].Status != payment.DisputeLost {
		t.Errorf("%+v, %v", got.Disputes, err)
	}
}

func TestADisputeIsReadWhateverItsReason(t *testing.T) {
	t.Parallel()
	for _, reason := range []string{`" padded"`, `"two\nlines"`, `"` + strings.Repeat("x", 256) + `"`, `7`} {
		dispute := strings.Replace(disputeJSON("du_1", "needs_response"), `"product_not_received"`, reason, 1)
		a, _ := asking(t, with(paid(), getDisputes, listOf(dispute)))
		got, err := a.Fetch(t.Context(), "cs_test_1")
		if err != nil || len(got.Disputes) != 1 || got.Disputes[0].Reason != "" || got.Disputes[0].Status != payment.DisputeOpen {
			t.Errorf("%s: %+v, %v", reason, got.Disputes, err)
		}
	}
}

func TestListsAreReadToTheirEnd(t *testing.T) {
	t.Parallel()
	next := func(question, after string) string {
		question = strings.Replace(question, "&payment_intent=pi_1", "", 1)
		return question + "&payment_intent=pi_1&starting_after=" + after
	}
	a, s := asking(t, with(paid(),
		getSession, paidSession("2500", true),
		getRefunds, more(refundJSON("re_3", "500", "succeeded"), refundJSON("re_2", "1000", "failed")),
		next(getRefunds, "re_2"), more(refundJSON("re_1", "1000", "succeeded")),
		next(getRefunds, "re_1"), listOf(refundJSON("re_0", "1000", "succeeded")),
		getDisputes, more(disputeJSON("du_2", "lost")),
		next(getDisputes, "du_2"), listOf(disputeJSON("du_1", "won")),
	))
	got, err := a.Fetch(t.Context(), "cs_test_1")
	if err != nil || len(got.Refunds) != 4 || !got.Refunded.Equal(payment.NewAmount(2500)) || !got.Reversed.Equal(payment.NewAmount(1000)) || len(got.Disputes) != 2 {
		t.Errorf("%+v, %v; asked %v", got, err, s.targets())
	}
}

func TestListsThatCannotBeBelievedAreForLater(t *testing.T) {
	t.Parallel()
	one := refundJSON("re_1", "1000", "succeeded")
	for name, changes := range map[string][]string{
		"no data":                           {getRefunds, `{"object":"list","has_more":false}`},
		"no has_more":                       {getRefunds, `{"object":"list","data":[]}`},
		"more of nothing":                   {getRefunds, more()},
		"data of another kind":              {getRefunds, `{"has_more":false,"data":{}}`},
		"a page missing":                    {getRefunds, more(one)},
		"a page that stands still":          {getRefunds, more(one), getRefunds + "&starting_after=re_1", more(one)},
		"one listed twice":                  {getRefunds, listOf(one, one)},
		"of another payment":                {getRefunds, listOf(strings.Replace(one, `"pi_1"`, `"pi_2"`, 1))},
		"without an id":                     {getRefunds, listOf(strings.Replace(one, `"id":"re_1",`, ``, 1))},
		"without a status":                  {getRefunds, listOf(strings.Replace(one, `"succeeded"`, `null`, 1))},
		"without an amount":                 {getRefunds, listOf(strings.Replace(one, `1000`, `null`, 1))},
		"of nothing":                        {getRefunds, listOf(refundJSON("re_1", "0", "succeeded"))},
		"in another currency":               {getRefunds, listOf(strings.Replace(one, `"eur"`, `"usd"`, 1))},
		"fewer refunds than the charge has": {getSession, paidSession("1001", false), getRefunds, listOf(one)},
		"no dispute though there is one":    {getSession, paidSession("0", true)},
		"a dispute without an id":           {getDisputes, listOf(strings.Replace(disputeJSON("du_1", "won"), `"du_1"`, `null`, 1))},
		"a dispute without a status":        {getDisputes, listOf(strings.Replace(disputeJSON("du_1", "won"), `"won"`, `null`, 1))},
		"a dispute twice":                   {getDisputes, listOf(disputeJSON("du_1", "won"), disputeJSON("du_1", "lost"))},
		"a dispute of another payment":      {getDisputes, listOf(strings.Replace(disputeJSON("du_1", "won"), `"pi_1"`, `"pi_2"`, 1))},
	} {
		a, _ := asking(t, with(paid(), changes...))
		got, err := a.Fetch(t.Context(), "cs_test_1")
		kind := payment.ErrLater
		if name == "a page missing" {
			kind = payment.ErrRefused // the stand-in doesn't know that address
		}
		if !errors.Is(err, kind) || got.Ref != "" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		checkQuiet(t, err)
	}
}

func TestAListWithoutEndIsLeft(t *testing.T) {
	t.Parallel()
	answers := with(paid(), getRefunds, more(refundJSON("re_0", "1", "succeeded")))
	for n := range 100 {
		answers[fmt.Sprintf("%s&starting_after=re_%d", getRefunds, n)] = more(refundJSON(fmt.Sprintf("re_%d", n+1), "1", "succeeded"))
	}
	a, s := asking(t, answers)
	if _, err := a.Fetch(t.Context(), "cs_test_1"); !errors.Is(err, payment.ErrLater) || len(s.asked) != 21 {
		t.Errorf("%d calls, %v", len(s.asked), err)
	}
}
