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
	first.expect(t, object{"entity": "refund", "amount": 900.0, "currency": "INR", "payment_id": one, "status": "processed"})
	if again := b.post(refund, "key-number-1", object{"amount": 900}); again.text("id") != first.text("id") {
		t.Error("the same key refunded twice")
	}
	b.refused(409, "POST", refund, "key-number-1", object{"amount": 901})
	if other := b.post("/payments/"+two+"/refund", "key-number-1", object{"amount": 900}); other.text("payment_id") != two {
		t.Errorf("another payment: %v", other)
	}
	b.refused(400, "POST", refund, "short", object{"amount": 900})
	b.refused(400, "POST", refund, "key with blanks", object{"amount": 900})
	b.get("/payments/"+one).expect(t, object{"status": "captured", "amount_refunded": 900.0, "refund_status": "partial"})
	b.refused(400, "POST", refund, "key-number-2", object{"amount": 4001})
	all := b.post(refund, "key-number-3", object{})
	all.expect(t, object{"amount": 4000.0})
	if again := b.post(refund, "key-number-3", object{}); again.text("id") != all.text("id") {
		t.Error("all of it, repeated, is another refund")
	}
	b.get("/payments/"+one).expect(t, object{"status": "refunded", "captured": true, "amount_refunded": 4900.0, "refund_status": "full"})
	if list := b.get("/payments/" + one + "/refunds").list("items"); !slices.Equal(ids(list), []string{all.text("id"), first.text("id")}) {
		t.Errorf("refunds %v", list)
	}
	if list := b.get("/refunds?count=2&skip=1").list("items"); len(list) != 2 || list[1].text("id") != first.text("id") {
		t.Errorf("all refunds %v", list)
	}
	b.get("/refunds/"+first.text("id")).expect(t, object{"id": first.text("id"), "amount": 900.0})
	b.refused(400, "POST", "/payments/"+b.Act(b.link("c"), "authorise", "").Order.Payments[0].Ref+"/refund", "", object{})
}

func TestReservedMoneyThatIsLetGoIsRefundedAndWasNeverCaptured(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for ref, action := range map[string]string{"a": "fail", "b": "expire"} {
		id := b.link(ref)
		p := b.Act(id, "authorise", "").Order.Payments[0].Ref
		b.get("/payments/"+p).expect(t, object{"status": "authorized", "captured": false})
		b.Act(id, action, "")
		b.get("/payments/"+p).expect(t, object{"status": "refunded", "captured": false, "amount_refunded": 4900.0, "refund_status": "full"})
		list := b.get("/payments/" + p + "/refunds").list("items")
		if len(list) != 1 {
			t.Fatalf("refunds %v", list)
		}
		b.get("/refunds/"+list[0].text("id")).expect(t, object{"amount": 4900.0, "payment_id": p, "status": "processed"})
		l := b.get("/payment_links/" + id)
		l.expect(t, object{"amount_paid": 0.0, "order_id": nil})
	}
}

func TestDisputesAreFoundByTheirIDAndInTheirList(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.Act(b.link("a"), "pay", "").Order.Payments[0].Ref
	ref := b.Act(p, "dispute", `{"amount":"900"}`).Order.Disputes[0].Ref
	b.get("/disputes/"+ref).expect(t, object{"entity": "dispute", "payment_id": p, "amount": 900.0, "amount_deducted": 0.0, "status": "open", "phase": "chargeback"})
	if list := b.get("/disputes?from=" + seconds(time.Now().Add(-time.Hour).Unix())).list("items"); !slices.Equal(ids(list), []string{ref}) {
		t.Errorf("listed %v", list)
	}
	b.Act(p, "dispute_lose", "")
	b.get("/disputes/"+ref).expect(t, object{"status": "lost", "amount_deducted": 900.0})
}

func TestMerchantsCaptureAllAndCancelLinks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.link("a")
	p := b.Act(id, "authorise", "").Order.Payments[0].Ref
	b.refused(400, "POST", "/payments/"+p+"/capture", "", object{"amount": 900, "currency": "INR"})
	b.post("/payments/"+p+"/capture", "", object{"amount": 4900, "currency": "INR"}).expect(t, object{"status": "captured"})
	b.refused(400, "POST", "/payments/"+p+"/capture", "", object{"amount": 4900, "currency": "INR"})
	b.refused(400, "POST", "/payment_links/"+id+"/cancel", "", object{})
	other := b.link("b")
	b.post("/payment_links/"+other+"/cancel", "", object{}).expect(t, object{"status": "cancelled"})
	status, raw := b.Practice("POST", "/v1/test/orders/"+b.link("c")+"/authorise", "")
	if status != 200 {
		t.Fatalf("%d %s", status, raw)
	}
	if status, raw = b.Practice("POST", "/v1/test/orders/c/capture", `{"amount":"900"}`); status != 409 {
		t.Errorf("a part was captured: %d %s", status, raw)
	}
}
