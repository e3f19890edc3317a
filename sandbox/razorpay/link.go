package razorpay

import (
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// extra is what a link's request says and its entities repeat.
type extra struct {
	Reference     string         `json:"reference"`
	Notes         notes          `json:"notes"`
	Description   string         `json:"description"`
	AcceptPartial bool           `json:"acceptPartial"`
	FirstPartial  int64          `json:"firstPartial"`
	Customer      jsontext.Value `json:"customer"`
	Notify        notify         `json:"notify"`
	Remind        bool           `json:"remind"`
	Callback      string         `json:"callback"`
	ExpireBy      int64          `json:"expireBy"`
	Pages         string         `json:"pages"` // what the addresses of pages begin with
	Nonce         string         `json:"nonce"` // makes each request for a link another one
}

type notify struct {
	Email bool `json:"email"`
	SMS   bool `json:"sms"`
}

func extraOf(r sandbox.Record) extra {
	x := sandbox.Kept[extra](r.Extra)
	if x.Customer == nil {
		x.Customer = jsontext.Value("[]")
	}
	return x
}

// linkEntity is a payment link.
type linkEntity struct {
	AcceptPartial         bool           `json:"accept_partial"`
	Amount                minor          `json:"amount"`
	AmountPaid            minor          `json:"amount_paid"`
	CallbackMethod        string         `json:"callback_method"`
	CallbackURL           string         `json:"callback_url"`
	CancelledAt           int64          `json:"cancelled_at"`
	CreatedAt             int64          `json:"created_at"`
	Currency              string         `json:"currency"`
	Customer              jsontext.Value `json:"customer"`
	Description           string         `json:"description"`
	ExpireBy              int64          `json:"expire_by"`
	ExpiredAt             int64          `json:"expired_at"`
	FirstMinPartialAmount int64          `json:"first_min_partial_amount"`
	ID                    string         `json:"id"`
	Notes                 *notes         `json:"notes"`
	Notify                notify         `json:"notify"`
	OrderID               string         `json:"order_id,omitzero"`
	Payments              *[]linkPayment `json:"payments"`
	ReferenceID           string         `json:"reference_id"`
	ReminderEnable        bool           `json:"reminder_enable"`
	Reminders             []string       `json:"reminders"`
	ShortURL              string         `json:"short_url"`
	Status                string         `json:"status"`
	UpdatedAt             int64          `json:"updated_at"`
	UPILink               bool           `json:"upi_link"`
	UserID                string         `json:"user_id"`
}

// linkPayment is a payment that was captured on a link.
type linkPayment struct {
	Amount    minor  `json:"amount"`
	CreatedAt int64  `json:"created_at"`
	Method    string `json:"method"`
	PaymentID string `json:"payment_id"`
	PlinkID   string `json:"plink_id"`
	Status    string `json:"status"`
	UpdatedAt int64  `json:"updated_at"`
}

// The statuses of a link.
const (
	linkCreated       = "created"
	linkPartiallyPaid = "partially_paid"
	linkPaid          = "paid"
	linkExpired       = "expired"
	linkCancelled     = "cancelled"
)

// linkStatus knows nothing of reserved money, nor of refunds.
func linkStatus(r sandbox.Record) string {
	switch {
	case r.Status == payment.Paid:
		return linkPaid
	case r.Status == payment.Expired:
		return linkExpired
	case r.Status == payment.Failed:
		return linkCancelled
	case r.Received.Sign() > 0:
		return linkPartiallyPaid
	}
	return linkCreated
}

// linkOf draws the link of a record. Links that were given up, and those that nobody
// has tried to pay, name no order.
func linkOf(r sandbox.Record) linkEntity {
	x := extraOf(r)
	e := linkEntity{
		AcceptPartial: x.AcceptPartial, Amount: units.To(r.Amount, r.Currency), AmountPaid: units.To(r.Received, r.Currency),
		CallbackURL: x.Callback, CreatedAt: r.CreatedAt.Unix(), Currency: r.Currency, Customer: x.Customer, Description: x.Description,
		ExpireBy: x.ExpireBy, FirstMinPartialAmount: x.FirstPartial, ID: r.PageRef, Notify: x.Notify, OrderID: r.IntentRef,
		ReferenceID: x.Reference, ReminderEnable: x.Remind, Reminders: []string{}, ShortURL: x.Pages + r.ID, Status: linkStatus(r),
		UpdatedAt: r.UpdatedAt.Unix(),
	}
	if x.Callback != "" {
		e.CallbackMethod = "get"
	}
	if len(x.Notes) > 0 {
		e.Notes = &x.Notes
	}
	switch e.Status {
	case linkExpired:
		e.OrderID, e.ExpiredAt = "", r.UpdatedAt.Unix()
	case linkCancelled:
		e.OrderID, e.CancelledAt = "", r.UpdatedAt.Unix()
	}
	var captured []linkPayment
	for _, p := range r.Payments {
		if p.Captured.Sign() > 0 {
			captured = append(captured, linkPayment{
				units.To(p.Amount, r.Currency), p.CreatedAt.Unix(), "netbanking", p.Ref, r.PageRef, "captured", p.UpdatedAt.Unix(),
			})
		}
	}
	if captured != nil {
		e.Payments = &captured
	}
	return e
}
