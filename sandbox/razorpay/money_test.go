package razorpay_test

import (
	"slices"
	"testing"
	"time"
)

func TestMoneyGoesBackOncePerKeyAndPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.Act(b.link("a"), "pay", "").Order.Payments[0].Ref, b.Act(b.link("b"), "pay", "").Order.Payments[0].Ref
	refund := "/payments/" + one + "/refund"
	first := b.post(refund, "key-number-1", object{"amount": 900})
	first.Expect(t, object{"entity": "refund", "amount": 900.0, "currency": "INR", "payment_id": one, "status": "processed"})
	if again := b.post(refund, "key-number-1", object{"amount": 900}); again.Text("id") != first.Text("id") {
		t.Error("the same key refunded twice")
	}
	b.refused(409, "POST", refund, "key-number-1", object{"amount": 901})
	if other := b.post("/payments/"+two+"/refund", "key-number-1", object{"amount": 900}); other.Text("payment_id") != two {
		t.Errorf("another payment: %v", other)
	}
	b.refused(400, "POST", refund, "short", object{"amount": 900})
	b.refused(400, "POST", refund, "key with blanks", object{"amount": 900})
	b.get("/payments/"+one).Expect(t, object{"status": "captured", "amount_refunded": 900.0, "refund_status": "partial"})
	b.refused(400, "POST", refund, "key-number-2", object{"amount": 4001})
	all := b.post(refund, "key-number-3", object{})
	all.Expect(t, object{"amount": 4000.0})
	if again := b.post(refund, "key-number-3", object{}); again.Text("id") != all.Text("id") {
		t.Error("all of it, repeated, is another refund")
	}
	b.get("/payments/"+one).Expect(t, object{"status": "refunded", "captured": true, "amount_refunded": 4900.0, "refund_status": "full"})
	if list := b.get("/payments/" + one + "/refunds").List("items"); !slices.Equal(ids(list), []string{all.Text("id"), first.Text("id")}) {
		t.Errorf("refunds %v", list)
	}
	if list := b.get("/refunds?count=2&skip=1").List("items"); len(list) != 2 || list[1].Text("id") != first.Text("id") {
		t.Errorf("all refunds %v", list)
	}
	b.get("/refunds/"+first.Text("id")).Expect(t, object{"id": first.Text("id"), "amount": 900.0})
	b.refused(400, "POST", "/payments/"+b.Act(b.link("c"), "authorise", "").Order.Payments[0].Ref+"/refund", "", object{})
}

func TestReservedMoneyThatIsLetGoIsRefundedAndWasNeverCaptured(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for ref, action := range map[string]string{"a": "fail", "b": "expire"} {
		id := b.link(ref)
		p := b.Act(id, "authorise", "").Order.Payments[0].Ref
		b.get("/payments/"+p).Expect(t, object{"status": "authorized", "captured": false})
		b.Act(id, action, "")
		b.get("/payments/"+p).Expect(t, object{"status": "refunded", "captured": false, "amount_refunded": 4900.0, "refund_status": "full"})
		list := b.get("/payments/" + p + "/refunds").List("items")
		if len(list) != 1 {
			t.Fatalf("refunds %v", list)
		}
		b.get("/refunds/"+list[0].Text("id")).Expect(t, object{"amount": 4900.0, "payment_id": p, "status": "processed"})
		l := b.get("/payment_links/" + id)
		l.Expect(t, object{"amount_paid": 0.0, "order_id": nil})
	}
}

func TestDisputesAreFoundByTheirIDAndInTheirList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.Act(b.link("a"), "pay", "").Order.Payments[0].Ref
	ref := b.Act(p, "dispute", `{"amount":"900"}`).Order.Disputes[0].Ref
	b.get("/disputes/"+ref).Expect(t, object{"entity": "dispute", "payment_id": p, "amount": 900.0, "amount_deducted": 0.0, "status": "open", "phase": "chargeback"})
	if list := b.get("/disputes?from=" + seconds(time.Now().Add(-time.Hour).Unix())).List("items"); !slices.Equal(ids(list), []string{ref}) {
		t.Errorf("listed %v", list)
	}
	b.Act(p, "dispute_lose", "")
	b.get("/disputes/"+ref).Expect(t, object{"status": "lost", "amount_deducted": 900.0})
}

func TestMerchantsCaptureAllAndCancelLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("a")
	p := b.Act(id, "authorise", "").Order.Payments[0].Ref
	b.refused(400, "POST", "/payments/"+p+"/capture", "", object{"amount": 900, "currency": "INR"})
	b.post("/payments/"+p+"/capture", "", object{"amount": 4900, "currency": "INR"}).Expect(t, object{"status": "captured"})
	b.refused(400, "POST", "/payments/"+p+"/capture", "", object{"amount": 4900, "currency": "INR"})
	b.refused(400, "POST", "/payment_links/"+id+"/cancel", "", object{})
	other := b.link("b")
	b.post("/payment_links/"+other+"/cancel", "", object{}).Expect(t, object{"status": "cancelled"})
	status, raw := b.Practice("POST", "/v1/test/orders/"+b.link("c")+"/authorise", "")
	if status != 200 {
		t.Fatalf("%d %s", status, raw)
	}
	if status, raw = b.Practice("POST", "/v1/test/orders/c/capture", `{"amount":"900"}`); status != 409 {
		t.Errorf("a part was captured: %d %s", status, raw)
	}
}
