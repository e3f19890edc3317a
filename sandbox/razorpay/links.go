package razorpay

import (
	"crypto/rand"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
	"onceshop/sandbox"
)

// A link lives for a quarter of an hour at least and half a year at most, which is
// also its life if nothing is said.
const (
	shortest = 15 * time.Minute
	longest  = 184 * 24 * time.Hour
)

// The lengths of texts, in characters.
const (
	maxReference   = 40
	maxDescription = 2048
	maxNotes       = 15
	maxNote        = 255
)

// linkRequest is the body of POST /payment_links.
type linkRequest struct {
	Amount                jsontext.Value `json:"amount"`
	Currency              string         `json:"currency"`
	AcceptPartial         bool           `json:"accept_partial"`
	FirstMinPartialAmount int64          `json:"first_min_partial_amount"`
	UPILink               bool           `json:"upi_link"`
	Description           string         `json:"description"`
	ReferenceID           string         `json:"reference_id"`
	Customer              jsontext.Value `json:"customer"`
	ExpireBy              int64          `json:"expire_by"`
	Notify                notify         `json:"notify"`
	Notes                 notes          `json:"notes"`
	CallbackURL           string         `json:"callback_url"`
	CallbackMethod        string         `json:"callback_method"`
	ReminderEnable        bool           `json:"reminder_enable"`
}

// createLink makes a link. There is no key that makes a repetition the same link: a
// reference is taken once, and whoever repeats the request is told so.
func (a api) createLink(r *http.Request) (int, any, error) {
	var q linkRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	n, err := q.order(a.PayURL(""))
	if err != nil {
		return 0, nil, err
	}
	made, err := a.Create(r.Context(), n)
	if has(err, "IDEMPOTENCY_KEY_REUSED") {
		err = bad("payment link creation with reference ID already attempted")
	}
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, linkOf(made), nil
}

func (q linkRequest) order(pages string) (n sandbox.NewOrder, err error) {
	if q.Currency == "" {
		q.Currency = "INR"
	}
	switch {
	case q.Amount == nil:
		return n, bad("amount: cannot be blank.")
	case !units.Takes(q.Currency):
		return n, bad("amount: currency: wrong input field, please find the list of supported currencies on the documentation.")
	case q.UPILink:
		return n, bad("UPI Payment Links is not supported in Test Mode.")
	case utf8.RuneCountInString(q.ReferenceID) > maxReference:
		return n, bad("reference_id: the length must be no more than 40.")
	case utf8.RuneCountInString(q.Description) > maxDescription:
		return n, bad("description: the length must be no more than 2048.")
	case q.CallbackURL == "":
		return n, bad("callback_url: is needed here, so that the buyer finds back.")
	case q.CallbackMethod != "get":
		return n, bad("callback_method: must be a valid value.")
	case q.Customer != nil && q.Customer.Kind() != '{':
		return n, bad("customer: must be an object.")
	}
	if err := q.Notes.check(); err != nil {
		return n, err
	}
	amount, err := ours(q.Amount, q.Currency)
	if err != nil {
		return n, bad("%s", err)
	}
	x := extra{
		Reference: q.ReferenceID, Notes: q.Notes, Description: q.Description, AcceptPartial: q.AcceptPartial, FirstPartial: q.FirstMinPartialAmount,
		Customer: q.Customer, Notify: q.Notify, Remind: q.ReminderEnable, Callback: q.CallbackURL, ExpireBy: q.ExpireBy, Pages: pages, Nonce: rand.Text(),
	}
	n = sandbox.NewOrder{
		Dialect: Name, MerchantRef: noReference, Amount: amount, Currency: q.Currency, Description: sandbox.Short(q.Description),
		ReturnURL: q.CallbackURL, TTL: longest, Soonest: shortest, Latest: longest,
	}
	if q.ReferenceID != "" {
		n.Key, n.MerchantRef = "reference "+q.ReferenceID, q.ReferenceID
	}
	if q.ExpireBy != 0 {
		n.ExpiresAt = time.Unix(q.ExpireBy, 0).UTC()
	}
	n.Extra, err = json.Marshal(x, json.Deterministic(true))
	return n, err
}

// noReference is what the engine calls an order without one.
const noReference = "none"

// UnmarshalJSON also takes the empty array that an API in PHP makes of no notes.
func (n *notes) UnmarshalJSON(b []byte) error {
	if strings.Join(strings.Fields(string(b)), "") == "[]" {
		*n = nil
		return nil
	}
	return json.Unmarshal(b, (*map[string]string)(n))
}

