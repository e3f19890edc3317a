package checkoutcom_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
)

func TestBalancesThatAListLeavesOutAreAskedFor(t *testing.T) {
	t.Parallel()
	brief := captured("pay_2", 2500)
	brief.briefly = true
	p := &platform{payments: []*pay{brief, attempted("pay_1", "Declined")}}
	s, err := serve(t, p).Fetch(t.Context(), ref)
	if err != nil || s.Status != payment.Paid {
		t.Errorf("%+v, %v", s, err)
	}
	if want := []string{"/payments?", "/payments/pay_2", "/payments/pay_2/actions", "/disputes?"}; len(p.asked) != len(want) {
		t.Errorf("asked %q", p.asked)
	}
}

func TestWithoutBalancesTheApprovedActionsAddUp(t *testing.T) {
	t.Parallel()
	p := captured("pay_1", 2500)
	p.unbalanced = true
	p.actions = []string{
		capture("act_1", 1500), capture("act_2", 1000),
		`{"id":"act_3","type":"Capture","amount":99,"approved":false,"response_code":"20005"}`,
		`{"id":"act_4","type":"Refund","amount":700,"approved":true}`, `{"id":"act_5","type":"Refund","amount":99}`,
		`{"id":"act_0","type":"Authorization","amount":2500,"approved":true}`, `{"type":"Authentication"}`,
	}
	s, err := serve(t, &platform{payments: []*pay{p}}).Fetch(t.Context(), ref)
	if err != nil || s.Status != payment.Paid || !s.Received.Equal(amount(2500)) || !s.Refunded.Equal(amount(700)) || s.RefundStatus != payment.PartiallyRefunded {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestSingleRefundsAreTold(t *testing.T) {
	t.Parallel()
	p := captured("pay_1", 2500)
	p.refunded = 1000
	p.actions = append(p.actions,
		`{"id":"act_d","type":"Refund","amount":1000,"approved":true,"response_code":"10000"}`,
		`{"id":"act_c","type":"Refund","amount":500}`,
		`{"id":"act_b","type":"Refund","amount":501,"approved":false,"response_code":"20005"}`,
		`{"id":"act_a","type":"Refund","amount":502,"approved":false,"response_code":null}`)
	s, err := serve(t, &platform{payments: []*pay{p}}).Fetch(t.Context(), ref)
	want := []payment.Refund{
		{Ref: "act_a", Amount: amount(502), Status: payment.RefundPending},
		{Ref: "act_b", Amount: amount(501), Status: payment.RefundFailed},
		{Ref: "act_c", Amount: amount(500), Status: payment.RefundPending},
		{Ref: "act_d", Amount: amount(1000), Status: payment.RefundDone},
	}
	if d := cmp.Diff(want, s.Refunds); d != "" || err != nil {
		t.Errorf("%v %s", err, d)
	}
}

func TestDisputesAreOpenUntilTheyAreOver(t *testing.T) {
	t.Parallel()
	states := map[payment.DisputeStatus][]string{
		payment.DisputeWon:  {"won", "resolved", "canceled", "cancelled", "arbitration_won"},
		payment.DisputeLost: {"lost", "accepted", "expired", "arbitration_lost"},
		payment.DisputeOpen: {"evidence_required", "evidence_under_review", "arbitration_under_review", "something_new", ""},
	}
	for want, words := range states {
		for _, word := range words {
			d := strings.Replace(dispute("dsp_1", "pay_1", word), `"status":"",`, "", 1)
			s, err := serve(t, &platform{payments: []*pay{captured("pay_1", 2500)}, disputes: []string{d}}).Fetch(t.Context(), ref)
			if diff := cmp.Diff([]payment.Dispute{{Ref: "dsp_1", Amount: amount(2500), Reason: "general", Status: want}}, s.Disputes); diff != "" || err != nil {
				t.Errorf("%s: %v %s", word, err, diff)
			}
		}
	}
}

func TestDisputesOfOthersAreNotOurs(t *testing.T) {
	t.Parallel()
	others := strings.Replace(dispute("dsp_2", "pay_9", "lost"), ref, ref+"/2", 1)
	p := &platform{payments: []*pay{captured("pay_1", 2500)}, disputes: []string{others, dispute("dsp_1", "pay_1", "won")}}
	s, err := serve(t, p).Fetch(t.Context(), ref)
	if err != nil || len(s.Disputes) != 1 || s.Disputes[0].Ref != "dsp_1" {
		t.Errorf("%+v, %v", s.Disputes, err)
	}
}

func TestNobodyAsksForDisputesOfWhatWasNotCaptured(t *testing.T) {
	t.Parallel()
	p := &platform{payments: []*pay{attempted("pay_1", "Declined")}}
	if _, err := serve(t, p).Fetch(t.Context(), ref); err != nil || len(p.asked) != 1 {
		t.Errorf("%v, asked %q", err, p.asked)
	}
}

func TestALongListIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	p := &platform{}
	for i := range 250 {
		p.payments = append(p.payments, attempted(fmt.Sprintf("pay_%d", i), "Declined"))
	}
	p.payments = append(p.payments, captured("pay_first", 2500))
	a := serve(t, p)
	if s, err := a.Fetch(t.Context(), ref); err != nil || s.Status != payment.Paid {
		t.Errorf("%+v, %v", s, err)
	}
	p.payments = append(p.payments, slices.Repeat(p.payments[:1], 100)...)
	if _, err := a.Fetch(t.Context(), ref); !errors.Is(err, payment.ErrLater) || !strings.Contains(err.Error(), "more payments under one reference") {
		t.Error(err)
	}
}

func TestRecordsThatContradictThemselvesAreForLater(t *testing.T) {
	t.Parallel()
	pounds := captured("pay_2", 2500)
	pounds.currency = "GBP"
	pesos := captured("pay_1", 2500)
	pesos.currency = "CLP"
	inYen := strings.Replace(dispute("dsp_1", "pay_1", "lost"), "EUR", "JPY", 1)
	for name, p := range map[string]*platform{
		"two currencies":                 {payments: []*pay{pounds, captured("pay_1", 2500)}},
		"a currency we don't know":       {payments: []*pay{pesos}},
		"a dispute in another currency":  {payments: []*pay{captured("pay_1", 2500)}, disputes: []string{inYen}},
		"a refund without an amount":     {payments: []*pay{{id: "pay_1", reference: ref, status: "Captured", amount: 1, captured: 1, actions: []string{`{"id":"act_1","type":"Refund"}`}}}},
		"a dispute without its payment":  {payments: []*pay{captured("pay_1", 2500)}, disputes: []string{`{"id":"dsp_1","amount":1,"payment_reference":"` + ref + `"}`}},
		"an action that isn't an object": {payments: []*pay{{id: "pay_1", reference: ref, status: "Captured", amount: 1, captured: 1, actions: []string{`null`}}}},
	} {
		if s, err := serve(t, p).Fetch(t.Context(), ref); !errors.Is(err, payment.ErrLater) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}
