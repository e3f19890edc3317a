package sandbox_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/sandbox"
	"onceshop/sandbox/sandboxtest"
	"onceshop/testdb"
)

func TestAChangeIsToldByAsManyEventsAsTheProviderHas(t *testing.T) {
	t.Parallel()
	b, shop, r := practised(t, echo{})
	b.Deliver()
	if n := len(shop.Take()); n != 0 {
		t.Fatalf("heard %d of an order that was made", n)
	}
	b.Act(r.PageRef, "pay", "")
	refunded := b.Act("order-1", "refund", `{"amount":"900"}`)
	if got := refunded.Types(); !slices.Equal(got, []string{"refund.completed", "refund.completed.again"}) {
		t.Errorf("told %q", got)
	}
	b.Deliver()
	if n := len(shop.Take()); n != 3 {
		t.Errorf("heard %d", n)
	}
	again, err := b.Create(t.Context(), sandbox.NewOrder{
		Dialect: "echo", Key: "k", MerchantRef: "order-1", Amount: amount("4900"), Currency: "EUR",
		ReturnURL: "https://shop.example/back", Extra: []byte("kept"),
	})
	if err != nil || again.ID != r.ID || again.Revision != 1 || string(again.Extra) != "kept" {
		t.Errorf("repeated: %+v, %v", again, err)
	}
}

func TestAnOrderGoesByEveryNameItHas(t *testing.T) {
	t.Parallel()
	b, _, r := practised(t, echo{})
	b.Act(r.ID, "attempt_fail", "")
	paid := b.Act(r.PageRef, "pay", "").Order
	if len(paid.Payments) != 2 || paid.Payments[0].Status != "failed" || paid.Payments[1].Status != "captured" {
		t.Fatalf("attempts %v", paid.Payments)
	}
	b.Act(paid.Payments[0].Ref, "dispute", "")
	won := b.Act(paid.Payments[1].Ref, "dispute_win", "").Order
	refunded := b.Act(won.Disputes[0].Ref, "refund", "").Order
	back := b.Act(refunded.Refunds[0].Ref, "refund_fail", "").Order
	if back.RefundStatus != "none" || back.ReversedAmount != "4900" || back.RefundedAmount != "0" {
		t.Errorf("came back: %+v", back)
	}
	lost := b.Act("order-1", "capture_fail", "").Order
	if lost.PaymentStatus != "failed" || lost.TakenBackAmount != "4900" || lost.ReceivedAmount != "0" {
		t.Errorf("taken back: %+v", lost)
	}
	for _, ref := range []string{r.ID, r.PageRef, paid.Payments[0].Ref, refunded.Refunds[0].Ref, won.Disputes[0].Ref} {
		if found, err := b.Get(t.Context(), "echo", ref); err != nil || found.ID != r.ID {
			t.Errorf("by %s: %v", ref, err)
		}
		if _, err := b.Get(t.Context(), sandbox.StableIn, ref); err == nil {
			t.Errorf("StableIn knows %s", ref)
		}
	}
	if _, err := b.Get(t.Context(), "echo", "order-1"); err == nil {
		t.Error("the merchant's reference passed for the provider's")
	}
}

func TestEachProviderSignsSendsAndGivesUpInItsOwnWay(t *testing.T) {
	t.Parallel()
	b, shop, r := practised(t, echo{})
	shop.Always(http.StatusOK, "thank you")
	b.Act(r.ID, "pay", "")
	for range 5 {
		b.Deliver()
		b.Later()
		b.Move(time.Minute)
	}
	got := shop.Take()
	if len(got) != 3 {
		t.Fatalf("sent %d times, want the first and two retries", len(got))
	}
	for i, d := range got {
		if h := d.Header.Get("Echo-Secrets"); h != "echo-new echo-old" {
			t.Errorf("signed with %q", h)
		}
		if i > 0 && string(d.Body) == string(got[0].Body) {
			t.Error("the stamp is an old one")
		}
	}
	shop.Always(http.StatusGone, "")
	b.Act(r.ID, "dispute", "")
	b.Deliver()
	b.Later()
	b.Deliver()
	if n := len(shop.Take()); n != 1 {
		t.Errorf("sent %d times after the receiver had ended it", n)
	}
}

