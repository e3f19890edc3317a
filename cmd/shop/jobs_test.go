package main

import (
	"fmt"
	"testing"

	"onceshop/lease"
	"onceshop/shoptest"
)

func TestAMailThatWasSentIsSentAgainWithTheSameKeys(t *testing.T) {
	t.Parallel()
	s, environ, number, _ := bought(t)
	jobs := decode[[]jobJSON](t, mustShop(t, environ, "jobs", "list", "--order", number, "--format", "json"))
	if len(jobs) != 3 || jobs[0].Kind != "send_licenses_mail" || jobs[0].Status != "done" {
		t.Fatalf("%+v", jobs)
	}
	wantCode(t, shop(t, environ, "jobs", "retry", fmt.Sprint(jobs[0].Seq), "--as", "ada"), exitDone, "is due")
	wantCode(t, shop(t, environ, "jobs", "retry", fmt.Sprint(jobs[1].Seq), "--as", "ada"), exitFailed, "is done")
	s.Settle()
	mails := s.Sent.All()
	if len(mails) != 2 || mails[0].ID != mails[1].ID || mails[0].Text != mails[1].Text {
		t.Errorf("%d mails; want the same one twice: %+v", len(mails), mails)
	}
	detail := decode[orderDetail](t, mustShop(t, environ, "orders", "show", number, "--format", "json"))
	if len(detail.Licenses) != 2 || len(detail.Jobs) != 3 {
		t.Errorf("%+v", detail)
	}
	wantAudit(t, s, jobs[0].OperationKey, "ada", "retry job", "due again; it was done")
	wantAudit(t, s, jobs[1].OperationKey, "ada", "retry job", "refused")
}

func TestADeadJobIsListedUntilSomebodyRevivesIt(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	environ := []string{"SHOP_DATABASE_URL=" + s.DSN}
	order, ref := s.Buy(1)
	s.Sent.Fail(lease.Permanent(fmt.Errorf("the mail server is gone for good")))
	s.Report("payment.paid", shoptest.Order{ID: ref, MerchantOrderID: order.ID, Revision: "2", PaymentStatus: "paid"})
	s.Settle()
	dead := decode[[]jobJSON](t, mustShop(t, environ, "jobs", "list", "--status", "dead", "--format", "json"))
	if len(dead) != 1 || dead[0].LastError != "the mail server is gone for good" || dead[0].Order != order.Number {
		t.Fatalf("%+v", dead)
	}
	s.Sent.Fail(nil)
	wantCode(t, shop(t, environ, "jobs", "retry", fmt.Sprint(dead[0].Seq), "--as", "ada"), exitDone, "is due")
	s.Settle()
	if n := len(s.Sent.All()); n != 1 {
		t.Errorf("%d mails", n)
	}
	wantAudit(t, s, dead[0].OperationKey, "ada", "retry job", "due again; it was dead")
	wantCode(t, shop(t, environ, "jobs", "retry", "4711"), exitFailed, "there is no job 4711")
}

func TestMoneyWithoutAnOrderIsListed(t *testing.T) {
	t.Parallel()
	s, environ, _, _ := bought(t)
	wantCode(t, shop(t, environ, "payments", "orphans"), exitDone, "every paid payment belongs to an order")
	s.Report("payment.paid", shoptest.Order{ID: "a-payment-from-elsewhere", MerchantOrderID: "not ours", PaymentStatus: "paid"})
	s.Report("payment.failed", shoptest.Order{ID: "a-failed-one-from-elsewhere", MerchantOrderID: "not ours", PaymentStatus: "failed"})
	s.Settle()
	list := decode[[]paymentJSON](t, mustShop(t, environ, "payments", "orphans", "--format", "json"))
	if len(list) != 1 || list[0].Ref != "a-payment-from-elsewhere" || list[0].Received.String() != "50000" {
		t.Errorf("%+v", list)
	}
	wantCode(t, shop(t, environ, "payments", "orphans"), exitDone, "a-payment-from-elsewhere", "0.050000 USDC")
}