func (n notes) check() error {
	if len(n) > maxNotes {
		return bad("notes: at most 15 can be given.")
	}
	for _, value := range n {
		if utf8.RuneCountInString(value) > maxNote {
			return bad("value: the length must not be greater than 255.")
		}
	}
	return nil
}

func (a api) getLink(r *http.Request) (int, any, error) {
	found, _, err := a.find(r, linkPrefix)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, linkOf(found), only(r.URL.Query())
}

// cancelLink gives a link up that waits for its money.
func (a api) cancelLink(r *http.Request) (int, any, error) {
	found, _, err := a.find(r, linkPrefix)
	if err != nil {
		return 0, nil, err
	}
	if status := linkStatus(found); status != linkCreated && status != linkPartiallyPaid {
		return 0, nil, bad("payment link in %s state cannot be cancelled", status)
	}
	ended, err := a.Act(r.Context(), Name, found.PageRef, "fail", nil)
	return http.StatusOK, linkOf(ended), err
}

// links is a list of links, which is no collection.
type links struct {
	Links []any `json:"payment_links"`
}

func (a api) listLinks(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	w, err := window(q, "reference_id", "payment_id", "upi_link")
	if err != nil {
		return 0, nil, err
	}
	reference, paymentID := q.Get("reference_id"), q.Get("payment_id")
	w.MerchantRef, w.Order = reference, paymentID
	out := links{[]any{}}
	if paymentID != "" && !strings.HasPrefix(paymentID, paymentPrefix) {
		return http.StatusOK, out, nil
	}
	found, err := a.List(r.Context(), sandbox.PageKind, w)
	if err != nil {
		return 0, nil, err
	}
	for _, f := range found {
		_, known := f.PaymentByRef(paymentID)
		if reference != "" && extraOf(f.Record).Reference != reference || paymentID != "" && !known {
			continue
		}
		out.Links = append(out.Links, linkOf(f.Record))
	}
	return http.StatusOK, out, nil
}

func (a api) listOrders(r *http.Request) (int, any, error) {
	q := r.URL.Query()
	w, err := window(q, "receipt")
	if err != nil {
		return 0, nil, err
	}
	w.MerchantRef = q.Get("receipt")
	found, err := a.List(r.Context(), sandbox.IntentKind, w)
	if err != nil {
		return 0, nil, err
	}
	var items []any
	for _, f := range found {
		if w.MerchantRef == "" || extraOf(f.Record).Reference == w.MerchantRef {
			items = append(items, orderOf(f.Record))
		}
	}
	return http.StatusOK, collect(items), nil
}

// findOrder is find for orders: a link that is behind its first attempt, as it may be
// practised, has none yet.
func (a api) findOrder(r *http.Request) (sandbox.Record, error) {
	found, _, err := a.find(r, orderPrefix)
	if err == nil && found.IntentRef == "" {
		err = sandbox.NotFound("entity")
	}
	return found, err
}

func (a api) getOrder(r *http.Request) (int, any, error) {
	found, err := a.findOrder(r)
	if err != nil {
		return 0, nil, err
	}
	return http.StatusOK, orderOf(found), only(r.URL.Query())
}

func (a api) listAttempts(r *http.Request) (int, any, error) {
	found, err := a.findOrder(r)
	if err != nil {
		return 0, nil, err
	}
	var items []any
	for _, p := range found.Payments {
		items = append(items, paymentOf(found, p))
	}
	return http.StatusOK, collect(items), only(r.URL.Query())
}

// captureRequest is the body of POST /payments/{id}/capture.
type captureRequest struct {
	Amount   jsontext.Value `json:"amount"`
	Currency string         `json:"currency"`
}

// capture takes all that is authorised.
func (a api) capture(r *http.Request) (int, any, error) {
	var q captureRequest
	if err := sandbox.ReadJSON(r, &q); err != nil {
		return 0, nil, err
	}
	found, p, err := a.findPayment(r)
	if err != nil {
		return 0, nil, err
	}
	amount, err := ours(q.Amount, found.Currency)
	switch {
	case err != nil:
		return 0, nil, bad("%s", err)
	case p.Status != sandbox.AttemptAuthorised || found.Status != payment.Authorised:
		return 0, nil, bad("This payment has already been captured, or can't be")
	case !amount.Equal(p.Amount) || q.Currency != found.Currency:
		return 0, nil, bad("Capture amount must be equal to the amount authorized")
	}
	taken, err := a.Act(r.Context(), Name, p.Ref, "capture", nil)
	if err != nil {
		return 0, nil, err
	}
	p, _ = taken.Payment(p.ID)
	return http.StatusOK, paymentOf(taken, p), nil
}
