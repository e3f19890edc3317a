package sandbox

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"onceshop/payment"
)

// createJSON is the body of POST /v1/orders.
type createJSON struct {
	MerchantOrderID string         `json:"merchantOrderId"`
	Amount          payment.Amount `json:"amount"`
	Currency        string         `json:"currency"`
	Description     string         `json:"description"`
	ReturnURL       string         `json:"returnUrl"`
	CancelURL       string         `json:"cancelUrl"`
	ExpiresAt       time.Time      `json:"expiresAt"`
}

// createdJSON answers it; a repetition of the call gets the same bytes.
type createdJSON struct {
	Order      orderJSON `json:"order"`
	PaymentURL string    `json:"paymentUrl"`
}

var currencyCode = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,11}$`)

// maxDescription is what fits on a buyer's statement.
const maxDescription = 127

// Short keeps of a description what there is room for.
func Short(description string) string {
	runes := []rune(description)
	return string(runes[:min(len(runes), maxDescription)])
}

func (c createJSON) order() (Order, error) {
	o := Order{
		Dialect: StableIn, MerchantOrderID: c.MerchantOrderID, Amount: c.Amount, Currency: c.Currency, Description: c.Description,
		ReturnURL: c.ReturnURL, CancelURL: c.CancelURL, ExpiresAt: c.ExpiresAt.Truncate(time.Microsecond),
	}
	return o, o.check()
}

// check tells whether an order can be made as it is.
func (o Order) check() error {
	if o.MerchantOrderID == "" || len(o.MerchantOrderID) > 255 || strings.ContainsFunc(o.MerchantOrderID, unicode.IsControl) {
		return Invalid("merchantOrderId", "must have 1 to 255 bytes without control characters")
	}
	if err := checkAmount("amount", o.Amount); err != nil {
		return err
	}
	if !currencyCode.MatchString(o.Currency) {
		return Invalid("currency", "must be 2 to 12 capital letters or digits")
	}
	if utf8.RuneCountInString(o.Description) > maxDescription || strings.ContainsFunc(o.Description, unicode.IsControl) {
		return Invalid("description", "must have at most 127 characters, no control characters")
	}
	if err := checkURL("returnUrl", o.ReturnURL); err != nil {
		return err
	}
	if o.CancelURL != "" {
		if err := checkURL("cancelUrl", o.CancelURL); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) postOrder(r *http.Request) (int, any, error) {
	key, err := IdempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var body createJSON
	if err := ReadJSON(r, &body); err != nil {
		return 0, nil, err
	}
	o, err := body.order()
	if err != nil {
		return 0, nil, err
	}
	created, err := s.create(r.Context(), key, o, life{})
	if err != nil {
		return 0, nil, err
	}
	return http.StatusCreated, createdJSON{created.json(), s.PayURL(created.ID)}, nil
}

// PayURL is where a browser finds the hosted page of an order.
func (s *Server) PayURL(orderID string) string { return s.publicURL + "/pay/" + orderID }

func (s *Server) getOrder(r *http.Request) (int, any, error) {
	o, err := findOrder(r.Context(), s.db, r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	if o.Dialect != StableIn {
		return 0, nil, NotFound("order")
	}
	shown, err := s.shown(r.Context(), o)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, shown[0], nil
}

// shown is how the API tells of orders: as they are, or, while it is behind, as
// they were one revision earlier.
func (s *Server) shown(ctx context.Context, orders ...Order) ([]orderJSON, error) {
	f, err := generalFaults(ctx, s.db)
	if err != nil {
		return nil, err
	}
	list := make([]orderJSON, len(orders))
	for i, o := range orders {
		if f.APIBehind && o.Revision > 1 {
			r, err := revisionOf(ctx, s.db, o.ID, o.Revision-1)
			if err != nil {
				return nil, err
			}
			o = r.Order
		}
		list[i] = o.json()
	}
	return list, nil
}

// refundRequest is the body of POST /v1/orders/{id}/refunds.
type refundRequest struct {
	Amount payment.Amount `json:"amount"`
	Reason string         `json:"reason"`
}

// refundedJSON answers it, with the order as the refund left it.
type refundedJSON struct {
	Refund refundJSON `json:"refund"`
	Order  orderJSON  `json:"order"`
}

type refundJSON struct {
	ID        string         `json:"id"`
	Amount    payment.Amount `json:"amount"`
	Reason    string         `json:"reason"`
	CreatedAt timestamp      `json:"createdAt"`
}

func (s *Server) postRefund(r *http.Request) (int, any, error) {
	key, err := IdempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var body refundRequest
	if err := ReadJSON(r, &body); err != nil {
		return 0, nil, err
	}
	if utf8.RuneCountInString(body.Reason) > 255 {
		return 0, nil, Invalid("reason", "must have at most 255 characters")
	}
	o, err := findOrder(r.Context(), s.db, r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	if o.Dialect != StableIn {
		return 0, nil, NotFound("order")
	}
	refund, record, _, err := s.refund(r.Context(), refundOf{orderID: o.ID, key: key, amount: body.Amount, reason: body.Reason}, nil)
	if err != nil {
		return 0, nil, err
	}
	answer := refundJSON{refund.ID, refund.Amount, refund.Reason, timestamp(refund.CreatedAt)}
	return http.StatusCreated, refundedJSON{answer, record.json()}, nil
}
