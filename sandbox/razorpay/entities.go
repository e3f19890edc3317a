package razorpay

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// What ids begin with.
const (
	linkPrefix    = "plink_"
	orderPrefix   = "order_"
	paymentPrefix = "pay_"
	refundPrefix  = "rfnd_"
	disputePrefix = "disp_"
)

// notes are what the merchant wrote down: an object, but an empty array when there
// is nothing in it.
type notes map[string]string

// MarshalJSON writes them as Razorpay does.
func (n notes) MarshalJSON() ([]byte, error) {
	if len(n) == 0 {
		return []byte("[]"), nil
	}
	return json.Marshal(map[string]string(n), json.Deterministic(true))
}

// paymentEntity is one attempt to pay.
type paymentEntity struct {
	ID               string         `json:"id"`
	Entity           string         `json:"entity"`
	Amount           minor          `json:"amount"`
	Currency         string         `json:"currency"`
	Status           string         `json:"status"`
	OrderID          string         `json:"order_id"`
	InvoiceID        *string        `json:"invoice_id"`
	International    bool           `json:"international"`
	Method           string         `json:"method"`
	AmountRefunded   minor          `json:"amount_refunded"`
	RefundStatus     *string        `json:"refund_status"`
	Captured         bool           `json:"captured"`
	Description      string         `json:"description"`
	CardID           *string        `json:"card_id"`
	Bank             string         `json:"bank"`
	Wallet           *string        `json:"wallet"`
	VPA              *string        `json:"vpa"`
	Email            *string        `json:"email"`
	Contact          *string        `json:"contact"`
	Notes            notes          `json:"notes"`
	Fee              *int           `json:"fee"`
	Tax              *int           `json:"tax"`
	ErrorCode        *string        `json:"error_code"`
	ErrorDescription *string        `json:"error_description"`
	ErrorSource      *string        `json:"error_source"`
	ErrorStep        *string        `json:"error_step"`
	ErrorReason      *string        `json:"error_reason"`
	AcquirerData     jsontext.Value `json:"acquirer_data"`
	CreatedAt        int64          `json:"created_at"`
}

func paymentOf(r sandbox.Record, p sandbox.Payment) paymentEntity {
	e := paymentEntity{
		ID: p.Ref, Entity: "payment", Amount: units.To(p.Amount, r.Currency), Currency: r.Currency, Status: "captured",
		OrderID: r.IntentRef, Method: "netbanking", Description: "#" + strings.TrimPrefix(r.PageRef, linkPrefix), Bank: "HDFC",
		Notes: extraOf(r).Notes, AcquirerData: jsontext.Value(`{"bank_transaction_id":null}`), CreatedAt: p.CreatedAt.Unix(),
	}
	refunded := r.RefundedOf(p)
	switch p.Status {
	case sandbox.AttemptConfirming:
		e.Status = "created"
	case sandbox.AttemptAuthorised:
		e.Status = "authorized"
	case sandbox.AttemptFailed:
		e.Status = "failed"
		e.ErrorCode, e.ErrorDescription = sandbox.OrNull("BAD_REQUEST_ERROR"), sandbox.OrNull("Payment failed")
		e.ErrorSource, e.ErrorStep, e.ErrorReason = sandbox.OrNull("bank"), sandbox.OrNull("payment_authorization"), sandbox.OrNull("payment_failed")
	case sandbox.AttemptCancelled, sandbox.AttemptExpired:
		// What isn't captured in time goes back by itself, and never was received.
		refunded = p.Amount
	default:
		e.Captured, e.Fee, e.Tax = true, new(int), new(int)
	}
	switch {
	case refunded.Sign() == 0:
	case refunded.Cmp(p.Amount) < 0:
		e.RefundStatus = sandbox.OrNull("partial")
	default:
		e.RefundStatus, e.Status = sandbox.OrNull("full"), "refunded"
	}
	e.AmountRefunded = units.To(refunded, r.Currency)
	return e
}

// orderEntity bundles the attempts that are made on one page.
type orderEntity struct {
	ID         string  `json:"id"`
	Entity     string  `json:"entity"`
	Amount     minor   `json:"amount"`
	AmountPaid minor   `json:"amount_paid"`
	AmountDue  minor   `json:"amount_due"`
	Currency   string  `json:"currency"`
	Receipt    *string `json:"receipt"`
	OfferID    *string `json:"offer_id"`
	Status     string  `json:"status"`
	Attempts   int     `json:"attempts"`
	Notes      notes   `json:"notes"`
	CreatedAt  int64   `json:"created_at"`
}