func TestTheSwitchesChooseTheSecret(t *testing.T) {
	t.Parallel()
	b, shop, r := practised(t, echo{})
	for _, tt := range []struct {
		faults sandbox.Faults
		want   string
	}{
		{sandbox.Faults{PreviousSecret: true}, "echo-old"},
		{sandbox.Faults{WrongSignature: true}, "echo-made-up"},
	} {
		b.Faults(tt.faults)
		b.Act(r.ID, "attempt_fail", "")
		b.Deliver()
		if got := shop.Take(); len(got) != 1 || got[0].Header.Get("Echo-Secrets") != tt.want {
			t.Errorf("%+v signed with %v", tt.faults, got)
		}
	}
	if _, err := b.AddEndpoint(t.Context(), "echo", "https://shop.example/x", "no-echo-at-all-in-this"); err == nil {
		t.Error("a secret of another form was taken")
	}
}

func TestWhatAProviderDoesNotKnowIsRefused(t *testing.T) {
	t.Parallel()
	b, _, r := practised(t, echo{without: []string{"capture_fail"}})
	b.Act(r.ID, "pay", "")
	status, raw := b.Practice("POST", "/v1/test/orders/"+r.ID+"/capture_fail", "")
	if status != http.StatusConflict || !strings.Contains(string(raw), "NOT_AT_THIS_PROVIDER") {
		t.Errorf("answered %d %s", status, raw)
	}
	one := setup(t)
	id := one.order()
	for _, action := range []string{"authorise", "attempt_fail", "dispute", "refund_fail", "capture_fail"} {
		if status, answer := one.call("POST", "/v1/test/orders/"+id+"/"+action, "", ""); answer.Text("code") != "NOT_AT_THIS_PROVIDER" {
			t.Errorf("StableIn's %s: %d %v", action, status, answer)
		}
	}
}

func TestADialectsAPIHasItsOwnKeyRefusalsAndTheSandboxsFaults(t *testing.T) {
	t.Parallel()
	b, _, r := practised(t, echo{})
	b.Act(r.ID, "attempt_fail", "")
	b.Act(r.ID, "pay", "")
	ask := func(token string) (int, string) {
		status, _, raw := b.Do("GET", "/echo/"+r.PageRef, http.Header{"Authorization": {"Bearer " + token}}, "")
		return status, string(raw)
	}
	if status, raw := ask(sandboxtest.Key); status != http.StatusTeapot || !strings.Contains(raw, "UNAUTHORIZED") {
		t.Errorf("with another key: %d %s", status, raw)
	}
	if status, raw := ask("echo-key"); status != http.StatusOK || !strings.Contains(raw, `"paid"`) || !strings.Contains(raw, `2`) {
		t.Errorf("%d %s", status, raw)
	}
	b.Faults(sandbox.Faults{APIBehind: true})
	if _, raw := ask("echo-key"); !strings.Contains(raw, `"pending"`) || !strings.Contains(raw, `1`) {
		t.Errorf("behind: %s", raw)
	}
	b.Faults(sandbox.Faults{APIDown: true})
	if status, raw := ask("echo-key"); status != http.StatusTeapot || !strings.Contains(raw, "UNAVAILABLE") {
		t.Errorf("down: %d %s", status, raw)
	}
}

