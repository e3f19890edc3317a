package adyen

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/providers/wire"
)

// Signed are the fields of an item that its signature covers, as texts.
type Signed struct {
	PSPReference        string
	OriginalReference   string
	MerchantAccountCode string
	MerchantReference   string
	Value               string // in Adyen's minor units
	Currency            string
	EventCode           string
	Success             string
}

// text is what is signed. Nothing is escaped in it: it stands for one set of fields
// only because read lets a colon into none but the merchant's reference.
func (s Signed) text() string {
	return strings.Join([]string{
		s.PSPReference, s.OriginalReference, s.MerchantAccountCode, s.MerchantReference, s.Value, s.Currency, s.EventCode, s.Success,
	}, ":")
}

// item is one notification of a delivery. All that isn't in Signed is the word of
// whoever delivered it.
type item struct {
	Signed
	value     wire.Integer
	signature wire.Text
	date      display // to show, never to decide by
}

const (
	maxReference = 100
	maxCode      = 60
	maxCurrency  = 12
)

// readItems is the one decoder: what is verified is what is parsed. A document that
// has two meanings, or fields that could be shifted into one another under the same
// signature, isn't read at all.
func readItems(raw []byte) ([]item, error) {
	var items []item
	list := wire.List{Each: func(dec *jsontext.Decoder) error {
		var i item
		err := wire.Members{"NotificationRequestItem": &i}.Read(dec)
		if err == nil && i.PSPReference == "" {
			err = wire.Faultf("has no NotificationRequestItem")
		}
		if err != nil {
			return wire.Faultf("%d: %v", len(items)+1, err)
		}
		items = append(items, i)
		return nil
	}}
	if err := wire.ReadDocument(raw, wire.Members{"notificationItems": &list}); err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, wire.Faultf("has no notificationItems")
	}
	return items, nil
}

// Read reads an item, or nothing where there is null.
func (i *item) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return wire.Skip(dec)
	}
	reference := wire.Text{}
	err := wire.Members{
		"additionalData":      wire.Lenient{"hmacSignature": &i.signature},
		"amount":              wire.Members{"currency": &part{&i.Currency, maxCurrency, true}, "value": &i.value},
		"eventCode":           &part{&i.EventCode, maxCode, false},
		"eventDate":           &i.date,
		"merchantAccountCode": &part{&i.MerchantAccountCode, maxAccount, false},
		"merchantReference":   &reference,
		"originalReference":   &part{&i.OriginalReference, maxReference, true},
		"pspReference":        &part{&i.PSPReference, maxReference, false},
		"success":             (*outcome)(&i.Success),
	}.Read(dec)
	if err != nil {
		return err
	}
	i.MerchantReference = reference.S
	if i.value.Given {
		i.Value = i.value.String()
	}
	switch "" {
	case i.PSPReference:
		return wire.Faultf("has no pspReference")
	case i.MerchantAccountCode:
		return wire.Faultf("has no merchantAccountCode")
	case i.EventCode:
		return wire.Faultf("has no eventCode")
	case i.Success:
		return wire.Faultf("has no success")
	}
	return nil
}

// isPart tells whether s may be a part of an event's id and of what is signed.
func isPart(s string, maxBytes int) bool {
	return wire.IsPlain(s, maxBytes) && !strings.ContainsAny(s, ":|")
}

// part is a signed field that isPart.
type part struct {
	into  *string
	max   int
	empty bool // an empty text is as good as none
}

func (p *part) Read(dec *jsontext.Decoder) error {
	s, given, err := wire.ReadString(dec)
	if err == nil && given && !isPart(s, p.max) && (s != "" || !p.empty) {
		return wire.Faultf("is not a text of 1 to %d bytes without blanks around it, control characters, colons and bars", p.max)
	}
	*p.into = s
	return err
}

// outcome is a text that says true or false. A JSON true is something else: signed
// it would be the same text.
type outcome string

func (o *outcome) Read(dec *jsontext.Decoder) error {
	s, given, err := wire.ReadString(dec)
	if err == nil && given && s != "true" && s != "false" {
		return wire.Faultf(`is neither the text "true" nor "false"`)
	}
	*o = outcome(s)
	return err
}

// display is a time that isn't signed: what can't be read is left out, for no
// delivery may be refused because of it.
type display struct{ time.Time }

func (d *display) Read(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '"' {
		return wire.Skip(dec)
	}
	s, _, err := wire.ReadString(dec)
	if err != nil {
		return err
	}
	if t, err := time.Parse(time.RFC3339, s); err == nil && t.Unix() >= 0 && t.UTC().Year() <= 9999 {
		d.Time = t.UTC()
	}
	return nil
}