// orderOf draws the order of a record that has one. It stays paid after refunds.
func orderOf(r sandbox.Record) orderEntity {
	x := extraOf(r)
	e := orderEntity{
		ID: r.IntentRef, Entity: "order", Amount: units.To(r.Amount, r.Currency), AmountPaid: units.To(r.Received, r.Currency),
		AmountDue: units.To(r.Due(), r.Currency), Currency: r.Currency, Receipt: sandbox.OrNull(x.Reference), Status: "attempted",
		Attempts: len(r.Payments), Notes: x.Notes, CreatedAt: r.CreatedAt.Unix(),
	}
	if len(r.Payments) > 0 {
		e.CreatedAt = r.Payments[0].CreatedAt.Unix()
	}
	if r.Status == payment.Paid {
		e.Status = "paid"
	}
	return e
}

// refundEntity is money on its way back.
type refundEntity struct {
	ID             string         `json:"id"`
	Entity         string         `json:"entity"`
	Amount         minor          `json:"amount"`
	Currency       string         `json:"currency"`
	PaymentID      string         `json:"payment_id"`
	Notes          notes          `json:"notes"`
	Receipt        *string        `json:"receipt"`
	AcquirerData   jsontext.Value `json:"acquirer_data"`
	CreatedAt      int64          `json:"created_at"`
	BatchID        *string        `json:"batch_id"`
	Status         string         `json:"status"`
	SpeedProcessed string         `json:"speed_processed"`
	SpeedRequested string         `json:"speed_requested"`
}

// refundExtra is what a refund's request says and the refund repeats.
type refundExtra struct {
	Notes   notes  `json:"notes"`
	Receipt string `json:"receipt"`
	Speed   string `json:"speed"`
}

func refundOf(r sandbox.Record, f sandbox.Refund) refundEntity {
	x := sandbox.Kept[refundExtra](f.Extra)
	paid, _ := r.Payment(f.PaymentID)
	e := refundEntity{
		ID: f.Ref, Entity: "refund", Amount: units.To(f.Amount, r.Currency), Currency: r.Currency, PaymentID: paid.Ref, Notes: x.Notes,
		Receipt: sandbox.OrNull(x.Receipt), AcquirerData: jsontext.Value(`{"arn":null}`), CreatedAt: f.CreatedAt.Unix(), Status: "processed",
		SpeedProcessed: "normal", SpeedRequested: cmp.Or(x.Speed, "normal"),
	}
	switch f.Status {
	case payment.RefundPending:
		e.Status = "pending"
	case payment.RefundFailed:
		e.Status = "failed"
	}
	return e
}

// givenBack tells of attempts that were reserved and never captured.
func givenBack(p sandbox.Payment) bool {
	return p.Status == sandbox.AttemptCancelled || p.Status == sandbox.AttemptExpired
}

// automaticRefund is what gives such an attempt back. The engine has no refund of
// money that was never received, so its id is made of the payment's.
func automaticRefund(r sandbox.Record, p sandbox.Payment) refundEntity {
	return refundOf(r, sandbox.Refund{
		Ref: refundPrefix + strings.TrimPrefix(p.Ref, paymentPrefix), PaymentID: p.ID, Amount: p.Amount,
		Status: payment.RefundDone, CreatedAt: p.UpdatedAt,
	})
}

// disputeEntity is money claimed back by the buyer's bank.
type disputeEntity struct {
	ID             string `json:"id"`
	Entity         string `json:"entity"`
	PaymentID      string `json:"payment_id"`
	Amount         minor  `json:"amount"`
	Currency       string `json:"currency"`
	AmountDeducted minor  `json:"amount_deducted"`
	ReasonCode     string `json:"reason_code"`
	RespondBy      int64  `json:"respond_by"`
	Status         string `json:"status"`
	Phase          string `json:"phase"`
	CreatedAt      int64  `json:"created_at"`
}

// responseTime is how long a merchant may answer.
const responseTime = 7 * 24 * time.Hour

func disputeOf(r sandbox.Record, d sandbox.Dispute) disputeEntity {
	paid, _ := r.Payment(d.PaymentID)
	e := disputeEntity{
		ID: d.Ref, Entity: "dispute", PaymentID: paid.Ref, Amount: units.To(d.Amount, r.Currency), Currency: r.Currency,
		ReasonCode: cmp.Or(d.Reason, "goods_or_services_not_received"), RespondBy: d.CreatedAt.Add(responseTime).Unix(),
		Status: string(d.Status), Phase: "chargeback", CreatedAt: d.CreatedAt.Unix(),
	}
	if d.Status == payment.DisputeLost {
		e.AmountDeducted = e.Amount
	}
	return e
}
