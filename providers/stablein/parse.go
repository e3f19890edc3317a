package stablein

import (
	"crypto/sha256"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
)

// Parse reads the one event in raw, which Verify has let through. Its errors
// are payment.ErrMalformed, and payment.ErrSignature where the body's id isn't
// the header's: only the body's is signed.
func (a *Adapter) Parse(header http.Header, raw []byte) ([]payment.Event, error) {
	id, err := single(header, EventIDHeader)
	if err != nil {
		return nil, err
	}
	e, err := readEvent(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: the body %w", payment.ErrMalformed, err)
	}
	if e.ID != id {
		return nil, fmt.Errorf("%w: header %s isn't the body's id", payment.ErrSignature, EventIDHeader)
	}
	return []payment.Event{e}, nil
}

func readEvent(raw []byte) (payment.Event, error) {
	e := event{kind: word{max: 100}, order: newOrder()}
	if err := readDocument(raw, &e); err != nil {
		return payment.Event{}, err
	}
	out := payment.Event{
		Provider:    Name,
		ID:          string(e.id),
		Type:        e.kind.s,
		PaymentRef:  string(e.order.id),
		OrderRef:    string(e.order.merchantOrderID),
		OccurredAt:  e.createdAt.Time,
		Fingerprint: sha256.Sum256(raw),
	}
	if e.id == "" {
		return out, faultf("has no id")
	}
	switch e.data.orderID {
	case "", e.order.id:
	default:
		if e.order.id != "" {
			return out, faultf("names two orders, in order.id and data.orderId")
		}
		out.PaymentRef = string(e.data.orderID)
	}
	if e.order.revision.given {
		out.Revision = &e.order.revision.Amount
	}
	return out, nil
}

// event is the document that a delivery carries.
type event struct {
	id        ref
	kind      word
	createdAt instant
	data      eventData
	order     order
}

func (e *event) read(dec *jsontext.Decoder) error {
	return readObject(dec,
		member{"id", &e.id},
		member{"type", &e.kind},
		member{"createdAt", &e.createdAt},
		member{"data", &e.data},
		member{"order", &e.order},
	)
}

// eventData is read for the order it may name. It may also be anything else:
// StableIn's own test vector has a text there.
type eventData struct{ orderID ref }

func (d *eventData) read(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return skip(dec)
	}
	return readObject(dec, member{"orderId", &d.orderID})
}
