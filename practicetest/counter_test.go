package practicetest

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/sandbox"
	"onceshop/sandbox/sandboxtest"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/testdb"
)

// counter is a shop and the stand-in of one provider, with the provider's webhooks in
// the test's hands.
type counter struct {
	*shoptest.Shop
	bench    *sandboxtest.Bench
	provider provider
	post     *sandboxtest.Shop // takes what the provider sends; the test hands it on when it likes, as often as it likes
}

func open(t *testing.T, p provider) *counter {
	t.Helper()
	var dialects []sandbox.Dialect
	if p.dialect != nil {
		dialects = append(dialects, p.dialect(t))
	}
	c := &counter{bench: sandboxtest.New(t, testdb.NewSandbox(t), dialects...), provider: p}
	c.Shop = shoptest.New(t, shoptest.Options{Others: map[string]any{p.name: p.adapter(t, c)}})
	c.Handler.Now = time.Now
	c.Product("product", "Product", p.price, p.currency)
	c.post = c.bench.Listen(p.name, p.secret)
	return c
}

// sale is one order and its payment's name in the stand-in.
type sale struct {
	*counter
	order db.Order
	ref   string
}

func (c *counter) sell(units int) sale {
	c.Helper()
	order, _ := c.BuyWith(c.provider.name, "product", units)
	return sale{c, order, order.ID}
}

// now is the order as it is.
func (s sale) now() db.Order { s.Helper(); return s.Order(s.order.ID) }

// act lets something happen at the provider; its webhooks are on their way.
func (s sale) act(step step) {
	s.Helper()
	s.bench.Act(s.ref, step.action, step.body)
	s.bench.Deliver()
}

// outcome is how a sale ended.
type outcome struct {
	Payment, Refund, Dispute, Delivery, Review, Refunded, Received string
	Licenses                                                       []string
	Mails                                                          int
}

func (s sale) outcome() outcome {
	s.Helper()
	o := s.now()
	out := outcome{
		Payment: string(o.PaymentStatus), Refund: string(o.RefundStatus), Dispute: string(o.DisputeStatus),
		Delivery: o.FulfillmentStatus, Review: store.Deref(o.ReviewReason),
		Refunded: o.RefundedAmount.String(), Received: o.ReceivedAmount.String(),
	}
	for _, l := range s.Licenses(s.order.ID) {
		out.Licenses = append(out.Licenses, l.Status+" "+store.Deref(l.Reason))
	}
	out.Mails = s.Count("SELECT COUNT(*) FROM shop_fulfillment_outbox WHERE order_id = ? AND kind = 'send_licenses_mail'", s.order.ID)
	return out
}

// settled is an outcome without what depends on when the shop learned of things: of
// licenses that have ended there may have been none, if the end was known first.
func (o outcome) settled() outcome {
	if o.Delivery == store.DeliveryRevoked || o.Delivery == store.DeliveryWithheld || o.Payment == string(payment.Failed) {
		o.Delivery, o.Mails = "ended", 0
		o.Licenses = slices.DeleteFunc(o.Licenses, func(l string) bool { return !strings.HasPrefix(l, "active") })
	}
	return o
}

type letter = sandboxtest.Delivered

// hand brings a letter to the shop's route, which has to take it.
func (c *counter) hand(l letter) shoptest.Answer {
	c.Helper()
	r, err := http.NewRequest(http.MethodPost, c.Server.URL+"/webhooks/"+c.provider.name, bytes.NewReader(l.Body))
	if err != nil {
		c.Fatal(err)
	}
	r.Header = l.Header.Clone()
	a := c.Do(r)
	if a.Status != http.StatusOK {
		c.Fatalf("%s: answer %d %s to %s", c.provider.name, a.Status, a.Body, l.Body)
	}
	return a
}

// catchUp hands on what the provider has sent, in order, and lets the shop work.
func (c *counter) catchUp() {
	c.Helper()
	c.bench.Deliver()
	for _, l := range c.post.Take() {
		c.hand(l)
	}
	c.work()
}

// work lets the shop do all that is due, also what waits for its next attempt.
func (c *counter) work() {
	c.Helper()
	c.Settle()
	c.MakeDue()
	c.Settle()
}
