package razorpay_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"onceshop/payment"
)

// many are so many records like one, with ids of their own.
func many(n int, like record) (records []record) {
	for i := range n {
		records = append(records, like.with(record{"id": fmt.Sprint(like["id"], "_", i)}))
	}
	return records
}

func TestARefundThatIsMadeWhileTheListIsReadCountsNoOtherTwice(t *testing.T) {
	t.Parallel()
	f := paid()
	f.refunds = many(150, refund("rfnd", "pay_2", 1, "processed"))
	f.payments[1]["amount_refunded"] = 150
	if s := fetch(t, f, ours); s.Refunded.String() != "150" || len(s.Refunds) != 150 {
		t.Fatalf("refunded %s by %d refunds", s.Refunded, len(s.Refunds))
	}
	f.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("skip") == "100" {
			f.refunds = append(f.refunds, refund("rfnd_new", "pay_2", 1, "processed"))
			f.before = nil
		}
		return false
	}
	if s, err := f.adapter(t).Fetch(t.Context(), ours); !errors.Is(err, payment.ErrLater) {
		t.Errorf("refunded %s by %d refunds, %v", s.Refunded, len(s.Refunds), err)
	}
	if s := fetch(t, f, ours); s.Refunded.String() != "151" || len(s.Refunds) != 151 {
		t.Errorf("refunded %s by %d refunds, once it was asked again", s.Refunded, len(s.Refunds))
	}
}
