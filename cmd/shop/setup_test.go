package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onceshop/database"
	"onceshop/store"
)

// asProgram makes this test binary be the shop, for what needs a process of its own.
const asProgram = "ONCESHOP_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// result is what a run of the program came to.
type result struct {
	code           int
	stdout, stderr string
}

func (r result) all() string { return r.stdout + r.stderr }

// shop runs the program in this process.
func shop(t *testing.T, environ []string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), args, environ, &stdout, &stderr)
	return result{code, stdout.String(), stderr.String()}
}

// mustShop is shop for what has to work.
func mustShop(t *testing.T, environ []string, args ...string) result {
	t.Helper()
	r := shop(t, environ, args...)
	if r.code != exitDone {
		t.Fatalf("shop %s: exit %d\n%s", strings.Join(args, " "), r.code, r.all())
	}
	return r
}

// decode reads the JSON that a command printed.
func decode[T any](t *testing.T, r result) (value T) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.stdout), &value); err != nil {
		t.Fatalf("%v in:\n%s", err, r.stdout)
	}
	return value
}

// environment is a usable configuration; later lines of more count.
func environment(dsn string, more ...string) []string {
	return append([]string{
		"SHOP_BASE_URL=http://127.0.0.1:8080",
		"SHOP_LISTEN=127.0.0.1:0",
		"SHOP_OPERATIONS_LISTEN=127.0.0.1:0",
		"SHOP_DATABASE_URL=" + dsn,
		"SHOP_SECRET=an-order-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SECRET=a-license-secret-of-at-least-32-bytes",
		"SHOP_LICENSE_SIGNING_KEY=" + base64.StdEncoding.EncodeToString([]byte("0123456789abcdef0123456789abcdef")),
		"SHOP_STABLEIN_BASE_URL=http://127.0.0.1:1",
		"SHOP_STABLEIN_API_KEY=an-api-key-for-tests",
		"SHOP_STABLEIN_WEBHOOK_SECRET=stablein-shop-secret-current",
		"SHOP_MAIL_URL=smtp://127.0.0.1:1",
		"SHOP_MAIL_FROM=shop@shop.example",
	}, more...)
}

// open is a test's own look at a database.
func open(t *testing.T, dsn string) *store.DB {
	t.Helper()
	pool, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pool.Close() })
	return store.New(pool)
}

func write(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantCode(t *testing.T, r result, code int, parts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit %d, want %d:\n%s", r.code, code, r.all())
	}
	for _, part := range parts {
		if !strings.Contains(r.all(), part) {
			t.Errorf("the output doesn't contain %q:\n%s", part, fmt.Sprint(r.all()))
		}
	}
}
