package adyen_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

// life is what an honest Adyen may live through with one payment link, and what it
// comes to. It is written without a look at the rules of Fold.
type life struct {
	t      *rapid.T
	mode   adyen.CaptureMode
	events []payment.Event
	serial int
	parts  bool // a payment was captured more than once

	status                                  payment.Status
	received, refunded, reversed, takenBack int64
	failed                                  int64 // refunds that came to nothing, refused ones as well
	alive                                   bool
}

const total = 2500

func (l *life) chance(what string) bool { return rapid.Bool().Draw(l.t, what) }

func (l *life) pick(what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(l.t, what)
}

// tell adds an event of payment ref, under a reference of its own, and returns that.
func (l *life) tell(code, ref string, success bool, minor int64) string {
	l.serial++
	psp := fmt.Sprintf("MOD%d", l.serial)
	l.again(code, psp, ref, success, minor)
	return psp
}

func (l *life) again(code, psp, ref string, success bool, minor int64) {
	e := told(code, psp, success, minor)
	e.PaymentRef = ref
	l.events = append(l.events, e)
}

func draw(t *rapid.T) *life {
	l := &life{t: t, mode: rapid.SampledFrom([]adyen.CaptureMode{adyen.Manual, adyen.Automatic}).Draw(t, "mode"), status: payment.Pending}
	for i := range rapid.IntRange(0, 2).Draw(t, "failed attempts") {
		l.again("AUTHORISATION", fmt.Sprintf("TRY%d", i), fmt.Sprintf("TRY%d", i), false, total)
	}
	if l.chance("an offer closed") {
		l.again("OFFER_CLOSED", "OFFER1", "OFFER1", true, total)
		l.status = payment.Expired
	}
	payments := rapid.IntRange(0, 2).Draw(t, "payments")
	for i := range payments {
		ref := fmt.Sprintf("PSP%d", i+1)
		l.again("AUTHORISATION", ref, ref, true, total)
		l.live(ref, payments == 1)
	}
	l.dispute()
	for range rapid.IntRange(0, 2).Draw(t, "of no consequence") {
		l.tell(l.pick("code", "AUTHORISATION_ADJUSTMENT", "NOTIFICATION_OF_FRAUD", "SOMETHING_NEW"), "PSP1", l.chance("success"), 9900)
	}
	switch {
	case l.received >= total:
		l.status = payment.Paid
	case l.takenBack > 0:
		l.status = payment.Failed
	case l.alive:
		l.status = payment.Authorised
	}
	return l
}

func (l *life) live(ref string, alone bool) {
	switch l.pick("what became of it", "nothing", "ended", "captured", "captured in part", "taken back") {
	case "nothing":
		if l.mode == adyen.Automatic {
			l.received += total
		} else {
			l.alive = true
		}
	case "ended":
		l.end(ref, alone, total)
		if l.mode == adyen.Automatic {
			l.takenBack += total
		}
	case "captured":
		l.capture(ref, total)
		l.refund(ref, total)
	case "captured in part":
		if l.mode == adyen.Automatic {
			l.capture(ref, total)
			return
		}
		l.parts = true
		first := rapid.Int64Range(1, total-1).Draw(l.t, "the first part")
		l.capture(ref, first)
		if l.chance("the rest as well") {
			l.capture(ref, total-first)
			l.refund(ref, total)
			return
		}
		l.refund(ref, first)
		if l.chance("the rest ended") {
			l.end(ref, alone, total-first)
		} else {
			l.alive = true
		}
	case "taken back":
		psp := l.tell("CAPTURE", ref, true, total)
		l.again("CAPTURE_FAILED", psp, ref, true, total)
		l.takenBack += total
		if l.chance("and captured again") {
			l.parts = true
			l.capture(ref, total)
		}
	}
}

// capture may be told or implied where the account captures automatically. One that
// was refused before takes the implied one's place.
func (l *life) capture(ref string, minor int64) {
	refused := l.chance("a refused one before")
	if refused {
		l.tell("CAPTURE", ref, false, minor)
	}
	if l.mode == adyen.Manual || l.takenBack > 0 || refused || l.chance("told") {
		l.tell("CAPTURE", ref, true, minor)
	}
	l.received += minor
}

