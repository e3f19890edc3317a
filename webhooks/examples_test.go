package webhooks_test

import (
	"net/http"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/store/db"
)

// exampleRef is the payment that the published example events are about.
const exampleRef = "7d0c2a54-1c1b-4c8e-9a55-3b1d6f2e9001"

// example is a published event with the signature that was published with it.
type example struct {
	id, body, signature string
	order               shoptest.Order // what the platform's API says after it
}

func exampleBody(id, kind, status, refund, refunded, revision string) string {
	return `{"id":"` + id + `","type":"` + kind + `","order":{"id":"` + exampleRef + `","paymentStatus":"` + status +
		`","refundStatus":"` + refund + `","amount":"50000","refundedAmount":"` + refunded + `","currency":"USDC","revision":"` + revision +
		`","fulfillmentDecision":"allow","merchantRisk":{"serviceStatus":"enabled","chainEnforcement":"allowed"}}}`
}

var (
	exConfirming = example{"e0000000-0000-4000-8000-000000000001",
		exampleBody("e0000000-0000-4000-8000-000000000001", "payment.confirming", "confirming", "none", "0", "1"),
		"v1=b98f9f792a7932f1e21013b6df7100e212c5680c24297cc29d53479a378ca4c6",
		shoptest.Order{ID: exampleRef, Revision: "1", PaymentStatus: "confirming"}}
	exPaid = example{"e0000000-0000-4000-8000-000000000002",
		exampleBody("e0000000-0000-4000-8000-000000000002", "payment.paid", "paid", "none", "0", "2"),
		"v1=c1ec2598492e24ca8b5bf267c1eb7be1b8504f01827f6ff92e19cff2837e9f4d",
		shoptest.Order{ID: exampleRef, Revision: "2", PaymentStatus: "paid"}}
	exPartial = example{"e0000000-0000-4000-8000-000000000003",
		exampleBody("e0000000-0000-4000-8000-000000000003", "refund.completed", "paid", "partial", "20000", "3"),
		"v1=9069bfb45311a4f260ead8b17b1df2bb47c9a43b808faf122c9cf4b355f8da66",
		shoptest.Order{ID: exampleRef, Revision: "3", PaymentStatus: "paid", RefundStatus: "partial", RefundedAmount: "20000"}}
	exFull = example{"e0000000-0000-4000-8000-000000000004",
		exampleBody("e0000000-0000-4000-8000-000000000004", "refund.completed", "paid", "full", "50000", "4"),
		"v1=986f996876a5cd1d8145e40ce940dd4e62391c132be07da09dce7be14fa9e5c3",
		shoptest.Order{ID: exampleRef, Revision: "4", PaymentStatus: "paid", RefundStatus: "full", RefundedAmount: "50000"}}
)

// request sends bytes under the headers of the example clock.
func request(s *shoptest.Shop, eventID, signature, body string) *http.Request {
	r := shoptest.Signed(s.URL(), eventID, shoptest.Secret, []byte(body))
	if signature != "" {
		r.Header.Set("StableIn-Signature", signature)
	}
	return r
}

// send delivers a published example as it was published.
func send(s *shoptest.Shop, e example) {
	s.Helper()
	if a := s.Do(request(s, e.id, e.signature, e.body)); a.Status != 200 || strings.TrimSpace(a.Body) != `{"received":true}` {
		s.Errorf("%s: answer %d %s", e.id, a.Status, a.Body)
	}
}

// happens makes the platform's record that of the example, and delivers it.
func happens(s *shoptest.Shop, e example) {
	s.Helper()
	s.Platform.Set(e.order)
	send(s, e)
	s.Settle()
}

// exampleShop is a shop with one order whose payment is the examples'.
func exampleShop(t *testing.T) (*shoptest.Shop, db.Order) {
	t.Helper()
	s := shoptest.New(t)
	s.Platform.NextID(exampleRef)
	order, _ := s.Buy(1)
	return s, order
}

