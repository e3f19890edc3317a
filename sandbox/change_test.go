package sandbox

import (
	"errors"
	"strconv"
	"testing"
	"time"

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

func fail() step { return Order.fail }

func expire() step { return Order.expire }

func authorise() step { return Order.authorise }

func takeBack() step { return Order.takeBack }

func capture(n int64) step {
	return func(o Order) (Order, string, error) { return o.capture(payment.NewAmount(n)) }
}

func comeBack(n int64) step {
	return func(o Order) (Order, string, error) { return o.reverse(payment.NewAmount(n)), refundFailed, nil }
}

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
		"reserved":                            {[]step{authorise()}, "authorised", "none", 0, 0, "payment.authorised"},
		"reserved and captured":               {[]step{authorise(), capture(100)}, "paid", "none", 100, 0, "payment.paid"},
		"captured in part":                    {[]step{authorise(), capture(30)}, "authorised", "none", 30, 0, "payment.authorised"},
		"captured in two parts":               {[]step{authorise(), capture(30), capture(70)}, "paid", "none", 100, 0, "payment.paid"},
		"reserved and given up":               {[]step{authorise(), fail()}, "failed", "none", 0, 0, "payment.failed"},
		"reserved and run out":                {[]step{authorise(), expire()}, "expired", "none", 0, 0, "payment.expired"},
		"an attempt failed":                   {[]step{Order.attemptFail}, "pending", "none", 0, 0, "payment.attempt_failed"},
		"paid at the second attempt":          {[]step{Order.attemptFail, pay(100, 0)}, "paid", "none", 100, 0, "payment.paid"},
		"taken back":                          {[]step{pay(100, 0), takeBack()}, "failed", "none", 0, 0, "payment.taken_back"},
		"paid again after it was taken back":  {[]step{pay(100, 0), takeBack(), pay(100, 0)}, "paid", "none", 100, 0, "payment.paid"},
		"a refund came back":                  {[]step{pay(100, 0), refund(30), comeBack(30)}, "paid", "none", 100, 0, "refund.failed"},
		"a full refund came back in part":     {[]step{pay(100, 0), refund(30), refund(70), comeBack(70)}, "paid", "partial", 100, 30, "refund.failed"},
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
		"reserve what is paid":       {[]step{pay(100, 0)}, authorise(), "NOT_AUTHORISABLE"},
		"reserve beside a part":      {[]step{pay(40, 0)}, authorise(), "NOT_AUTHORISABLE"},
		"reserve what confirms":      {[]step{pay(40, 2)}, authorise(), "NOT_AUTHORISABLE"},
		"capture what isn't there":   {nil, capture(100), "NOT_AUTHORISED"},
		"capture more than that":     {[]step{authorise()}, capture(101), "INVALID_FIELD"},
		"capture nothing":            {[]step{authorise()}, capture(0), "INVALID_FIELD"},
		"pay beside the reserved":    {[]step{authorise()}, pay(10, 0), "CAPTURE_FIRST"},
		"refund while reserved":      {[]step{authorise(), capture(10)}, refund(10), "NOT_REFUNDABLE"},
		"an attempt once it is paid": {[]step{pay(100, 0)}, Order.attemptFail, "ORDER_ENDED"},
		"an attempt while reserved":  {[]step{authorise()}, Order.attemptFail, "ORDER_ENDED"},
		"take back what is refunded": {[]step{pay(100, 0), refund(10)}, takeBack(), "NOT_CAPTURED"},
		"take back what never came":  {nil, takeBack(), "NOT_CAPTURED"},
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

func TestARefundOfAllSaysWhyNothingIsLeft(t *testing.T) {
	t.Parallel()
	paid, back := plainly(pay(100, 0)), func(r Record, _ time.Time) (Record, string, error) {
		return r.refund(refundOf{amount: payment.NewAmount(100)})
	}
	for name, tt := range map[string]struct {
		before []decision
		says   string
	}{
		"unpaid":     {nil, "nothing has been paid yet that could be refunded"},
		"confirming": {[]decision{plainly(pay(100, 2))}, "the payment has not ended yet"},
		"reserved":   {[]decision{plainly(authorise())}, "the payment has not ended yet"},
		"refunded":   {[]decision{paid, back}, "nothing of this payment is left to refund"},
		"failed":     {[]decision{plainly(fail())}, "nothing of this payment is left to refund"},
		"taken back": {[]decision{paid, plainly(takeBack())}, "nothing of this payment is left to refund"},
	} {
		r := Record{Order: fresh(100)}
		for _, do := range tt.before {
			next, _, err := do(r, noon)
			if err != nil {
				t.Fatal(err)
			}
			next.Revision++
			r = numbered(next)
		}
		for _, single := range []bool{false, true} {
			if _, _, err := r.refund(refundOf{all: true, single: single}); err == nil || err.Error() != tt.says {
				t.Errorf("%s, one attempt at a time %v: %v", name, single, err)
			}
		}
	}
}