func TestNoTwoDialectsHaveOneName(t *testing.T) {
	t.Parallel()
	for name, dialects := range map[string][]sandbox.Dialect{"twice": {echo{}, echo{}}, "StableIn's": {named("stablein")}, "a path": {named("pay")}, "odd": {named("Echo/")}} {
		_, err := sandbox.New(sandbox.Config{DB: sandboxtest.Open(t, testdb.NewSandbox(t)), APIKey: apiKey, PublicURL: "https://pay.example", Dialects: dialects})
		if err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestListsAreNewestFirstAndBounded(t *testing.T) {
	t.Parallel()
	b, _, first := practised(t, echo{})
	second, err := b.Create(t.Context(), sandbox.NewOrder{
		Dialect: "echo", MerchantRef: "order-2", Amount: amount("100"), Currency: "EUR", ReturnURL: "https://shop.example/back",
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Act(first.ID, "attempt_fail", "")
	b.Act(second.ID, "pay", "")
	b.Act(first.ID, "pay", "")
	b.Act(first.ID, "refund", "")
	window := func(change func(*sandbox.Window)) sandbox.Window {
		w := sandbox.Window{Dialect: "echo", Limit: 10}
		change(&w)
		return w
	}
	for name, tt := range map[string]struct {
		of   sandbox.Kind
		w    sandbox.Window
		want []string
	}{
		"orders":             {sandbox.PageKind, window(func(*sandbox.Window) {}), []string{"order-2", "order-1"}},
		"one page":           {sandbox.PageKind, window(func(w *sandbox.Window) { w.Limit = 1 }), []string{"order-2"}},
		"the next page":      {sandbox.PageKind, window(func(w *sandbox.Window) { w.Skip = 1 }), []string{"order-1"}},
		"behind one":         {sandbox.PageKind, window(func(w *sandbox.Window) { w.After = second.ID }), []string{"order-1"}},
		"by reference":       {sandbox.PageKind, window(func(w *sandbox.Window) { w.MerchantRef = "order-1" }), []string{"order-1"}},
		"attempts":           {sandbox.PaymentKind, window(func(*sandbox.Window) {}), []string{"order-1", "order-2", "order-1"}},
		"attempts of one":    {sandbox.PaymentKind, window(func(w *sandbox.Window) { w.Order = first.PageRef }), []string{"order-1", "order-1"}},
		"of nobody":          {sandbox.PaymentKind, window(func(w *sandbox.Window) { w.Order = "nobody" }), nil},
		"refunds":            {sandbox.RefundKind, window(func(*sandbox.Window) {}), []string{"order-1"}},
		"disputes":           {sandbox.DisputeKind, window(func(*sandbox.Window) {}), nil},
		"from then on":       {sandbox.PageKind, window(func(w *sandbox.Window) { w.From = time.Now().Add(time.Hour) }), nil},
		"until then":         {sandbox.PageKind, window(func(w *sandbox.Window) { w.To = time.Now().Add(-time.Hour) }), nil},
		"of another dialect": {sandbox.PageKind, sandbox.Window{Dialect: sandbox.StableIn, Limit: 10}, nil},
	} {
		found, err := b.List(t.Context(), tt.of, tt.w)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, f.MerchantOrderID)
			if (tt.of == sandbox.PaymentKind) != (f.Payment != nil) || (tt.of == sandbox.RefundKind) != (f.Refund != nil) {
				t.Errorf("%s: found something else", name)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestASenderKilledAtItsLastAttemptEndsTheDeliveryOfAShorterSchedule(t *testing.T) {
	t.Parallel()
	b, shop, r := practised(t, echo{}) // three attempts; StableIn, whose schedule claims, has eight
	b.Act(r.ID, "pay", "")
	if _, err := b.DB.ExecContext(t.Context(), `UPDATE pay_webhook_deliveries SET status = 'leased', attempts = 3,
		lease_owner = 'killed', lease_until = NOW(6) - INTERVAL 1 SECOND`); err != nil {
		t.Fatal(err)
	}
	b.Deliver()
	if n := len(shop.Take()); n != 0 {
		t.Errorf("sent %d times more than it may be", n)
	}
	list, err := b.Deliveries(t.Context(), "", r.ID, 10)
	if err != nil || len(list) != 1 || list[0].Status != "dead" || !strings.Contains(list[0].LastError, "last of 3 attempts") {
		t.Errorf("%+v, %v", list, err)
	}
}