func verdict(s *shoptest.Shop, e example) string {
	s.Helper()
	return store.Deref(s.Event(e.id).Verdict)
}

func TestThePublishedExamplesLeadToARefundedOrderWithARevokedLicense(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)

	happens(s, exConfirming)
	if o := s.Order(order.ID); o.PaymentStatus != payment.Confirming {
		t.Fatalf("after confirming: %s", o.PaymentStatus)
	}
	happens(s, exPaid)
	if o, l := s.Order(order.ID), s.Licenses(order.ID); o.PaymentStatus != payment.Paid || len(l) != 1 || l[0].Status != "active" {
		t.Fatalf("after paid: %s, licenses %+v", o.PaymentStatus, l)
	}
	happens(s, exPartial)
	if o, l := s.Order(order.ID), s.Licenses(order.ID); o.RefundStatus != payment.PartiallyRefunded ||
		o.RefundedAmount.String() != "20000" || l[0].Status != "active" {
		t.Fatalf("after the partial refund: %s %s, license %s", o.RefundStatus, o.RefundedAmount, l[0].Status)
	}
	happens(s, exFull)
	o, l := s.Order(order.ID), s.Licenses(order.ID)
	if o.RefundStatus != payment.FullyRefunded || o.FulfillmentStatus != store.DeliveryRevoked ||
		l[0].Status != "revoked" || store.Deref(l[0].Reason) != "refunded" {
		t.Fatalf("after the full refund: %s %s, license %+v", o.RefundStatus, o.FulfillmentStatus, l[0])
	}
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails, want 1", n)
	}
	for _, e := range []example{exConfirming, exPaid, exPartial, exFull} {
		if v := verdict(s, e); v != "applied" {
			t.Errorf("event %s: %s", e.id, v)
		}
	}
}

func TestPaidAfterAFullRefundBringsNothingBack(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	s.Platform.Set(exFull.order)
	send(s, exFull)
	s.Settle()
	send(s, exPaid)
	s.Settle()
	if v := verdict(s, exPaid); v != "stale" {
		t.Errorf("the late paid event is %s, want stale", v)
	}
	if n := len(s.Licenses(order.ID)) + len(s.Sent.All()); n != 0 {
		t.Errorf("%d licenses and mails for a refunded order", n)
	}
	if o := s.Order(order.ID); o.RefundStatus != payment.FullyRefunded || o.PaymentStatus != payment.Paid {
		t.Errorf("order is %s, refund %s", o.PaymentStatus, o.RefundStatus)
	}
}

func TestConfirmingThatComesAfterPaidIsStale(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	happens(s, exPaid)
	send(s, exConfirming)
	s.Settle()
	if v := verdict(s, exConfirming); v != "stale" {
		t.Errorf("verdict %s, want stale", v)
	}
	if o := s.Order(order.ID); o.PaymentStatus != payment.Paid || o.Revision != 3 {
		t.Errorf("order is %s at revision %d", o.PaymentStatus, o.Revision)
	}
}

func TestARecordBehindTheEventLetsTheEventWait(t *testing.T) {
	t.Parallel()
	s, order := exampleShop(t)
	s.Platform.Set(exConfirming.order)
	send(s, exPaid)
	s.Settle()
	if e := s.Event(exPaid.id); e.Status != "pending" || e.Verdict != nil || store.Deref(e.OrderID) != order.ID {
		t.Errorf("event is %s, verdict %v, order %v", e.Status, e.Verdict, store.Deref(e.OrderID))
	}
	if n := len(s.Licenses(order.ID)); n != 0 {
		t.Errorf("%d licenses before the record says paid", n)
	}
	s.Platform.Set(exPaid.order)
	s.MakeDue()
	s.Settle()
	if v := verdict(s, exPaid); v != "applied" {
		t.Errorf("verdict %s, want applied", v)
	}
	if n := len(s.Licenses(order.ID)); n != 1 {
		t.Errorf("%d licenses, want 1", n)
	}
}
