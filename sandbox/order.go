package sandbox

import (
	"math/big"
	"strconv"
	"time"

	"onceshop/payment"
)

// Order is one hosted payment as it stands now. Amounts are in the minor units
// of payment.Exponent, whatever its provider counts in.
type Order struct {
	ID              string
	Dialect         string // whose stand-in it belongs to
	PageRef         string // the provider's id of the hosted page, where it has one
	IntentRef       string // and of the payment on it as a whole, once there is one
	MerchantOrderID string
	Revision        uint64
	Status          payment.Status
	RefundStatus    payment.RefundStatus
	Currency        string

	// Amount was asked for; Received is what came for good and may be more;
	// Refunded never passes Received. Reversed is refunds that came back, TakenBack
	// captured money that the provider took back: with them the totals never shrink.
	Amount, Received, Refunded payment.Amount
	Reversed, TakenBack        payment.Amount

	// Incoming was seen but waits for blocks: it becomes Received when
	// Confirmations reach WantedConfirmations, or vanishes.
	Incoming                           payment.Amount
	Confirmations, WantedConfirmations int

	Risk payment.Risk

	Description          string
	ReturnURL, CancelURL string
	Extra                []byte // what the dialect keeps of the request, in its own form
	ExpiresAt            time.Time
	CreatedAt, UpdatedAt time.Time
}

// Due is what is still missing from the amount asked for; never negative.
func (o Order) Due() payment.Amount {
	if o.Received.Cmp(o.Amount) >= 0 {
		return payment.Amount{}
	}
	return o.Amount.Sub(o.Received)
}

// Refundable is what came in and has not gone back.
func (o Order) Refundable() payment.Amount { return o.Received.Sub(o.Refunded) }

// AwaitsBlocks reports whether money is on its way but not final.
func (o Order) AwaitsBlocks() bool { return o.Incoming.Sign() > 0 }

// orderJSON is the order in the API and in events. Numbers are decimal strings:
// many readers hold numbers in 53 bits.
type orderJSON struct {
	ID                  string    `json:"id"`
	MerchantOrderID     string    `json:"merchantOrderId"`
	Revision            string    `json:"revision"`
	PaymentStatus       string    `json:"paymentStatus"`
	RefundStatus        string    `json:"refundStatus"`
	Amount              string    `json:"amount"`
	ReceivedAmount      string    `json:"receivedAmount"`
	IncomingAmount      string    `json:"incomingAmount"`
	RefundedAmount      string    `json:"refundedAmount"`
	Currency            string    `json:"currency"`
	Confirmations       string    `json:"confirmations"`
	WantedConfirmations string    `json:"wantedConfirmations"`
	FulfillmentDecision string    `json:"fulfillmentDecision"`
	MerchantRisk        riskJSON  `json:"merchantRisk"`
	Description         string    `json:"description"`
	ExpiresAt           timestamp `json:"expiresAt"`
	CreatedAt           timestamp `json:"createdAt"`
	UpdatedAt           timestamp `json:"updatedAt"`
}

type riskJSON struct {
	ServiceStatus    string     `json:"serviceStatus"`
	ChainEnforcement string     `json:"chainEnforcement"`
	AssessedAt       *timestamp `json:"assessedAt"`
	ValidUntil       *timestamp `json:"validUntil"`
}

func (o Order) json() orderJSON {
	return orderJSON{
		ID:                  o.ID,
		MerchantOrderID:     o.MerchantOrderID,
		Revision:            strconv.FormatUint(o.Revision, 10),
		PaymentStatus:       string(o.Status),
		RefundStatus:        string(o.RefundStatus),
		Amount:              o.Amount.String(),
		ReceivedAmount:      o.Received.String(),
		IncomingAmount:      o.Incoming.String(),
		RefundedAmount:      o.Refunded.String(),
		Currency:            o.Currency,
		Confirmations:       strconv.Itoa(o.Confirmations),
		WantedConfirmations: strconv.Itoa(o.WantedConfirmations),
		FulfillmentDecision: o.Risk.Decision,
		MerchantRisk: riskJSON{
			ServiceStatus:    o.Risk.ServiceStatus,
			ChainEnforcement: o.Risk.ChainEnforcement,
			AssessedAt:       (*timestamp)(o.Risk.AssessedAt),
			ValidUntil:       (*timestamp)(o.Risk.ValidUntil),
		},
		Description: o.Description,
		ExpiresAt:   timestamp(o.ExpiresAt),
		CreatedAt:   timestamp(o.CreatedAt),
		UpdatedAt:   timestamp(o.UpdatedAt),
	}
}

// timestamp prints a time in UTC to the microsecond, all digits, so that equal
// times are equal bytes.
type timestamp time.Time

const timestampLayout = "2006-01-02T15:04:05.000000Z"

func (t timestamp) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, timestampLayout), nil
}

// Missing is what is due and neither on its way nor reserved.
func (o Order) Missing() payment.Amount {
	if o.Status == payment.Authorised {
		return payment.Amount{}
	}
	missing := o.Due().Sub(o.Incoming)
	if missing.Sign() < 0 {
		return payment.Amount{}
	}
	return missing
}

// TooLittle is about half of what is missing, to practise with.
func (o Order) TooLittle() payment.Amount { return half(o.Missing()) }

// TooMuch is one and a half times what is missing, to practise with; at least
// one unit too much.
func (o Order) TooMuch() payment.Amount {
	surplus := half(o.Missing())
	if surplus.Sign() == 0 {
		surplus = payment.NewAmount(1)
	}
	return o.Missing().Add(surplus)
}

// half of an amount, rounded down.
func half(a payment.Amount) payment.Amount {
	n, ok := new(big.Int).SetString(a.String(), 10)
	if !ok {
		return payment.Amount{}
	}
	h, err := payment.ParseAmount(n.Rsh(n, 1).String())
	if err != nil {
		return payment.Amount{}
	}
	return h
}
