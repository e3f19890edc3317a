package checkoutcom_test

import (
	"errors"
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
		{"a part captured and given back", []*pay{refunded(part("pay_1", 1500), "Refunded", 1500)}, "authorised", 1500, 1500, partial},
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

func TestAPartGivenBackBeforeTheRestIsCapturedIsNoStepBack(t *testing.T) {
	t.Parallel()
	p := &platform{}
	a := serve(t, p)
	record := payment.Record{Amount: amount(2500), Currency: "EUR"}
	for _, attempt := range []*pay{
		{id: "pay_1", reference: ref, status: "Refunded", amount: 2500, captured: 1500, refunded: 1500},
		{id: "pay_1", reference: ref, status: "Partially Refunded", amount: 2500, captured: 2500, refunded: 1500},
	} {
		p.payments = []*pay{attempt}
		s, err := a.Fetch(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		d := payment.Next(record, s)
		if d.Verdict != payment.Applied {
			t.Errorf("%s: %s %s", attempt.status, d.Verdict, d.Reason)
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
