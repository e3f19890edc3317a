package stripe

import (
	"cmp"
	"strings"
	"time"

	"onceshop/payment"
	"onceshop/sandbox"
)

// extra is what a session's request says and its objects repeat.
type extra struct {
	Metadata       map[string]string `json:"metadata"`
	IntentMetadata map[string]string `json:"intentMetadata"`
	ClientRef      string            `json:"clientRef"`
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// session is a Checkout Session.
type session struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	AmountSubtotal     minor             `json:"amount_subtotal"`
	AmountTotal        minor             `json:"amount_total"`
	CancelURL          *string           `json:"cancel_url"`
	ClientReferenceID  *string           `json:"client_reference_id"`
	Created            int64             `json:"created"`
	Currency           string            `json:"currency"`
	ExpiresAt          int64             `json:"expires_at"`
	Livemode           bool              `json:"livemode"`
	Metadata           map[string]string `json:"metadata"`
	Mode               string            `json:"mode"`
	PaymentIntent      any               `json:"payment_intent"` // id, object or null
	PaymentMethodTypes []string          `json:"payment_method_types"`
	PaymentStatus      string            `json:"payment_status"`
	Status             string            `json:"status"`
	SuccessURL         string            `json:"success_url"`
	URL                *string           `json:"url"`
}

// expansion says what is answered whole instead of by its id.
type expansion struct{ intent, charge bool }

// sessionOf draws the session of a record; url is that of the hosted page.
func sessionOf(r sandbox.Record, url string, with expansion) session {
	x := sandbox.Kept[extra](r.Extra)
	s := session{
		ID: r.PageRef, Object: "checkout.session",
		AmountSubtotal: units.To(r.Amount, r.Currency), AmountTotal: units.To(r.Amount, r.Currency),
		CancelURL: sandbox.OrNull(r.CancelURL), ClientReferenceID: sandbox.OrNull(x.ClientRef), Created: r.CreatedAt.Unix(),
		Currency: strings.ToLower(r.Currency), ExpiresAt: r.ExpiresAt.Unix(), Metadata: orEmpty(x.Metadata), Mode: "payment",
		PaymentMethodTypes: []string{"card"}, PaymentStatus: "unpaid", Status: "complete", SuccessURL: r.ReturnURL,
	}
	switch {
	case r.IntentRef == "":
		s.PaymentIntent = nil
	case with.intent:
		s.PaymentIntent = intentOf(r, with.charge)
	default:
		s.PaymentIntent = r.IntentRef
	}
	if r.Status == payment.Paid {
		s.PaymentStatus = "paid"
	}
	switch ended := reserved(r); {
	case r.Status == payment.Pending:
		s.Status, s.URL = "open", sandbox.OrNull(url)
	case r.Status == payment.Expired && !r.AwaitsBlocks() && !ended:
		s.Status = "expired"
	}
	return s
}

// reserved reports whether money was ever reserved: then the page was completed,
// whatever came of it.
func reserved(r sandbox.Record) bool {
	for _, p := range r.Payments {
		if p.Status == sandbox.AttemptExpired || p.Status == sandbox.AttemptCancelled || p.Status == sandbox.AttemptAuthorised {
			return true
		}
	}
	return false
}

// intent is a PaymentIntent.
type intent struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	Amount             minor             `json:"amount"`
	AmountCapturable   minor             `json:"amount_capturable"`
	AmountReceived     minor             `json:"amount_received"`
	CancellationReason *string           `json:"cancellation_reason"`
	CaptureMethod      string            `json:"capture_method"`
	Created            int64             `json:"created"`
	Currency           string            `json:"currency"`
	LastPaymentError   *problem          `json:"last_payment_error"`
	LatestCharge       any               `json:"latest_charge"` // id, object or null
	Livemode           bool              `json:"livemode"`
	Metadata           map[string]string `json:"metadata"`
	Status             string            `json:"status"`
}

// problem is why an attempt failed.
type problem struct {
	Charge      string `json:"charge"`
	Code        string `json:"code"`
	DeclineCode string `json:"decline_code"`
	Message     string `json:"message"`
	Type        string `json:"type"`
}

const declined = "Your card has insufficient funds."

func intentOf(r sandbox.Record, whole bool) intent {
	i := intent{
		ID: r.IntentRef, Object: "payment_intent", Amount: units.To(r.Amount, r.Currency),
		AmountReceived: units.To(r.Received, r.Currency), CaptureMethod: "automatic", Created: r.CreatedAt.Unix(),
		Currency: strings.ToLower(r.Currency), Metadata: orEmpty(sandbox.Kept[extra](r.Extra).IntentMetadata), Status: "requires_payment_method",
	}
	last, _ := r.Latest()
	switch {
	case r.Status == payment.Paid:
		i.Status = "succeeded"
	case r.AwaitsBlocks():
		i.Status = "processing"
	case r.Status == payment.Authorised:
		i.Status, i.AmountCapturable = "requires_capture", units.To(r.Due(), r.Currency)
	case r.Status == payment.Expired:
		i.Status, i.CancellationReason = "canceled", sandbox.OrNull("expired")
		if last.Status == sandbox.AttemptExpired {
			i.CancellationReason = sandbox.OrNull("automatic")
		}
	case last.Status == sandbox.AttemptCancelled:
		i.Status, i.CancellationReason = "canceled", sandbox.OrNull("requested_by_customer")
	}
	if len(r.Payments) > 0 {
		i.Created = r.Payments[0].CreatedAt.Unix()
		if i.LatestCharge = last.Ref; whole {
			i.LatestCharge = chargeOf(r, last)
		}
	}
	if last.Status == sandbox.AttemptFailed {
		i.LastPaymentError = &problem{last.Ref, "card_declined", "insufficient_funds", declined, "card_error"}
	}
	return i
}

