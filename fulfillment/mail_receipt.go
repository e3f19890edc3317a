package fulfillment

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"strings"
	"text/template"
	"unicode"

	"onceshop/license"
	"onceshop/payment"
	"onceshop/store/db"
)

// receipt is what the mail says: what was bought, for how much, and the keys.
type receipt struct {
	Shop     string
	Number   string
	Date     string
	OrderURL string
	Lines    []boughtLine
	Total    string
	Refunded string // of an order that was partially refunded before the mail went out
	Products []heldProduct
	Contact  string // the mail address for questions; empty leaves it out
}

// boughtLine is one line of the order.
type boughtLine struct {
	Name     string
	Quantity int
	Each     string
	Price    string
}

// heldProduct is the licenses of one line.
type heldProduct struct {
	Name string
	Keys []heldKey
}

// heldKey is one license's key. Of is how many units were bought.
type heldKey struct {
	Unit, Of int
	Key      string
}

// What keeps a mail from being composed.
var (
	errAllRevoked = errors.New("the order's licenses have ended")
	errResting    = errors.New("the order's licenses rest while a dispute is open")
	errIncomplete = errors.New("the order's licenses aren't all issued yet")
	errOtherKey   = errors.New("a license's key isn't the one that was issued: the secret that keys are derived with has changed")
)

// newReceipt gathers the mail's content. Licenses that were revoked aren't in it;
// if none is left there is no mail, and never one without keys (promise 10).
func newReceipt(shop, orderURL string, secret []byte, o db.Order, lines []db.OrderLine, licenses []db.ListLicensesOfOrderRow) (receipt, error) {
	money := func(a payment.Amount) string { return payment.Money{Amount: a, Currency: o.Currency}.Format("en") }
	paid := o.PlacedAt
	if o.PaidAt != nil {
		paid = *o.PaidAt
	}
	r := receipt{
		Shop: inline(shop), Number: o.Number, Date: paid.UTC().Format("2 January 2006, 15:04 UTC"),
		OrderURL: orderURL, Total: money(o.Total),
	}
	if o.RefundedAmount.Sign() > 0 {
		r.Refunded = money(o.RefundedAmount)
	}
	issued := 0
	for _, l := range lines {
		r.Lines = append(r.Lines, boughtLine{
			Name: inline(l.Name), Quantity: l.Quantity, Each: money(l.UnitPrice), Price: money(l.UnitPrice.Times(int64(l.Quantity))),
		})
		held := heldProduct{Name: inline(l.Name)}
		for _, row := range licenses {
			if row.LineNo != l.LineNo {
				continue
			}
			issued++
			key := license.Key(secret, row.ID)
			switch {
			case row.Status == "revoked":
			case license.Hash(key) != [32]byte(row.KeyHash):
				return receipt{}, errOtherKey
			default:
				held.Keys = append(held.Keys, heldKey{Unit: row.UnitNo, Of: l.Quantity, Key: key})
			}
		}
		if len(held.Keys) > 0 {
			r.Products = append(r.Products, held)
		}
	}
	switch {
	case issued < units(lines):
		return receipt{}, errIncomplete
	case len(r.Products) == 0:
		return receipt{}, errAllRevoked
	}
	return r, nil
}

func units(lines []db.OrderLine) int {
	n := 0
	for _, l := range lines {
		n += l.Quantity
	}
	return n
}

// Keys is how many keys the mail holds.
func (r receipt) Keys() int {
	n := 0
	for _, p := range r.Products {
		n += len(p.Keys)
	}
	return n
}

// Subject names the product in full, and the order. Its dash isn't ASCII, so that
// the subject is always sent encoded: a name that looks encoded itself arrives as
// it is written.
func (r receipt) Subject() string {
	noun := "license"
	if r.Keys() > 1 {
		noun = "licenses"
	}
	more := ""
	switch n := len(r.Products) - 1; {
	case n == 1:
		more = " and 1 more product"
	case n > 1:
		more = fmt.Sprintf(" and %d more products", n)
	}
	return fmt.Sprintf("Your %s for %s%s – order %s", noun, r.Products[0].Name, more, r.Number)
}

var (
	//go:embed mail_receipt.txt
	textSource string
	//go:embed mail_receipt.html
	htmlSource string

	textReceipt = template.Must(template.New("mail_receipt.txt").Parse(textSource))
	htmlReceipt = htmltemplate.Must(htmltemplate.New("mail_receipt.html").Parse(htmlSource))
)

// render writes the mail's two forms, which say the same.
func (r receipt) render() (text, html string, err error) {
	var t, h bytes.Buffer
	if err := textReceipt.Execute(&t, r); err != nil {
		return "", "", err
	}
	if err := htmlReceipt.Execute(&h, r); err != nil {
		return "", "", err
	}
	return t.String(), h.String(), nil
}

// inline keeps a name on its line and in its direction: it can't begin a header
// or a line of its own, or turn around the words that follow it.
func inline(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}
