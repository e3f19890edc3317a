package webhooks_test

import (
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/webhooks"
)

func TestWhatNoColumnHoldsIsNoReasonToRefuseAnEventForEver(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	huge, err := payment.ParseAmount(strings.Repeat("9", 65))
	if err != nil {
		t.Fatal(err)
	}
	huge = huge.Times(100) // as in a currency that a provider counts without decimals
	for name, odd := range map[string]func(*payment.Event){
		"an amount of 67 digits":         func(e *payment.Event) { e.Amount = &huge },
		"a currency that isn't ASCII":    func(e *payment.Event) { e.Currency = "€UR" },
		"the last moment that there is":  func(e *payment.Event) { e.OccurredAt = time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC) },
		"an id of 255 bytes":             func(e *payment.Event) { e.ID = strings.Repeat("ü", 127) + "x" },
		"a type of 100 bytes":            func(e *payment.Event) { e.Type = strings.Repeat("ü", 50) },
		"a reference with a zero in it":  func(e *payment.Event) { e.PaymentRef = "a\x00b" },
		"an id that another is but case": func(e *payment.Event) { e.ID = "AN ID" },
		"an id that another is but blanks": func(e *payment.Event) {
			e.ID = "an id "
		},
	} {
		e := payment.Event{Provider: "odd", ID: "an id", Type: "type", KeyID: "key"}
		if name[:5] != "an id" {
			e.ID = name
		}
		odd(&e)
		got, err := s.Inbox.Store(t.Context(), []store.Received{{Event: e, Body: []byte("{}"), Copies: 1}})
		if err != nil || got[0] != webhooks.Stored {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
