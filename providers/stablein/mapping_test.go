package stablein

import (
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/vectortest"
	"onceshop/providers/wire"
)

// state names a snapshot's state as the mapping does.
func state(s payment.Snapshot) string {
	switch s.RefundStatus {
	case payment.FullyRefunded:
		return "refunded"
	case payment.PartiallyRefunded:
		return "partially_refunded"
	}
	return string(s.Status)
}

func TestEachRuleOfTheMappingIsWhatTheOrdersSay(t *testing.T) {
	t.Parallel()
	set := vectortest.Read(t, Name, "testdata")
	for _, rule := range set.Mapping.Rules {
		t.Run(strings.TrimSpace(rule.EventType+" "+rule.When), func(t *testing.T) {
			t.Parallel()
			seen := false
			for _, s := range set.Events.Events {
				e := event{kind: wire.Word{Max: 100}, order: newOrder()}
				if err := wire.ReadDocument([]byte(s.Body), &e); err != nil {
					t.Fatal(err)
				}
				wanted, conditional := strings.CutPrefix(rule.When, "refundStatus is ")
				if e.kind.S != rule.EventType || conditional && e.order.refundStatus.S != wanted {
					continue
				}
				seen = true
				got, err := e.order.snapshot()
				if err != nil {
					t.Fatal(err)
				}
				if state(got) != rule.State {
					t.Errorf("%s: state %s, want %s", s.ID, state(got), rule.State)
				}
			}
			if !seen {
				t.Error("no sample event has it")
			}
		})
	}
}

func TestSampleOrdersHaveTheSampleAmounts(t *testing.T) {
	t.Parallel()
	for _, s := range vectortest.Read(t, Name, "testdata").Events.Events {
		e := event{kind: wire.Word{Max: 100}, order: newOrder()}
		if err := wire.ReadDocument([]byte(s.Body), &e); err != nil {
			t.Fatal(err)
		}
		got, err := e.order.snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if s.Effect != "conflict" && s.AmountMinor != nil && !got.Amount.Equal(payment.NewAmount(*s.AmountMinor)) {
			t.Errorf("%s: amount %v, want %d", s.ID, got.Amount, *s.AmountMinor)
		}
		if s.RefundedTotalMinor != nil && !got.Refunded.Equal(payment.NewAmount(*s.RefundedTotalMinor)) {
			t.Errorf("%s: refunded %v, want %d", s.ID, got.Refunded, *s.RefundedTotalMinor)
		}
		if got.Currency != s.Currency {
			t.Errorf("%s: currency %s, want %s", s.ID, got.Currency, s.Currency)
		}
	}
}
