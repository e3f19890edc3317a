package sandbox

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	Order      jsontext.Value `json:"order"`
	PaymentURL string         `json:"paymentUrl"`
}

var currencyCode = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,11}$`)

// maxDescription is what fits on a buyer's statement.
const maxDescription = 127

func (c createJSON) order() (Order, error) {
	o := Order{
		MerchantOrderID: c.MerchantOrderID, Amount: c.Amount, Currency: c.Currency, Description: c.Description,
		ReturnURL: c.ReturnURL, CancelURL: c.CancelURL, ExpiresAt: c.ExpiresAt.Truncate(time.Microsecond),
	}
	if o.MerchantOrderID == "" || len(o.MerchantOrderID) > 255 || strings.ContainsFunc(o.MerchantOrderID, unicode.IsControl) {
		return o, invalid("merchantOrderId", "must have 1 to 255 bytes without control characters")
	}
	if err := checkAmount("amount", o.Amount); err != nil {
		return o, err
	}
	if !currencyCode.MatchString(o.Currency) {
		return o, invalid("currency", "must be 2 to 12 capital letters or digits")
	}
	if utf8.RuneCountInString(o.Description) > maxDescription || strings.ContainsFunc(o.Description, unicode.IsControl) {
		return o, invalid("description", "must have at most 127 characters, no control characters")
	}
	if err := checkURL("returnUrl", o.ReturnURL); err != nil {
		return o, err
	}
	if o.CancelURL != "" {
		if err := checkURL("cancelUrl", o.CancelURL); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (s *Server) postOrder(r *http.Request) (int, any, error) {
	key, err := idempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var body createJSON
	if err := readJSON(r, &body); err != nil {
		return 0, nil, err
	}
	o, err := body.order()
	if err != nil {
		return 0, nil, err
	}
	e, err := s.create(r.Context(), key, o)
	if err != nil {
		return 0, nil, err
	}
	order, err := e.order()
	return http.StatusCreated, createdJSON{order, s.payURL(e.OrderID)}, err
}

func (s *Server) payURL(orderID string) string { return s.publicURL + "/pay/" + orderID }

func (s *Server) getOrder(r *http.Request) (int, any, error) {
	o, err := findOrder(r.Context(), s.db, r.PathValue("id"))
	if err != nil {
		return 0, nil, err
	}
	shown, err := s.shown(r.Context(), o)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, shown[0], nil
}

// shown is how the API tells of orders: as they are, or, while it is behind, as
// they were announced one revision earlier.
func (s *Server) shown(ctx context.Context, orders ...Order) ([]jsontext.Value, error) {
	f, err := generalFaults(ctx, s.db)
	if err != nil {
		return nil, err
	}
	list := make([]jsontext.Value, len(orders))
	for i, o := range orders {
		if f.APIBehind && o.Revision > 1 {
			var e Event
			if e, err = revisionEvent(ctx, s.db, o.ID, o.Revision-1); err == nil {
				list[i], err = e.order()
			}
		} else {
			list[i], err = json.Marshal(o.json())
		}
		if err != nil {
			return nil, err
		}
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
	Refund refundJSON     `json:"refund"`
	Order  jsontext.Value `json:"order"`
}

type refundJSON struct {
	ID        string         `json:"id"`
	Amount    payment.Amount `json:"amount"`
	Reason    string         `json:"reason"`
	CreatedAt timestamp      `json:"createdAt"`
}

func (s *Server) postRefund(r *http.Request) (int, any, error) {
	key, err := idempotencyKey(r)
	if err != nil {
		return 0, nil, err
	}
	var body refundRequest
	if err := readJSON(r, &body); err != nil {
		return 0, nil, err
	}
	if utf8.RuneCountInString(body.Reason) > 255 {
		return 0, nil, invalid("reason", "must have at most 255 characters")
	}
	refund, e, err := s.refund(r.Context(), r.PathValue("id"), key, body.Amount, body.Reason, nil)
	if err != nil {
		return 0, nil, err
	}
	order, err := e.order()
	answer := refundJSON{refund.ID, refund.Amount, refund.Reason, timestamp(refund.CreatedAt)}
	return http.StatusCreated, refundedJSON{answer, order}, err
}
