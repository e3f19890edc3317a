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

func amount(n int64) payment.Amount { return payment.NewAmount(n) }

func TestAttemptsUnderOneReferenceAreOnePayment(t *testing.T) {
	t.Parallel()
	part := func(id string, n int64) *pay {
		p := captured(id, n)
		p.status, p.amount = "Partially Captured", 2500
		return p
	}
	refunded := func(p *pay, status string, n int64) *pay { p.status, p.refunded = status, n; return p }
	with := func(p *pay, edit func(*pay)) *pay { edit(p); return p }
	const none, partial, full = payment.NotRefunded, payment.PartiallyRefunded, payment.FullyRefunded
	for _, c := range []struct {
		name               string
		attempts           []*pay // the newest first
		status             payment.Status
		received, refunded int64
		refund             payment.RefundStatus
	}{
		{"captured", []*pay{captured("pay_1", 2500)}, "paid", 2500, 0, none},
		{"paid, as other methods say", []*pay{with(captured("pay_1", 2500), func(p *pay) { p.status = "Paid" })}, "paid", 2500, 0, none},
		{"a word in the form of the search", []*pay{with(captured("pay_1", 2500), func(p *pay) { p.status = "partially_refunded" })}, "paid", 2500, 0, none},
		{"a part captured", []*pay{part("pay_1", 1500)}, "authorised", 1500, 0, none},
		{"called captured, with a part", []*pay{with(part("pay_1", 2499), func(p *pay) { p.status = "Captured" })}, "authorised", 2499, 0, none},
		{"called captured, with nothing yet", []*pay{with(part("pay_1", 0), func(p *pay) { p.status = "Captured" })}, "authorised", 0, 0, none},
		{"authorised", []*pay{attempted("pay_1", "Authorized")}, "authorised", 0, 0, none},
		{"about to be captured", []*pay{attempted("pay_1", "Capture Pending")}, "confirming", 0, 0, none},
		{"pending", []*pay{attempted("pay_1", "Pending")}, "pending", 0, 0, none},
		{"requested", []*pay{attempted("pay_1", "Requested")}, "pending", 0, 0, none},
		{"active", []*pay{attempted("pay_1", "Active")}, "pending", 0, 0, none},
		{"declined", []*pay{attempted("pay_1", "Declined")}, "failed", 0, 0, none},
		{"canceled", []*pay{attempted("pay_1", "Canceled")}, "failed", 0, 0, none},
		{"cancelled", []*pay{attempted("pay_1", "Cancelled")}, "failed", 0, 0, none},
		{"voided", []*pay{attempted("pay_1", "Voided")}, "failed", 0, 0, none},
		{"expired", []*pay{attempted("pay_1", "Expired")}, "expired", 0, 0, none},
		{"a word that we don't know", []*pay{attempted("pay_1", "Held Back")}, "Held Back", 0, 0, none},
		{"a word that we don't know, with the money", []*pay{with(captured("pay_1", 2500), func(p *pay) { p.status = "Held Back" })}, "Held Back", 2500, 0, none},
		{"a card only verified", []*pay{with(attempted("pay_1", "Card Verified"), func(p *pay) { p.amount = 0 })}, "Card Verified", 0, 0, none},

		{"refunded in part", []*pay{refunded(captured("pay_1", 2500), "Partially Refunded", 1000)}, "paid", 2500, 1000, partial},
		{"refunded", []*pay{refunded(captured("pay_1", 2500), "Refunded", 2500)}, "paid", 2500, 2500, full},
		{"a part captured and given back", []*pay{refunded(part("pay_1", 1500), "Refunded", 1500)}, "authorised", 1500, 1500, full},
		{"a part of a part given back", []*pay{refunded(part("pay_1", 1500), "Partially Refunded", 500)}, "authorised", 1500, 500, partial},

		{"declined, then captured", []*pay{captured("pay_2", 2500), attempted("pay_1", "Declined")}, "paid", 2500, 0, none},
		{"captured, then declined late", []*pay{attempted("pay_2", "Declined"), captured("pay_1", 2500)}, "paid", 2500, 0, none},
		{"captured, then expired late", []*pay{attempted("pay_2", "Expired"), captured("pay_1", 2500)}, "paid", 2500, 0, none},
		{"captured, another pending", []*pay{attempted("pay_2", "Pending"), captured("pay_1", 2500)}, "paid", 2500, 0, none},
		{"captured twice", []*pay{captured("pay_2", 2500), captured("pay_1", 2500)}, "paid", 5000, 0, none},
		{"captured twice, one given back", []*pay{refunded(captured("pay_2", 2500), "Refunded", 2500), captured("pay_1", 2500)}, "paid", 5000, 2500, full},
		{"two parts that make the whole", []*pay{part("pay_2", 1000), part("pay_1", 1500)}, "paid", 2500, 0, none},
		{"authorised, another declined", []*pay{attempted("pay_2", "Declined"), attempted("pay_1", "Authorized")}, "authorised", 0, 0, none},
		{"two declined", []*pay{attempted("pay_2", "Declined"), attempted("pay_1", "Declined")}, "failed", 0, 0, none},
		{"expired last", []*pay{attempted("pay_2", "Expired"), attempted("pay_1", "Declined")}, "expired", 0, 0, none},
		{"declined last", []*pay{attempted("pay_2", "Declined"), attempted("pay_1", "Expired")}, "failed", 0, 0, none},
		{"a word that we don't know, another declined", []*pay{attempted("pay_2", "Declined"), attempted("pay_1", "Held Back")}, "Held Back", 0, 0, none},
		{"the least amount isn't the whole", []*pay{with(captured("pay_2", 100), func(p *pay) { p.amount = 100 }), attempted("pay_1", "Declined")}, "authorised", 100, 0, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, asked := range []string{ref, c.attempts[0].id} {
				s, err := serve(t, &platform{payments: c.attempts}).Fetch(t.Context(), asked)
				if err != nil {
					t.Fatal(err)
				}
				want := payment.Snapshot{
					Ref: ref, OrderRef: ref, Status: c.status, RefundStatus: c.refund, Amount: s.Amount, Received: amount(c.received),
					Refunded: amount(c.refunded), Currency: "EUR", Risk: payment.NotAssessed(),
				}
				if c.name != "a card only verified" {
					want.Amount = amount(2500)
				}
				if d := cmp.Diff(want, s); d != "" {
					t.Errorf("asked for %s: %s", asked, d)
				}
			}
		})
	}
}

