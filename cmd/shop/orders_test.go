package main

import (
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/shoptest"
)

// bought is a shop with one order that is paid and delivered.
func bought(t *testing.T) (s *shoptest.Shop, environ []string, number, ref string) {
	t.Helper()
	s = shoptest.New(t)
	order, ref := s.Buy(2)
	s.Report("payment.paid", shoptest.Order{ID: ref, MerchantOrderID: order.ID, Revision: "2", PaymentStatus: "paid", Amount: "100000"})
	s.Settle()
	return s, []string{"SHOP_DATABASE_URL=" + s.DSN}, order.Number, ref
}

func TestOrdersAreListedForPeopleAndForScripts(t *testing.T) {
	t.Parallel()
	s, environ, number, _ := bought(t)
	pending, _ := s.Buy(1)
	r := mustShop(t, environ, "orders", "list")
	wantCode(t, r, exitDone, number, pending.Number, "0.100000 USDC", "delivered")
	if strings.Contains(r.stdout, shoptest.Buyer) {
		t.Error("the list holds a mail address")
	}
	list := decode[[]map[string]any](t, mustShop(t, environ, "orders", "list", "--status", "paid", "--format", "json"))
	if len(list) != 1 || list[0]["number"] != number || list[0]["total"] != "100000" || list[0]["fulfillment_status"] != "delivered" {
		t.Errorf("%v", list)
	}
	if none := decode[[]any](t, mustShop(t, environ, "orders", "list", "--delivery", "revoked", "--format", "json")); none == nil || len(none) != 0 {
		t.Errorf("want an empty list, got %v", none)
	}
	wantCode(t, shop(t, environ, "orders", "list", "--review"), exitDone, "no such orders")
}

func TestAnOrderThatHasBeenConfirmingForADayIsStuck(t *testing.T) {
	t.Parallel()
	s, environ, _, _ := bought(t)
	order, ref := s.Buy(1)
	s.Report("payment.confirming", shoptest.Order{ID: ref, MerchantOrderID: order.ID, Revision: "2", PaymentStatus: "confirming"})
	s.Settle()
	if list := decode[[]any](t, mustShop(t, environ, "orders", "list", "--stuck", "--format", "json")); len(list) != 0 {
		t.Errorf("stuck at once: %v", list)
	}
	s.Exec("UPDATE shop_order_revisions SET created_at = created_at - INTERVAL 25 HOUR")
	list := decode[[]map[string]any](t, mustShop(t, environ, "orders", "list", "--stuck", "--format", "json"))
	if len(list) != 1 || list[0]["number"] != order.Number {
		t.Errorf("%v", list)
	}
	if now := s.Order(order.ID); now.PaymentStatus != payment.Confirming {
		t.Errorf("being stuck made the order %s", now.PaymentStatus)
	}
}

func TestAnOrderShowsWhyItIsDelivered(t *testing.T) {
	t.Parallel()
	_, environ, number, ref := bought(t)
	wantCode(t, shop(t, environ, "orders", "show", strings.ToLower(number)), exitDone,
		number, "2 × Product at 0.050000 USDC", ref, "Product, active", "send_licenses_mail, done", "yes  Payment: has paid, wants paid")
	detail := decode[orderDetail](t, mustShop(t, environ, "orders", "show", number, "--format", "json"))
	if len(detail.Licenses) != 2 || len(detail.Rules) == 0 || detail.Email != shoptest.Buyer || len(detail.Payments) != 1 {
		t.Errorf("%+v", detail)
	}
	wantCode(t, shop(t, environ, "orders", "show", "OS-AAAAA-AAAAA"), exitFailed, "there is no order OS-AAAAA-AAAAA")
}

func TestTheTimelineShowsWhatChangedAndWhatDidNot(t *testing.T) {
	t.Parallel()
	s, environ, number, ref := bought(t)
	paid := s.Platform.Order(ref)
	s.Deliver(shoptest.Event{ID: "evt-late", Type: "payment.confirming", Order: paid.With(func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "1", "confirming" })})
	s.Settle()
	s.Deliver(shoptest.Event{ID: "evt-late", Type: "payment.failed", Order: paid})
	wantCode(t, shop(t, environ, "orders", "timeline", number), exitDone, "payment_status: pending → paid", "delivered, by worker", "event evt-late", "stale", "other content under a known id")
	moments := decode[[]momentJSON](t, mustShop(t, environ, "orders", "timeline", number, "--format", "json"))
	kinds := map[string]int{}
	for i, m := range moments {
		kinds[m.What]++
		if i > 0 && m.At.After(moments[i-1].At) {
			t.Errorf("%s %s isn't older than what stands above it", m.What, m.Kind)
		}
	}
	if kinds["revision"] != 3 || kinds["event"] != 1 || kinds["conflict"] != 1 {
		t.Errorf("%v in %+v", kinds, moments)
	}
}

func TestACancellationIsWrittenDownWithItsActor(t *testing.T) {
	t.Parallel()
	s, environ, paidNumber, _ := bought(t)
	order, _ := s.Buy(1)
	wantCode(t, shop(t, environ, "orders", "cancel", order.Number, "--as", "ada"), exitDone, "is cancelled")
	if now := s.Order(order.ID); now.PaymentStatus != payment.Cancelled {
		t.Errorf("the order is %s", now.PaymentStatus)
	}
	wantAudit(t, s, order.Number, "ada", "cancel order", "cancelled")

	wantCode(t, shop(t, environ, "orders", "cancel", paidNumber, "--as", "ada"), exitFailed, "can't be cancelled; refund it instead")
	wantAudit(t, s, paidNumber, "ada", "cancel order", "refused: An order that is paid can't be cancelled")
}