func (l *life) end(ref string, alone bool, minor int64) {
	code := l.pick("end", "CANCELLATION", "TECHNICAL_CANCEL", "EXPIRE")
	if l.chance("refused before") {
		l.tell(code, ref, false, minor)
	}
	if code == "EXPIRE" && alone && l.chance("without a name") {
		l.again(code, "EXP1", "EXP1", true, minor)
	} else {
		l.tell(code, ref, true, minor)
	}
	switch {
	case code != "EXPIRE":
		l.status = payment.Failed
	case l.status == payment.Pending:
		l.status = payment.Expired
	}
}

func (l *life) refund(ref string, held int64) {
	if held == total && l.chance("reversed") {
		l.tell("CANCEL_OR_REFUND", ref, true, held)
		l.refunded += held
		return
	}
	for range rapid.IntRange(0, 4).Draw(l.t, "refunds") {
		if held == 0 {
			return
		}
		minor := rapid.Int64Range(1, held).Draw(l.t, "refund")
		code := l.pick("code", "REFUND", "REFUND_WITH_DATA")
		if l.chance("refused") {
			l.tell(code, ref, false, minor)
			l.failed += minor
			continue
		}
		psp := l.tell(code, ref, true, minor)
		if !l.chance("it fails") {
			l.refunded, held = l.refunded+minor, held-minor
			continue
		}
		l.reversed, l.failed = l.reversed+minor, l.failed+minor
		for _, code := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"REFUND_FAILED", "REFUNDED_REVERSED"}), 1, 2, rapid.ID[string]).Draw(l.t, "how") {
			l.again(code, psp, ref, true, minor)
		}
	}
}

func (l *life) dispute() {
	for i := range rapid.IntRange(0, 2).Draw(l.t, "disputes") {
		for _, code := range []string{
			"REQUEST_FOR_INFORMATION", "NOTIFICATION_OF_CHARGEBACK", "CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK", "PREARBITRATION_WON", "PREARBITRATION_LOST",
		} {
			if l.chance(code) {
				l.again(code, fmt.Sprintf("DSP%d", i), l.pick("named", "PSP1", ""), true, total)
			}
		}
	}
}

// Promises 4 and 5: in whatever order and however often what happened is told, each
// snapshot may follow the one before it, and the last is that of all at once.
func TestWhateverIsToldFirstTheRecordMovesForward(t *testing.T) {
	t.Parallel()
	modes := map[adyen.CaptureMode]*adyen.Adapter{adyen.Manual: folding(t, adyen.Manual), adyen.Automatic: folding(t, adyen.Automatic)}
	rapid.Check(t, func(t *rapid.T) {
		l := draw(t)
		a := modes[l.mode]
		if len(l.events) == 0 {
			return
		}
		deliveries := rapid.Permutation(l.events).Draw(t, "deliveries")
		var stored []payment.Event
		r := asked()
		for len(deliveries) > 0 {
			n := rapid.IntRange(1, len(deliveries)).Draw(t, "at once")
			stored, deliveries = append(stored, deliveries[:n]...), deliveries[n:]
			s, err := a.Fold(order, stored)
			if errors.Is(err, payment.ErrNotFound) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			d := payment.Next(r, s)
			unexplained := d.Reason == payment.AmountMismatch && l.parts && !knowsTotal(stored) ||
				d.Reason == payment.RefundExceedsPayment && failureMissing(stored) ||
				d.Reason == payment.ImpossibleChange && l.mode == adyen.Automatic && captureMissing(stored)
			if d.Verdict != payment.Applied && !unexplained {
				t.Fatalf("after %d events: %s %s %v\n%+v", len(stored), d.Verdict, d.Reason, d.Refused, s)
			}
			if before := known(r); known(d.Record).Cmp(before) < 0 {
				t.Fatalf("after %d events less is known of refunds than %s:\n%+v", len(stored), before, s)
			}
			r = d.Record
		}
		if back := known(r); !back.Equal(amount(l.refunded + l.failed)) {
			t.Fatalf("%s is known of refunds, want %d:\n%+v", back, l.refunded+l.failed, r.Refunds)
		}
		all, err := a.Fold(order, l.events)
		if errors.Is(err, payment.ErrNotFound) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(payment.Next(asked(), all).Record, r); diff != "" {
			t.Fatalf("one by one it came to something else: %s", diff)
		}
		if all.Status != l.status || !all.Received.Equal(amount(l.received)) || !all.Refunded.Equal(amount(l.refunded)) ||
			!all.Reversed.Equal(amount(l.reversed)) || !all.TakenBack.Equal(amount(l.takenBack)) {
			t.Fatalf("it came to %s %d %d %d %d and is told as\n%+v", l.status, l.received, l.refunded, l.reversed, l.takenBack, all)
		}
	})
}

