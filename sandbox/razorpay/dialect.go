package razorpay

import (
	"cmp"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"onceshop/payment"
	"onceshop/sandbox"
)

// Name is the dialect's, in paths and in the database.
const Name = "razorpay"

// DefaultAccount is the account whose events are sent unless Config says otherwise.
const DefaultAccount = "acc_SandboxOfShop1"

// Config is what the stand-in needs to know.
type Config struct {
	KeyID, KeySecret string // the API key, sent with basic authentication; the id is rzp_test_…
	Account          string // acc_…, which events name; empty: DefaultAccount
}

// Dialect stands in for Razorpay.
type Dialect struct {
	Config
	sandbox.TextSecrets
}

// New returns the dialect, or says what is wrong with its key.
func New(c Config) (*Dialect, error) {
	if err := cmp.Or(sandbox.CheckKey("KEY_ID", c.KeyID, "rzp_test_"), sandbox.CheckKey("KEY_SECRET", c.KeySecret)); err != nil {
		return nil, err
	}
	if strings.Contains(c.KeyID, ":") {
		return nil, &sandbox.SettingError{Setting: "KEY_ID", Problem: "has a colon, which ends it"}
	}
	if c.Account = cmp.Or(c.Account, DefaultAccount); !strings.HasPrefix(c.Account, "acc_") {
		return nil, &sandbox.SettingError{Setting: "ACCOUNTS", Problem: "has an account that doesn't begin with acc_"}
	}
	return &Dialect{Config: c}, nil
}

// Profile is what the engine needs to know of Razorpay. The waits double from one
// minute on, for the day that Razorpay goes on trying.
func (*Dialect) Profile() sandbox.Profile {
	var retries []time.Duration
	for wait := time.Minute; wait <= 512*time.Minute; wait *= 2 {
		retries = append(retries, wait)
	}
	return sandbox.Profile{
		Name: Name, Title: "Razorpay", Retries: append(retries, 417*time.Minute), Untimed: true,
		Without: []string{"capture_fail", "risk"},
		Hidden:  []string{"underpay", "overpay", "twice", "late"},
	}
}

// idLetters is how many letters Razorpay's ids have behind their prefix.
const idLetters = 14

// NewRef makes ids in Razorpay's form. The hosted page is a payment link; the order
// behind it is made when the buyer first tries to pay.
func (*Dialect) NewRef(of sandbox.Kind, id uuid.UUID) string {
	prefix := map[sandbox.Kind]string{
		sandbox.PageKind: linkPrefix, sandbox.IntentKind: orderPrefix, sandbox.PaymentKind: paymentPrefix,
		sandbox.RefundKind: refundPrefix, sandbox.DisputeKind: disputePrefix,
	}[of]
	return prefix + sandbox.Letters(id, of, sandbox.Base62, idLetters)
}

// Sign signs with the newest secret alone. The event's id is in a header that isn't
// signed, and is the same in every attempt.
func (*Dialect) Sign(d *sandbox.Dispatch) error {
	id, err := uuid.Parse(d.Event.ID)
	if err != nil {
		return err
	}
	d.Header.Set("User-Agent", "Razorpay-Webhook/v1")
	d.Header.Set("X-Razorpay-Event-Id", sandbox.Letters(id, sandbox.PageKind, sandbox.Base62, idLetters))
	d.Header.Set("X-Razorpay-Signature", signature(d.Secrets[0], string(d.Body)))
	return nil
}

func signature(secret, message string) string {
	return hex.EncodeToString(sandbox.HMAC(secret, message))
}

// Accepts any 2xx.
func (*Dialect) Accepts(status int, _ []byte) sandbox.Answer { return sandbox.Any2xx(status) }

// ReturnURL tells the shop which payment the buyer comes back from, signed with the
// secret of the API key.
func (d *Dialect) ReturnURL(r sandbox.Record) string {
	at, err := url.Parse(r.ReturnURL)
	paid, ok := r.Latest()
	if err != nil || !ok || r.Status != payment.Paid {
		return r.ReturnURL
	}
	reference, status := extraOf(r).Reference, linkStatus(r)
	q := at.Query()
	q.Set("razorpay_payment_id", paid.Ref)
	q.Set("razorpay_payment_link_id", r.PageRef)
	q.Set("razorpay_payment_link_reference_id", reference)
	q.Set("razorpay_payment_link_status", status)
	q.Set("razorpay_signature", signature(d.KeySecret, strings.Join([]string{r.PageRef, reference, status, paid.Ref}, "|")))
	at.RawQuery = q.Encode()
	return at.String()
}

var (
	_ sandbox.Dialect  = (*Dialect)(nil)
	_ sandbox.Returner = (*Dialect)(nil)
)
