package sandbox

import (
	"errors"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"onceshop/payment"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func fresh(amount int64) Order {
	return Order{
		ID: "order", Revision: 1, Status: payment.Pending, RefundStatus: payment.NotRefunded, Currency: "EUR",
		Amount: payment.NewAmount(amount), Risk: initialRisk(noon, time.Hour),
	}
}

// step is one change, as a test writes it.
type step func(Order) (Order, string, error)

func pay(n int64, confirmations int) step {
	return func(o Order) (Order, string, error) { return o.pay(payment.NewAmount(n), confirmations) }
}

func confirm(n int) step { return func(o Order) (Order, string, error) { return o.confirm(n) } }
func refund(n int64) step {
	return func(o Order) (Order, string, error) { return o.refund(payment.NewAmount(n)) }
}
func fail() step   { return Order.fail }
func expire() step { return Order.expire }

func TestOrdersBecomeWhatHappenedToThem(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		steps    []step
		status   payment.Status
		refund   payment.RefundStatus
		received int64
		refunded int64
		event    string
	}{
		"paid at once":                        {[]step{pay(100, 0)}, "paid", "none", 100, 0, "payment.paid"},
		"seen, not yet final":                 {[]step{pay(100, 2)}, "confirming", "none", 0, 0, "payment.confirming"},
		"one of two confirmations":            {[]step{pay(100, 2), confirm(1)}, "confirming", "none", 0, 0, "payment.confirming"},
		"all confirmations":                   {[]step{pay(100, 2), confirm(1), confirm(1)}, "paid", "none", 100, 0, "payment.paid"},
		"more blocks than wanted":             {[]step{pay(100, 2), confirm(9)}, "paid", "none", 100, 0, "payment.paid"},
		"a part":                              {[]step{pay(40, 0)}, "pending", "none", 40, 0, "payment.pending"},
		"a part, confirmed":                   {[]step{pay(40, 1), confirm(1)}, "confirming", "none", 40, 0, "payment.confirming"},
		"a part and the rest":                 {[]step{pay(40, 0), pay(60, 0)}, "paid", "none", 100, 0, "payment.paid"},
		"a second transfer waits along":       {[]step{pay(40, 2), pay(60, 0)}, "confirming", "none", 0, 0, "payment.confirming"},
		"too much":                            {[]step{pay(150, 0)}, "paid", "none", 150, 0, "payment.paid"},
		"twice":                               {[]step{pay(100, 0), pay(100, 0)}, "paid", "none", 200, 0, "payment.paid"},
		"failed":                              {[]step{fail()}, "failed", "none", 0, 0, "payment.failed"},
		"failed while confirming":             {[]step{pay(100, 3), fail()}, "failed", "none", 0, 0, "payment.failed"},
		"expired with a part":                 {[]step{pay(40, 0), expire()}, "expired", "none", 40, 0, "payment.expired"},
		"late part":                           {[]step{expire(), pay(40, 0)}, "expired", "none", 40, 0, "payment.expired"},
		"late rest":                           {[]step{pay(40, 0), expire(), pay(70, 0)}, "paid", "none", 110, 0, "payment.paid"},
		"late and confirming":                 {[]step{expire(), pay(100, 1)}, "expired", "none", 0, 0, "payment.expired"},
		"late and confirmed":                  {[]step{expire(), pay(100, 1), confirm(1)}, "paid", "none", 100, 0, "payment.paid"},
		"paid after it failed":                {[]step{fail(), pay(100, 0)}, "paid", "none", 100, 0, "payment.paid"},
		"part refunded":                       {[]step{pay(100, 0), refund(30)}, "paid", "partial", 100, 30, "refund.completed"},
		"refunded in two parts":               {[]step{pay(100, 0), refund(30), refund(70)}, "paid", "full", 100, 100, "refund.completed"},
		"surplus refunded":                    {[]step{pay(150, 0), refund(50)}, "paid", "partial", 150, 50, "refund.completed"},
		"price refunded, surplus kept":        {[]step{pay(150, 0), refund(100)}, "paid", "full", 150, 100, "refund.completed"},
		"part of an expired order given back": {[]step{pay(40, 0), expire(), refund(40)}, "expired", "full", 40, 40, "refund.completed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, event := fresh(100), ""
			for i, do := range tt.steps {
				var err error
				if o, event, err = do(o); err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
			}
			if o.Status != tt.status || o.RefundStatus != tt.refund || event != tt.event ||
				o.Received.String() != strconv.FormatInt(tt.received, 10) || o.Refunded.String() != strconv.FormatInt(tt.refunded, 10) {
				t.Errorf("%s %s received %s refunded %s by %s", o.Status, o.RefundStatus, o.Received, o.Refunded, event)
			}
		})
	}
}

func TestWhatCannotHappenIsRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before []step
		do     step
		code   string
	}{
		"nothing paid":               {nil, pay(0, 0), "INVALID_FIELD"},
		"less than nothing":          {nil, pay(-5, 0), "INVALID_FIELD"},
		"negative confirmations":     {nil, pay(5, -1), "INVALID_FIELD"},
		"nothing to confirm":         {nil, confirm(1), "NOT_CONFIRMING"},
		"no block":                   {[]step{pay(100, 1)}, confirm(0), "INVALID_FIELD"},
		"refund before the end":      {[]step{pay(40, 0)}, refund(40), "NOT_REFUNDABLE"},
		"refund while confirming":    {[]step{pay(100, 0), pay(10, 1)}, refund(10), "NOT_REFUNDABLE"},
		"refund more than came":      {[]step{pay(100, 0)}, refund(101), "REFUND_TOO_LARGE"},
		"refund more than is left":   {[]step{pay(100, 0), refund(60)}, refund(41), "REFUND_TOO_LARGE"},
		"pay what was refunded":      {[]step{pay(100, 0), refund(100)}, pay(100, 0), "ORDER_CLOSED"},
		"a paid order can't fail":    {[]step{pay(100, 0)}, fail(), "ORDER_ENDED"},
		"a paid order can't expire":  {[]step{pay(100, 0)}, expire(), "ORDER_ENDED"},
		"an expired one can't again": {[]step{expire()}, expire(), "ORDER_ENDED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := fresh(100)
			for _, do := range tt.before {
				var err error
				if o, _, err = do(o); err != nil {
					t.Fatal(err)
				}
			}
			_, _, err := tt.do(o)
			if e, ok := errors.AsType[*Error](err); !ok || e.Code != tt.code {
				t.Errorf("got %v, want %s", err, tt.code)
			}
		})
	}
}

// TestEveryRevisionIsOneTheShopCanApply holds the sandbox's rules against the
// shop's: whatever is done here, no snapshot ever looks impossible there.
func TestEveryRevisionIsOneTheShopCanApply(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := fresh(100)
		record := payment.Record{Amount: o.Amount, Currency: o.Currency}
		apply := func(o Order) {
			d := payment.Next(record, snapshot(o))
			if d.Verdict != payment.Applied {
				t.Fatalf("revision %d is %s for the shop (%s): %+v", o.Revision, d.Verdict, d.Reason, o)
			}
			record = d.Record
		}
		apply(o)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			n := rapid.Int64Range(1, 130).Draw(t, "n")
			do := rapid.SampledFrom([]step{
				pay(n, 0), pay(n, 2), confirm(1), refund(n), fail(), expire(),
				func(o Order) (Order, string, error) {
					return o.assess(payment.Risk{Decision: "deny", ServiceStatus: "enabled", ChainEnforcement: "allowed"}, noon)
				},
			}).Draw(t, "step")
			next, _, err := do(o)
			if err != nil {
				continue
			}
			next.Revision++
			o = next
			apply(o)
		}
	})
}

func snapshot(o Order) payment.Snapshot {
	revision, _ := payment.ParseAmount(strconv.FormatUint(o.Revision, 10))
	return payment.Snapshot{
		Ref: o.ID, Revision: revision, Status: o.Status, RefundStatus: o.RefundStatus, Amount: o.Amount,
		Received: o.Received, Refunded: o.Refunded, Currency: o.Currency, Confirmations: o.Confirmations, Risk: o.Risk,
	}
}
