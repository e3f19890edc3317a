//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"onceshop/config"
)

// demonstration is a demo in a folder of its own, on ports that were free.
type demonstration struct {
	data, env string
	*process
	shop string
}

func startDemo(t *testing.T, data string, args ...string) *demonstration {
	t.Helper()
	p := start(t, nil, append([]string{"demo", "--data", data, "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0",
		"--operations-listen", "127.0.0.1:0"}, args...)...)
	return &demonstration{data, filepath.Join(data, envName), p, p.says(t, "Shop ")}
}

// stop presses Ctrl-C and looks whether anything is left running.
func (d *demonstration) stop(t *testing.T) {
	t.Helper()
	server := d.server(t)
	d.signal(t, syscall.SIGINT)
	if code := d.exits(t); code != exitDone {
		t.Errorf("exit %d\n%s", code, d.stderr.String())
	}
	if err := syscall.Kill(server, 0); err != syscall.ESRCH {
		t.Errorf("the database server, process %d, is still there: %v", server, err)
	}
}

// server is the process id of the demo's database server.
func (d *demonstration) server(t *testing.T) (pid int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(d.data, "mysql", "mysqld.pid"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	return pid
}

// orders is what the command line says of the demo's orders.
func (d *demonstration) orders(t *testing.T) []orderJSON {
	t.Helper()
	return decode[[]orderJSON](t, mustShop(t, nil, "--env-file", d.env, "orders", "list", "--format", "json"))
}

// awaits waits until the newest order's delivery is so.
func (d *demonstration) awaits(t *testing.T, delivery string) {
	t.Helper()
	for start := time.Now(); d.orders(t)[0].Delivery != delivery; {
		if time.Since(start) > patience {
			t.Fatalf("not %s: %+v\n%s", delivery, d.orders(t), d.stderr.String())
		}
	}
}

func TestADemoSellsKeepsItsOrdersAndLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	d := startDemo(t, data)
	buy(t, d.shop)
	number := d.orders(t)[0].Number
	mustShop(t, nil, "--env-file", d.env, "trigger", "payment.paid", "--order", number, "--duplicate", "2")
	d.awaits(t, "delivered")
	secrets := kept(t, d.env)
	second := shop(t, nil, "demo", "--data", data, "--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0", "--operations-listen", "127.0.0.1:0")
	wantCode(t, second, exitFailed, "a demo is running in "+data+" already")
	d.stop(t)

	d = startDemo(t, data)
	if orders := d.orders(t); len(orders) != 1 || orders[0].Number != number {
		t.Errorf("the second start has %+v", orders)
	}
	if kept(t, d.env) != secrets {
		t.Error("the second start has other secrets: links and licenses of kept orders are void")
	}
	if info, err := os.Stat(d.env); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%s can be read by others: %v %v", d.env, info.Mode(), err)
	}
	d.stop(t)

	d = startDemo(t, data, "--reset")
	if orders := d.orders(t); len(orders) != 0 {
		t.Errorf("starting over has kept %+v", orders)
	}
	d.stop(t)
}

func TestADemoSellsThroughAnotherProviderAndHearsOfItsOrdersLater(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	d := startDemo(t, data, "--provider", "stripe")
	if said := d.stdout.String(); !strings.Contains(said, "Providers   Stripe\n") || !strings.Contains(said, "trigger charge.refunded --order") {
		t.Errorf("the welcome is\n%s", said)
	}
	buy(t, d.shop)
	number := d.orders(t)[0].Number
	mustShop(t, nil, "--env-file", d.env, "trigger", "payment_intent.succeeded", "--order", number)
	d.awaits(t, "delivered")
	wantCode(t, shop(t, nil, "--env-file", d.env, "orders", "refund", number, "--amount", "10.50"), exitDone, "10.50 USD given back, 38.50 USD of the payment left")
	wantCode(t, shop(t, nil, "--env-file", d.env, "doctor"), exitDone, "providers stripe, test", "stripe answers")
	d.stop(t)

	d = startDemo(t, data)
	if said := d.stdout.String(); !strings.Contains(said, "Providers   StableIn; for earlier orders Stripe\n") {
		t.Errorf("the welcome is\n%s", said)
	}
	mustShop(t, nil, "--env-file", d.env, "trigger", "charge.refunded", "--order", number)
	d.awaits(t, "revoked")
	d.stop(t)
}

func TestADemoNamesTheProvidersThatThereAre(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"demo", "secrets"} {
		wantCode(t, shop(t, nil, command, "--provider", "stripe,paypal"), exitUsage, `there is no provider "paypal"; there are stablein, stripe, checkoutcom`, "and all")
	}
}

func TestADemoNamesThePortThatIsTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, flag := range []string{"--listen", "--sandbox-listen", "--operations-listen"} {
		args := []string{"demo", "--data", t.TempDir()}
		for _, f := range []string{"--listen", "--sandbox-listen", "--operations-listen"} {
			address := "127.0.0.1:0"
			if f == flag {
				address = taken.Addr().String()
			}
			args = append(args, f, address)
		}
		r := shop(t, nil, args...)
		wantCode(t, r, exitFailed, taken.Addr().String()+" is in use", "with "+flag)
		if strings.Contains(r.stderr, "starting the database") {
			t.Error("the database was started before the ports were known to be free")
		}
	}
}

func TestADemoDoesNotDropDatabasesOfOthers(t *testing.T) {
	t.Parallel()
	r := shop(t, []string{"SHOP_DATABASE_URL=mysql://nobody@127.0.0.1:1/shop"}, "demo", "--reset", "--data", t.TempDir(),
		"--listen", "127.0.0.1:0", "--sandbox-listen", "127.0.0.1:0", "--operations-listen", "127.0.0.1:0")
	wantCode(t, r, exitFailed, "--reset doesn't drop databases")
}

// buy puts a product into a cart and goes to the payment page.
func buy(t *testing.T, shop string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	buyer := &http.Client{Jar: jar}
	for _, step := range []struct {
		path string
		form url.Values
	}{
		{"/cart/lines", url.Values{"product": {"inkwell"}, "quantity": {"1"}}},
		{"/checkout", url.Values{"email": {"ada@example.com"}}},
	} {
		res, err := buyer.PostForm(shop+step.path, step.form)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v\n%s", step.path, res.Status, err, body)
		}
	}
}

// kept is the part of a demo's settings that must never change.
func kept(t *testing.T, path string) string {
	t.Helper()
	lines, err := config.ReadEnvFile(path)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		for _, own := range ownSecrets {
			if name == own {
				values[name] = value
			}
		}
	}
	if len(values) != len(ownSecrets) {
		t.Fatalf("%d secrets of %d in %s", len(values), len(ownSecrets), path)
	}
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