// known is what a record knows of refunds, whatever became of them.
func known(r payment.Record) payment.Amount {
	sum := r.Refunded
	for _, f := range r.Refunds {
		if f.Status == payment.RefundFailed {
			sum = sum.Add(f.Amount)
		}
	}
	return sum
}

// knowsTotal tells whether an event says how much was asked for.
func knowsTotal(events []payment.Event) bool {
	return slices.ContainsFunc(events, func(e payment.Event) bool {
		return (e.Type == "AUTHORISATION" || e.Type == "OFFER_CLOSED") && e.Amount.Equal(amount(total))
	})
}

// captureMissing tells whether a capture was refused of a payment of which none is told.
func captureMissing(events []payment.Event) bool {
	var refused, taken []string
	for _, e := range events {
		switch {
		case e.Type != "CAPTURE":
		case strings.HasSuffix(e.ID, "|true"):
			taken = append(taken, e.PaymentRef)
		default:
			refused = append(refused, e.PaymentRef)
		}
	}
	return slices.ContainsFunc(refused, func(ref string) bool { return !slices.Contains(taken, ref) })
}

// failureMissing tells whether more of a payment went back than there was: Adyen
// refuses that, so that the failure of a refund is still to be told.
func failureMissing(events []payment.Event) bool {
	failed := map[string]bool{}
	for _, e := range events {
		if e.Type == "REFUND_FAILED" || e.Type == "REFUNDED_REVERSED" {
			failed[strings.Split(e.ID, "|")[1]] = true
		}
	}
	back := map[string]payment.Amount{}
	for _, e := range events {
		id := strings.Split(e.ID, "|")
		if strings.HasPrefix(e.Type, "REFUND") && id[3] == "true" && !failed[id[1]] {
			if back[e.PaymentRef] = back[e.PaymentRef].Add(*e.Amount); back[e.PaymentRef].Cmp(amount(total)) > 0 {
				return true
			}
		}
	}
	return false
}

func TestASnapshotIsOfTheSetOfEvents(t *testing.T) {
	t.Parallel()
	modes := map[adyen.CaptureMode]*adyen.Adapter{adyen.Manual: folding(t, adyen.Manual), adyen.Automatic: folding(t, adyen.Automatic)}
	codes := []string{
		"AUTHORISATION", "CAPTURE", "CAPTURE_FAILED", "CANCELLATION", "TECHNICAL_CANCEL", "CANCEL_OR_REFUND", "EXPIRE", "OFFER_CLOSED", "REFUND",
		"REFUND_WITH_DATA", "REFUND_FAILED", "REFUNDED_REVERSED", "CHARGEBACK", "CHARGEBACK_REVERSED", "SECOND_CHARGEBACK", "PREARBITRATION_WON", "X",
	}
	// Nothing real: contradictions as well, and two contents under one id.
	event := rapid.Custom(func(t *rapid.T) payment.Event {
		e := told(rapid.SampledFrom(codes).Draw(t, "code"), rapid.SampledFrom([]string{"A", "B", "C"}).Draw(t, "psp"), rapid.Bool().Draw(t, "success"), rapid.Int64Range(0, 3).Draw(t, "amount"))
		e.PaymentRef = rapid.SampledFrom([]string{"", "A", "B", "C"}).Draw(t, "payment")
		e.OrderRef = rapid.SampledFrom([]string{order, order, "", "other"}).Draw(t, "order")
		e.Currency = rapid.SampledFrom([]string{"EUR", "EUR", "EUR", "USD"}).Draw(t, "currency")
		return e
	})
	rapid.Check(t, func(t *rapid.T) {
		a := modes[rapid.SampledFrom([]adyen.CaptureMode{adyen.Manual, adyen.Automatic}).Draw(t, "mode")]
		events := rapid.SliceOfN(event, 1, 12).Draw(t, "events")
		want, wantErr := a.Fold(order, events)
		again := append(slices.Clone(events), rapid.SliceOf(rapid.SampledFrom(events)).Draw(t, "repeats")...)
		again = rapid.Permutation(again).Draw(t, "order")
		before := slices.Clone(again)
		got, err := a.Fold(order, again)
		if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%v, %v: %s", wantErr, err, diff)
		}
		if diff := cmp.Diff(before, again); diff != "" {
			t.Fatalf("the events were changed: %s", diff)
		}
		if err == nil && (got.Received.Sign() < 0 || got.TakenBack.Sign() < 0 || got.Amount.Sign() <= 0) {
			t.Fatalf("%+v", got)
		}
	})
}