// charge is one attempt to pay.
type charge struct {
	ID             string            `json:"id"`
	Object         string            `json:"object"`
	Amount         minor             `json:"amount"`
	AmountCaptured minor             `json:"amount_captured"`
	AmountRefunded minor             `json:"amount_refunded"`
	Captured       bool              `json:"captured"`
	Created        int64             `json:"created"`
	Currency       string            `json:"currency"`
	Disputed       bool              `json:"disputed"`
	FailureCode    *string           `json:"failure_code"`
	FailureMessage *string           `json:"failure_message"`
	Livemode       bool              `json:"livemode"`
	Metadata       map[string]string `json:"metadata"`
	Paid           bool              `json:"paid"`
	PaymentIntent  string            `json:"payment_intent"`
	Refunded       bool              `json:"refunded"`
	Status         string            `json:"status"`
}

func chargeOf(r sandbox.Record, p sandbox.Payment) charge {
	refunded := r.RefundedOf(p)
	c := charge{
		ID: p.Ref, Object: "charge", Amount: units.To(p.Amount, r.Currency), AmountCaptured: units.To(p.Captured, r.Currency),
		AmountRefunded: units.To(refunded, r.Currency), Captured: p.Captured.Sign() > 0, Created: p.CreatedAt.Unix(),
		Currency: strings.ToLower(r.Currency), Metadata: orEmpty(sandbox.Kept[extra](r.Extra).IntentMetadata), Paid: true, PaymentIntent: r.IntentRef,
		Refunded: refunded.Sign() > 0 && refunded.Cmp(p.Captured) >= 0, Status: "succeeded",
	}
	switch p.Status {
	case sandbox.AttemptFailed:
		c.Paid, c.Status, c.FailureCode, c.FailureMessage = false, "failed", sandbox.OrNull("card_declined"), sandbox.OrNull(declined)
	case sandbox.AttemptConfirming:
		c.Paid, c.Status = false, "pending"
	case sandbox.AttemptCancelled, sandbox.AttemptExpired:
		// What was reserved and let go counts as refunded.
		c.AmountRefunded, c.Refunded = units.To(p.Amount.Sub(p.Captured).Add(refunded), r.Currency), p.Captured.Sign() == 0
	}
	for _, d := range r.Disputes {
		c.Disputed = c.Disputed || d.PaymentID == p.ID
	}
	return c
}

// refund is money on its way back.
type refund struct {
	ID            string            `json:"id"`
	Object        string            `json:"object"`
	Amount        minor             `json:"amount"`
	Charge        *string           `json:"charge"`
	Created       int64             `json:"created"`
	Currency      string            `json:"currency"`
	FailureReason string            `json:"failure_reason,omitzero"`
	Metadata      map[string]string `json:"metadata"`
	PaymentIntent *string           `json:"payment_intent"`
	Reason        *string           `json:"reason"`
	Status        string            `json:"status"`
}

func refundOf(r sandbox.Record, f sandbox.Refund) refund {
	paid, _ := r.Payment(f.PaymentID)
	out := refund{
		ID: f.Ref, Object: "refund", Amount: units.To(f.Amount, r.Currency), Charge: sandbox.OrNull(paid.Ref), Created: f.CreatedAt.Unix(),
		Currency: strings.ToLower(r.Currency), Metadata: orEmpty(sandbox.Kept[map[string]string](f.Extra)), PaymentIntent: sandbox.OrNull(r.IntentRef), Status: "succeeded",
	}
	if reasons[f.Reason] {
		out.Reason = &f.Reason
	}
	switch f.Status {
	case payment.RefundPending:
		out.Status = "pending"
	case payment.RefundFailed:
		out.Status, out.FailureReason = "failed", "lost_or_stolen_card"
	}
	return out
}

// reasons are those that a refund may have.
var reasons = map[string]bool{"duplicate": true, "fraudulent": true, "requested_by_customer": true}

// dispute is money claimed back by the buyer's bank.
type dispute struct {
	ID                 string            `json:"id"`
	Object             string            `json:"object"`
	Amount             minor             `json:"amount"`
	Charge             *string           `json:"charge"`
	Created            int64             `json:"created"`
	Currency           string            `json:"currency"`
	EvidenceDetails    evidence          `json:"evidence_details"`
	IsChargeRefundable bool              `json:"is_charge_refundable"`
	Livemode           bool              `json:"livemode"`
	Metadata           map[string]string `json:"metadata"`
	PaymentIntent      *string           `json:"payment_intent"`
	Reason             string            `json:"reason"`
	Status             string            `json:"status"`
}

type evidence struct {
	DueBy       int64 `json:"due_by"`
	HasEvidence bool  `json:"has_evidence"`
	PastDue     bool  `json:"past_due"`
}

// evidenceTime is how long a merchant may answer.
const evidenceTime = 7 * 24 * time.Hour

func disputeOf(r sandbox.Record, d sandbox.Dispute) dispute {
	paid, _ := r.Payment(d.PaymentID)
	out := dispute{
		ID: d.Ref, Object: "dispute", Amount: units.To(d.Amount, r.Currency), Charge: sandbox.OrNull(paid.Ref), Created: d.CreatedAt.Unix(),
		Currency: strings.ToLower(r.Currency), EvidenceDetails: evidence{DueBy: d.CreatedAt.Add(evidenceTime).Unix()},
		Metadata: map[string]string{}, PaymentIntent: sandbox.OrNull(r.IntentRef), Reason: cmp.Or(d.Reason, "product_not_received"),
		Status: "needs_response",
	}
	if d.Status != payment.DisputeOpen {
		out.Status = string(d.Status)
	}
	return out
}