// Whatever comes in whatever order, the shop's own decision takes each record.
func TestTheRecordsOfAPageLeadForward(t *testing.T) {
	t.Parallel()
	p := &platform{}
	a := serve(t, p)
	record := payment.Record{Amount: amount(2500), Currency: "EUR"}
	first, second := attempted("pay_1", "Pending"), attempted("pay_2", "Pending")
	authorised := attempted("pay_2", "Authorized")
	for i, step := range []struct {
		attempts []*pay
		want     payment.Status
	}{
		{[]*pay{first}, payment.Pending},
		{[]*pay{attempted("pay_1", "Declined")}, payment.Failed},
		{[]*pay{second, attempted("pay_1", "Declined")}, payment.Confirming},
		{[]*pay{attempted("pay_2", "Expired"), attempted("pay_1", "Declined")}, payment.Expired},
		{[]*pay{authorised, attempted("pay_1", "Declined")}, payment.Authorised},
		{[]*pay{captured("pay_2", 2500), attempted("pay_1", "Declined")}, payment.Paid},
		{[]*pay{attempted("pay_3", "Declined"), captured("pay_2", 2500), attempted("pay_1", "Declined")}, payment.Paid},
	} {
		p.payments = step.attempts
		s, err := a.Fetch(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		d := payment.Next(record, s)
		if d.Verdict == payment.NeedsReview || d.Record.Status != step.want {
			t.Errorf("step %d: %s %s, status %s, want %s", i, d.Verdict, d.Reason, d.Record.Status, step.want)
		}
		record = d.Record
	}
}

func TestAPageThatNobodyTriedYetIsNotFound(t *testing.T) {
	t.Parallel()
	p := &platform{payments: []*pay{{id: "pay_1", reference: ref + "/2", status: "Captured", amount: 2500, captured: 2500}}}
	for _, asked := range []string{ref, "pay_2", "", " " + ref, "pay_../x", strings.Repeat("x", 256)} {
		if _, err := serve(t, p).Fetch(t.Context(), asked); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%q: %v", asked, err)
		}
	}
}

func TestAnotherReferenceIsAnotherPayment(t *testing.T) {
	t.Parallel()
	second, shouted := captured("pay_2", 2500), captured("pay_3", 2500)
	second.reference, shouted.reference = ref+"/2", strings.ToUpper(ref)
	s, err := serve(t, &platform{payments: []*pay{shouted, second, captured("pay_1", 2500)}}).Fetch(t.Context(), ref)
	if err != nil || !s.Received.Equal(amount(2500)) {
		t.Errorf("received %s, %v", s.Received, err)
	}
}

func TestAPaymentWithoutAReferenceStandsAlone(t *testing.T) {
	t.Parallel()
	for _, reference := range []string{"", " padded", "pay_of_others", "x\x00"} {
		p := captured("pay_1", 2500)
		p.reference, p.noReference = reference, reference == ""
		d := strings.Replace(dispute("dsp_1", "pay_1", "lost"), ref, reference, 1)
		s, err := serve(t, &platform{payments: []*pay{p}, disputes: []string{strings.ReplaceAll(d, "\x00", `\u0000`)}}).Fetch(t.Context(), "pay_1")
		if err != nil || s.Ref != "pay_1" || s.OrderRef != "" || s.Status != payment.Paid || len(s.Disputes) != 1 {
			t.Errorf("%q: %+v, %v", reference, s, err)
		}
	}
}

func TestAListThatIsBehindHidesNothing(t *testing.T) {
	t.Parallel()
	p := &platform{payments: []*pay{captured("pay_2", 2500), attempted("pay_1", "Declined")}, unlisted: map[string]bool{"pay_2": true}}
	s, err := serve(t, p).Fetch(t.Context(), "pay_2")
	if err != nil || s.Status != payment.Paid || s.Ref != ref {
		t.Errorf("%+v, %v", s, err)
	}
}

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
