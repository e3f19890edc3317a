package main

import (
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"onceshop/database"
	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
	"onceshop/sandbox"
	"onceshop/shoptest"
	"onceshop/testdb"
)

// practised is a shop's order and a sandbox that holds its payment, with a webhook
// that nobody answers: what would be sent can be looked at.
func practised(t *testing.T) (environ []string, number, ref string, p *sandbox.Server) {
	t.Helper()
	pool, err := database.Open(t.Context(), testdb.NewSandbox(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	p, err = sandbox.New(sandbox.Config{DB: pool, APIKey: "an-api-key-for-tests", PublicURL: "http://127.0.0.1:8090", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(p.Handler())
	t.Cleanup(server.Close)
	if _, err := p.AddEndpoint(t.Context(), sandbox.StableIn, "http://127.0.0.1:1/webhooks/stablein", "stablein-shop-secret-current"); err != nil {
		t.Fatal(err)
	}
	s := shoptest.New(t)
	environ = environment(s.DSN, "SHOP_STABLEIN_BASE_URL="+server.URL)
	order, _ := s.Buy(1)
	adapter, err := stablein.New(stablein.Config{Secrets: []signing.Secret{{ID: "current", Key: "stablein-shop-secret-current"}}, BaseURL: server.URL, APIKey: "an-api-key-for-tests"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(adapter.Close)
	created, err := adapter.Create(t.Context(), payment.Creation{IdempotencyKey: order.ID, OrderRef: order.ID, Amount: order.Total,
		Currency: order.Currency, Description: "Product", ReturnURL: "http://shop.test/", ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec("UPDATE shop_payments SET provider_ref = ? WHERE order_id = ?", created.Ref, order.ID)
	return environ, order.Number, created.Ref, p
}

func TestEveryTypeOfEventCanBeTriggered(t *testing.T) {
	t.Parallel()
	environ, number, _, _ := practised(t)
	for _, step := range []struct {
		args []string
		says string
	}{
		{[]string{"payment.confirming"}, "payment.confirming: event "},
		{[]string{"confirm", "--confirmations", "3"}, "the payment is paid"},
		{[]string{"refund.completed", "--amount", "0.02"}, "refund partial"},
		{[]string{"risk.updated", "--decision", "deny", "--valid-for=-1"}, "risk.updated: event "},
		{[]string{"refund"}, "refund full"},
	} {
		wantCode(t, shop(t, environ, append([]string{"trigger", "--order", number}, step.args...)...), exitDone, step.says)
	}
	environ, number, _, _ = practised(t)
	wantCode(t, shop(t, environ, "trigger", "payment.failed", "--order", number), exitDone, "the payment is failed")
	environ, number, _, _ = practised(t)
	wantCode(t, shop(t, environ, "trigger", "payment.expired", "--order", number), exitDone, "the payment is expired")
	environ, number, _, _ = practised(t)
	wantCode(t, shop(t, environ, "trigger", "payment.paid", "--order", number), exitDone, "the payment is paid")
}

func TestFaultsOfADeliveryCanBeTriggered(t *testing.T) {
	t.Parallel()
	environ, number, ref, p := practised(t)
	mustShop(t, environ, "trigger", "payment.paid", "--order", number, "--duplicate", "3", "--delay", "90s", "--corrupt", "--conflict",
		"--wrong-signature", "--stale", "--drop-answer", "--first-attempts", "2", "--previous-secret")
	list, err := p.Deliveries(t.Context(), "", ref, 50)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, d := range list {
		if d.Faults == nil {
			continue // the event of the creation, sent undisturbed
		}
		kinds[d.Kind]++
		want := sandbox.Faults{Duplicate: 3, Conflict: true, DelayMS: 90_000, FirstAttempts: 2, DropAnswer: true, CorruptByte: true,
			WrongSignature: true, StaleTimestamp: true, PreviousSecret: true}
		if *d.Faults != want {
			t.Errorf("%s: %+v", d.Kind, *d.Faults)
		}
	}
	if kinds["event"] != 1 || kinds["duplicate"] != 3 || kinds["conflict"] != 1 {
		t.Errorf("%v", kinds)
	}
	wantCode(t, shop(t, environ, "trigger", "resend", "--order", number, "--duplicate", "2"), exitDone, "is sent once more")
	if list, err = p.Deliveries(t.Context(), "", ref, 50); err != nil || list[0].Kind != "duplicate" {
		t.Errorf("%v %+v", err, list[0])
	}
}

func TestWhatCannotBeTriggeredIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	environ, number, _, _ := practised(t)
	wantCode(t, shop(t, environ, "trigger", "payment.invented", "--order", number), exitFailed, "can't be triggered", "resend")
	wantCode(t, shop(t, environ, "trigger", "refund", "--order", number, "--amount", "10,50"), exitFailed, `--amount "10,50": write a point before the decimals`)
	wantCode(t, shop(t, environ, "trigger", "refund", "--order", number), exitFailed, "the sandbox refuses")
	wantCode(t, shop(t, environ, "trigger", "pay", "--order", "OS-AAAAA-AAAAA"), exitFailed, "there is no order")
	away := append(environ, "SHOP_STABLEIN_BASE_URL=http://127.0.0.1:1")
	wantCode(t, shop(t, away, "trigger", "pay", "--order", number), exitFailed, "the sandbox doesn't answer")
	wantCode(t, shop(t, without(environ, []string{"SHOP_STABLEIN_API_KEY="}), "trigger", "pay", "--order", number), exitFailed, "--env-file .data/demo.env")
}
