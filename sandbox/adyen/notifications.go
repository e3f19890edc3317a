package adyen

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"onceshop/sandbox"
)

// notification is what is sent: one item, and whose platform it comes from.
type notification struct {
	Live  string    `json:"live"`
	Items []wrapper `json:"notificationItems"`
}

type wrapper struct {
	Item item `json:"NotificationRequestItem"`
}

// item is what is told. Its signature and its date are set when it is sent.
type item struct {
	AdditionalData      additional `json:"additionalData"`
	Amount              amount     `json:"amount"`
	EventCode           string     `json:"eventCode"`
	EventDate           string     `json:"eventDate"`
	MerchantAccountCode string     `json:"merchantAccountCode"`
	MerchantReference   string     `json:"merchantReference"`
	Operations          []string   `json:"operations,omitempty"`
	OriginalReference   string     `json:"originalReference,omitzero"`
	PaymentMethod       string     `json:"paymentMethod"`
	PSPReference        string     `json:"pspReference"`
	Reason              string     `json:"reason"`
	Success             string     `json:"success"`
}

type additional struct {
	DisputeStatus string `json:"disputeStatus,omitzero"`
	Signature     string `json:"hmacSignature"`
}

// signed is the text that is signed. Nothing in it is escaped.
func (i item) signed() string {
	return strings.Join([]string{
		i.PSPReference, i.OriginalReference, i.MerchantAccountCode, i.MerchantReference,
		i.Amount.Value.String(), i.Amount.Currency, i.EventCode, i.Success,
	}, ":")
}

// dateLayout has whole seconds and an offset.
const dateLayout = "2006-01-02T15:04:05-07:00"

// Sign dates and signs the item, with the newest key, and shows the endpoint's user
// and password.
func (d *Dialect) Sign(out *sandbox.Dispatch) error {
	var n notification
	if err := json.Unmarshal(out.Event.Body, &n); err != nil {
		return err
	}
	key, err := hex.DecodeString(out.Secrets[0])
	if err != nil {
		return err
	}
	for k := range n.Items {
		i := &n.Items[k].Item
		i.EventDate = out.At.UTC().Truncate(time.Second).Format(dateLayout)
		i.AdditionalData.Signature = base64.StdEncoding.EncodeToString(sandbox.HMAC(string(key), i.signed()))
	}
	if out.Body, err = json.Marshal(n, json.Deterministic(true)); err != nil {
		return err
	}
	out.Header.Set("Content-Type", "application/json; charset=utf-8")
	if d.BasicUser != "" {
		out.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(d.BasicUser+":"+d.BasicPassword)))
	}
	return nil
}
