package adyen_test

import (
	"errors"
	"testing"

	"onceshop/payment"
	"onceshop/providers/adyen"
)

func amount(n int64) payment.Amount { return payment.NewAmount(n) }

// asked is the record of the payment before anything was told of it.
func asked() payment.Record {
	return payment.Record{
		Ref: order, Status: payment.Pending, RefundStatus: payment.NotRefunded, DisputeStatus: payment.NotDisputed,
		Amount: amount(2500), Currency: "EUR",
	}
}

func folding(t testing.TB, mode adyen.CaptureMode) *adyen.Adapter {
	t.Helper()
	c := config()
	c.CaptureMode = mode
	return adapter(t, c)
}

func TestWhatIsToldMakesThePayment(t *testing.T) {
	t.Parallel()
	auth, attempt := told("AUTHORISATION", "PSP1", true, 2500), told("AUTHORISATION", "PSP0", false, 2500)
	auth2 := told("AUTHORISATION", "PSP2", true, 2500)
	taken, refused := told("CAPTURE", "CAP1", true, 2500), told("CAPTURE", "CAP0", false, 2500)
	back := func(psp string, n int64) payment.Event { return told("REFUND", psp, true, n) }
	type sums struct{ received, refunded, reversed, takenBack int64 }
	for name, c := range map[string]struct {
		mode   adyen.CaptureMode
		events []payment.Event
		status payment.Status
		sums
	}{
		"a failed attempt":                           {adyen.Manual, []payment.Event{attempt}, payment.Pending, sums{}},
		"a failed attempt after a good one":          {adyen.Manual, []payment.Event{auth, attempt}, payment.Authorised, sums{}},
		"an authorisation":                           {adyen.Manual, []payment.Event{auth}, payment.Authorised, sums{}},
		"an authorisation that is the capture":       {adyen.Automatic, []payment.Event{auth}, payment.Paid, sums{received: 2500}},
		"both, where one is the other":               {adyen.Automatic, []payment.Event{auth, taken}, payment.Paid, sums{received: 2500}},
		"a capture":                                  {adyen.Manual, []payment.Event{taken}, payment.Paid, sums{received: 2500}},
		"a capture that was refused":                 {adyen.Manual, []payment.Event{auth, refused}, payment.Authorised, sums{}},
		"a part":                                     {adyen.Manual, []payment.Event{auth, told("CAPTURE", "CAP1", true, 1000)}, payment.Authorised, sums{received: 1000}},
		"two parts":                                  {adyen.Manual, []payment.Event{auth, told("CAPTURE", "CAP1", true, 1000), told("CAPTURE", "CAP2", true, 1500)}, payment.Paid, sums{received: 2500}},
		"a part, and the rest cancelled":             {adyen.Manual, []payment.Event{auth, told("CAPTURE", "CAP1", true, 1000), told("CANCELLATION", "CAN1", true, 1500)}, payment.Failed, sums{received: 1000}},
		"a part, and the rest expired":               {adyen.Manual, []payment.Event{auth, told("CAPTURE", "CAP1", true, 1000), told("EXPIRE", "EXP1", true, 1500)}, payment.Expired, sums{received: 1000}},
		"paid twice":                                 {adyen.Manual, []payment.Event{auth, taken, auth2, of("PSP2", told("CAPTURE", "CAP2", true, 2500))}, payment.Paid, sums{received: 5000}},
		"a capture taken back":                       {adyen.Manual, []payment.Event{auth, taken, told("CAPTURE_FAILED", "CAP1", true, 2500)}, payment.Failed, sums{takenBack: 2500}},
		"taken back before it is told of":            {adyen.Manual, []payment.Event{auth, told("CAPTURE_FAILED", "CAP1", true, 2500)}, payment.Failed, sums{takenBack: 2500}},
		"an implied capture taken back":              {adyen.Automatic, []payment.Event{auth, told("CAPTURE_FAILED", "CAP1", true, 2500)}, payment.Failed, sums{takenBack: 2500}},
		"taken back and captured again":              {adyen.Manual, []payment.Event{auth, taken, told("CAPTURE_FAILED", "CAP1", true, 2500), told("CAPTURE", "CAP2", true, 2500)}, payment.Paid, sums{received: 2500, takenBack: 2500}},
		"an implied one taken back and again":        {adyen.Automatic, []payment.Event{auth, told("CAPTURE_FAILED", "CAP1", true, 2500), told("CAPTURE", "CAP2", true, 2500)}, payment.Paid, sums{received: 2500, takenBack: 2500}},
		"cancelled":                                  {adyen.Manual, []payment.Event{auth, told("CANCELLATION", "CAN1", true, 2500)}, payment.Failed, sums{}},
		"cancelled, and nothing else told":           {adyen.Manual, []payment.Event{told("CANCELLATION", "CAN1", true, 2500)}, payment.Failed, sums{}},
		"not cancelled":                              {adyen.Manual, []payment.Event{auth, told("CANCELLATION", "CAN1", false, 2500)}, payment.Authorised, sums{}},
		"cancelled by reference":                     {adyen.Manual, []payment.Event{auth, of("", told("TECHNICAL_CANCEL", "CAN1", true, 2500))}, payment.Failed, sums{}},
		"cancelled and captured":                     {adyen.Manual, []payment.Event{auth, told("CANCELLATION", "CAN1", true, 2500), taken}, payment.Paid, sums{received: 2500}},
		"cancelled before it was taken":              {adyen.Automatic, []payment.Event{auth, told("CANCELLATION", "CAN1", true, 2500)}, payment.Failed, sums{takenBack: 2500}},
		"cancelled after it was taken":               {adyen.Automatic, []payment.Event{auth, taken, told("CANCELLATION", "CAN1", true, 2500)}, payment.Paid, sums{received: 2500}},
		"one cancelled, another live":                {adyen.Manual, []payment.Event{auth, told("CANCELLATION", "CAN1", true, 2500), auth2}, payment.Authorised, sums{}},
		"expired":                                    {adyen.Manual, []payment.Event{auth, told("EXPIRE", "EXP1", true, 2500)}, payment.Expired, sums{}},
		"expired, under a reference of its own":      {adyen.Manual, []payment.Event{auth, of("EXP1", told("EXPIRE", "EXP1", true, 2500))}, payment.Expired, sums{}},
		"one of two expired, and neither is named":   {adyen.Manual, []payment.Event{auth, auth2, of("EXP1", told("EXPIRE", "EXP1", true, 2500))}, payment.Authorised, sums{}},
		"an offer closed":                            {adyen.Manual, []payment.Event{told("OFFER_CLOSED", "PSP1", true, 2500)}, payment.Expired, sums{}},
		"an offer closed, another taken":             {adyen.Manual, []payment.Event{told("OFFER_CLOSED", "PSP0", true, 2500), auth}, payment.Authorised, sums{}},
		"an offer closed, another paid":              {adyen.Automatic, []payment.Event{told("OFFER_CLOSED", "PSP0", true, 2500), auth}, payment.Paid, sums{received: 2500}},
		"a refund":                                   {adyen.Manual, []payment.Event{taken, back("REF1", 1000)}, payment.Paid, sums{received: 2500, refunded: 1000}},
		"two refunds":                                {adyen.Manual, []payment.Event{taken, back("REF1", 1000), back("REF2", 1500)}, payment.Paid, sums{received: 2500, refunded: 2500}},
		"one refund, told twice":                     {adyen.Manual, []payment.Event{taken, back("REF1", 1000), back("REF1", 1000)}, payment.Paid, sums{received: 2500, refunded: 1000}},
		"a refund that was refused":                  {adyen.Manual, []payment.Event{taken, told("REFUND", "REF1", false, 1000)}, payment.Paid, sums{received: 2500}},
		"a refund with data":                         {adyen.Manual, []payment.Event{taken, told("REFUND_WITH_DATA", "REF1", true, 1000)}, payment.Paid, sums{received: 2500, refunded: 1000}},
		"a refund that failed":                       {adyen.Manual, []payment.Event{taken, back("REF1", 1000), told("REFUND_FAILED", "REF1", true, 1000)}, payment.Paid, sums{received: 2500, reversed: 1000}},
		"a refund that came back":                    {adyen.Manual, []payment.Event{taken, back("REF1", 1000), back("REF2", 300), told("REFUNDED_REVERSED", "REF1", true, 1000)}, payment.Paid, sums{received: 2500, refunded: 300, reversed: 1000}},
		"failed and came back, which is one":         {adyen.Manual, []payment.Event{taken, back("REF1", 1000), told("REFUNDED_REVERSED", "REF1", true, 1000), told("REFUND_FAILED", "REF1", true, 1000)}, payment.Paid, sums{received: 2500, reversed: 1000}},
		"failed before it is told of":                {adyen.Manual, []payment.Event{taken, told("REFUND_FAILED", "REF1", true, 1000)}, payment.Paid, sums{received: 2500}},
		"refunded before it was captured":            {adyen.Manual, []payment.Event{auth, back("REF1", 1000)}, payment.Authorised, sums{}},
		"more refunded than was ever authorised":     {adyen.Manual, []payment.Event{auth, taken, back("REF1", 2000), back("REF2", 2000)}, payment.Paid, sums{received: 2500, refunded: 4000}},
		"a refund of the other payment, not told of": {adyen.Manual, []payment.Event{auth, taken, of("PSP2", back("REF2", 2500))}, payment.Paid, sums{received: 2500}},
		"a refund that names no payment":             {adyen.Manual, []payment.Event{auth, taken, of("", back("REF1", 1000))}, payment.Paid, sums{received: 2500, refunded: 1000}},
		"cancelled or refunded, with nothing taken":  {adyen.Manual, []payment.Event{auth, told("CANCEL_OR_REFUND", "COR1", true, 2500)}, payment.Failed, sums{}},
		"cancelled or refunded, with money taken":    {adyen.Manual, []payment.Event{auth, told("CANCEL_OR_REFUND", "COR1", true, 2500), taken}, payment.Paid, sums{received: 2500, refunded: 2500}},
		"cancelled or refunded, with a part taken":   {adyen.Manual, []payment.Event{auth, told("CANCEL_OR_REFUND", "COR1", true, 2500), told("CAPTURE", "CAP1", true, 1000)}, payment.Authorised, sums{received: 1000, refunded: 1000}},
		"cancelled or refunded, where it is implied": {adyen.Automatic, []payment.Event{auth, told("CANCEL_OR_REFUND", "COR1", true, 2500)}, payment.Paid, sums{received: 2500, refunded: 2500}},
		"neither cancelled nor refunded":             {adyen.Manual, []payment.Event{auth, taken, told("CANCEL_OR_REFUND", "COR1", false, 2500)}, payment.Paid, sums{received: 2500}},
		"what changes nothing":                       {adyen.Manual, []payment.Event{auth, told("AUTHORISATION_ADJUSTMENT", "ADJ1", true, 9900), told("ORDER_CLOSED", "ORD1", true, 1)}, payment.Authorised, sums{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := folding(t, c.mode).Fold(order, c.events)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != c.status || !got.Received.Equal(amount(c.received)) || !got.Refunded.Equal(amount(c.refunded)) ||
				!got.Reversed.Equal(amount(c.reversed)) || !got.TakenBack.Equal(amount(c.takenBack)) {
				t.Errorf("%s, received %s, refunded %s, reversed %s, taken back %s", got.Status, got.Received, got.Refunded, got.Reversed, got.TakenBack)
			}
			if !got.Amount.Equal(amount(2500)) || got.Currency != "EUR" || got.Ref != order || got.OrderRef != order || got.Risk != payment.NotAssessed() {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestNothingToldOfAPaymentIsNotFound(t *testing.T) {
	t.Parallel()
	a := folding(t, adyen.Manual)
	for name, events := range map[string][]payment.Event{
		"no events":                  nil,
		"a report":                   {told("REPORT_AVAILABLE", "report.csv", true, 0)},
		"a dispute":                  {told("CHARGEBACK", "DSP1", true, 2500)},
		"a refund":                   {told("REFUND", "REF1", true, 1000)},
		"a refund that failed":       {told("REFUND_FAILED", "REF1", true, 1000)},
		"a capture that was refused": {told("CAPTURE", "CAP1", false, 2500)},
		"a card that was checked":    {told("AUTHORISATION", "PSP1", true, 0)},
	} {
		if s, err := a.Fold(order, events); !errors.Is(err, payment.ErrNotFound) {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	if _, err := a.Fold("", []payment.Event{told("AUTHORISATION", "PSP1", true, 2500)}); !errors.Is(err, payment.ErrNotFound) {
		t.Errorf("no reference: %v", err)
	}
}
