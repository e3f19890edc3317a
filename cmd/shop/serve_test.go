package main

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"onceshop/testdb"
)

func TestAnUnusableSecretStopsTheStartByName(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", "whsec_", "whsec_!!!!", " stablein-shop-secret-current", "REPLACE_ME", "fifteen-bytes-x"} {
		r := shop(t, environment("mysql://nobody@127.0.0.1:1/shop", "SHOP_STABLEIN_WEBHOOK_SECRET="+value), "serve")
		wantCode(t, r, exitFailed, "SHOP_STABLEIN_WEBHOOK_SECRET")
		if value != "" && strings.Contains(r.all(), value) {
			t.Errorf("the value %q is printed:\n%s", value, r.all())
		}
	}
}

func TestMailSenderAndBaseURLAreCheckedAtTheStart(t *testing.T) {
	t.Parallel()
	r := shop(t, environment("mysql://nobody@127.0.0.1:1/shop", "SHOP_MAIL_FROM=nobody", "SHOP_BASE_URL=http://shop.example"), "serve")
	wantCode(t, r, exitFailed, "SHOP_MAIL_FROM is not a mail address", "SHOP_BASE_URL is not https")
}

func TestServeRefusesADatabaseThatIsBehind(t *testing.T) {
	t.Parallel()
	wantCode(t, shop(t, environment(testdb.Empty(t)), "serve"), exitFailed, "the database is behind its migrations; run: shop migrate up")
}

func TestServeSaysWhichAddressIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	r := shop(t, environment(testdb.New(t), "SHOP_LISTEN="+taken.Addr().String()), "serve")
	wantCode(t, r, exitFailed, "can't listen on "+taken.Addr().String())
	if strings.Contains(r.stdout, "shop on") {
		t.Errorf("announced without listening:\n%s", r.stdout)
	}
}

func TestServeAnnouncesItsRealAddressesAndStopsWhenAsked(t *testing.T) {
	t.Parallel()
	environ := environment(testdb.New(t))
	p := start(t, environ, "serve")
	page, operations := p.says(t, "shop on "), p.says(t, "operations on ")
	if res, err := http.Get(page + "/"); err != nil || res.StatusCode != http.StatusOK {
		t.Errorf("the home page at %s: %v %v", page, res, err)
	}
	address := "SHOP_OPERATIONS_LISTEN=" + strings.TrimPrefix(operations, "http://")
	wantCode(t, shop(t, append(environ, address), "healthcheck"), exitDone, "ready")
	p.signal(t, syscall.SIGTERM)
	if code := p.exits(t); code != exitDone {
		t.Errorf("exit %d after SIGTERM\n%s", code, p.stderr.String())
	}
	wantCode(t, shop(t, append(environ, "SHOP_OPERATIONS_LISTEN=127.0.0.1:1"), "healthcheck"), exitFailed, "no answer")
}

func TestASecondSignalEndsTheProgramAtOnce(t *testing.T) {
	t.Parallel()
	p := start(t, environment(testdb.New(t)), "serve")
	address := strings.TrimPrefix(p.says(t, "shop on "), "http://")
	// A request that never ends keeps the orderly stop waiting.
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("POST /webhooks/stablein HTTP/1.1\r\nHost: shop\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 25)); err != nil { // "100 Continue": it is being handled
		t.Fatal(err)
	}
	p.signal(t, syscall.SIGTERM)
	p.logs(t, "stopping")
	p.signal(t, syscall.SIGTERM)
	if code := p.exits(t); code != exitFailed {
		t.Errorf("exit %d, want %d", code, exitFailed)
	}
}

func TestAnInstanceWithoutPagesAndWebhooksListensForOperationsOnly(t *testing.T) {
	t.Parallel()
	p := start(t, environment(testdb.New(t), "SHOP_LISTEN=192.0.2.1:80"), "serve", "--roles", "worker,mail")
	p.says(t, "operations on ")
	if roles := p.says(t, "roles "); roles != "worker,mail" {
		t.Errorf("roles %s", roles)
	}
	p.signal(t, syscall.SIGINT)
	if code := p.exits(t); code != exitDone {
		t.Errorf("exit %d\n%s", code, p.stderr.String())
	}
}
