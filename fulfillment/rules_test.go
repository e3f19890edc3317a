package fulfillment_test

import (
	"strings"
	"testing"
	"time"

	"onceshop/fulfillment"
	"onceshop/payment"
)

func facts() fulfillment.Facts {
	return fulfillment.Facts{
		PaymentStatus: payment.Paid, RefundStatus: payment.NotRefunded, Amount: payment.NewAmount(100), Dispute: payment.NotDisputed,
		Risk: payment.NotAssessed(), Now: time.Now(),
	}
}

func TestAProviderWithoutRiskDataSaysSoAndIsAllowed(t *testing.T) {
	t.Parallel()
	clauses := fulfillment.CanFulfill(facts())
	if no := fulfillment.Blocker(clauses); no != nil {
		t.Errorf("%s has %s", no.Name, no.Has)
	}
	told := 0
	for _, c := range clauses {
		if strings.Contains(c.Has, "not assessed by this provider") {
			told++
		}
	}
	if told != 4 {
		t.Errorf("%d clauses say that nothing was assessed, want the four of the risk", told)
	}
}

func TestOnlyADisputeThatIsOverInOurFavourAllowsADelivery(t *testing.T) {
	t.Parallel()
	for status, want := range map[payment.DisputeStatus]bool{
		payment.NotDisputed: true, payment.DisputeWon: true, payment.DisputeOpen: false, payment.DisputeLost: false, "": false, "unheard of": false,
	} {
		f := facts()
		f.Dispute = status
		if got := fulfillment.Blocker(fulfillment.CanFulfill(f)) == nil; got != want {
			t.Errorf("dispute %q: allowed %v, want %v", status, got, want)
		}
	}
}

func TestAReservedPaymentIsNotDelivered(t *testing.T) {
	t.Parallel()
	f := facts()
	f.PaymentStatus = payment.Authorised
	if no := fulfillment.Blocker(fulfillment.CanFulfill(f)); no == nil || no.Name != "Payment" {
		t.Errorf("blocked by %+v", no)
	}
}
