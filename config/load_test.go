package config_test

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/config"
)

func TestASettingMayComeFromAFile(t *testing.T) {
	t.Parallel()
	for ending, want := range map[string]string{"": "", "\n": "", "\r\n": "", "\n\n": "has white space around it"} {
		path := write(t, "stablein-shop-secret-current"+ending)
		environ := environment(map[string]string{"SHOP_STABLEIN_WEBHOOK_SECRET_FILE": path}, "SHOP_STABLEIN_WEBHOOK_SECRET")
		faults := faultsOf(t, environ)
		if got := faults.Of("SHOP_STABLEIN_WEBHOOK_SECRET"); got != want {
			t.Errorf("with %q at the end: %v", ending, faults)
		}
	}
}

func TestOnlyTheLastNewlineOfAFileIsLeftOut(t *testing.T) {
	t.Parallel()
	path := write(t, "Shop With Blanks \n")
	c := load(t, environment(map[string]string{"SHOP_NAME_FILE": path}))
	if c.Name != "Shop With Blanks " {
		t.Fatalf("got %q", c.Name)
	}
}

func TestAnUnusableFileIsAFaultThatDoesNotTellItsPath(t *testing.T) {
	t.Parallel()
	const secretByMistake = "the-secret-itself-instead-of-a-path"
	faults := faultsOf(t, environment(map[string]string{"SHOP_SECRET_FILE": secretByMistake}, "SHOP_SECRET"))
	if len(faults) != 1 || faults.Of("SHOP_SECRET_FILE") == "" || strings.Contains(faults.Error(), secretByMistake) {
		t.Fatal(faults)
	}
}

func TestASettingGivenTwiceIsAFault(t *testing.T) {
	t.Parallel()
	faults := faultsOf(t, environment(map[string]string{"SHOP_SECRET_FILE": write(t, "another-secret-that-has-32-bytes-too")}))
	if len(faults) != 1 || !strings.Contains(faults.Of("SHOP_SECRET"), "given twice") {
		t.Fatal(faults)
	}
}

func TestASecretIsHiddenWhereverItIsPrinted(t *testing.T) {
	t.Parallel()
	c := load(t, environment(nil))
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("config", "secret", c.Secret, "all", *c)
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %q %x %d", c, *c, *c, c.Secret, c.Secret, c.Secret, c.Secret), log.String(), string(asJSON)} {
		for _, secret := range []config.Secret{c.Secret, c.DatabaseURL, c.MailURL, config.Secret(c.StableIn.WebhookSecret), c.StableIn.APIKey, c.LicenseSigningKey} {
			if strings.Contains(text, secret.Reveal()) || strings.Contains(text, fmt.Sprintf("%x", []byte(secret))) {
				t.Fatalf("a secret is printed in %s", text)
			}
		}
	}
	mustContain(t, fmt.Sprint(c.Secret), "(secret)")
}

func TestTheSigningKeyIsReadAsPEMAndAsSeed(t *testing.T) {
	t.Parallel()
	key := ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef"))
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	for name, c := range map[string]*config.Config{
		"pem":  load(t, environment(map[string]string{"SHOP_LICENSE_SIGNING_KEY": text})),
		"seed": load(t, environment(nil)),
	} {
		got, err := c.SigningKey()
		if err != nil || !got.Equal(key) {
			t.Errorf("%s: another key, %v", name, err)
		}
	}
}

func TestATimeZoneNeedsNoFilesOfTheSystem(t *testing.T) {
	t.Parallel()
	c := load(t, environment(map[string]string{"SHOP_TIME_ZONE": "America/Chicago"}))
	got := time.Date(2027, 1, 1, 0, 50, 0, 0, time.UTC).In(c.Location()).Format("2006-01-02 15:04")
	if got != "2026-12-31 18:50" {
		t.Fatal(got)
	}
}

func TestBuyersAskTheSenderOfMailsUnlessTheShopSaysOtherwise(t *testing.T) {
	t.Parallel()
	for contact, want := range map[string]string{"": "shop@shop.example", "help@shop.example": "help@shop.example", "Help Desk <ask@shop.example>": "ask@shop.example"} {
		if got := load(t, environment(map[string]string{"SHOP_CONTACT": contact})).ContactAddress(); got != want {
			t.Errorf("%q: questions go to %q, want %q", contact, got, want)
		}
	}
}

func TestAnEnvironmentFileIsReadAsShellsDo(t *testing.T) {
	t.Parallel()
	path := write(t, "# a remark\n\nSHOP_NAME='Bob''s'\nexport SHOP_DEMO=true\nSHOP_SECRET=\"with = in it\"\r\nEMPTY=\n")
	got, err := config.ReadEnvFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"SHOP_NAME=Bob''s", "SHOP_DEMO=true", "SHOP_SECRET=with = in it", "EMPTY="}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	_, err = config.ReadEnvFile(write(t, "SHOP_NAME=x\na-secret-on-a-line-of-its-own\n"))
	if err == nil || strings.Contains(err.Error(), "a-secret") {
		t.Fatalf("want an error that names the line and doesn't repeat it, got %v", err)
	}
	mustContain(t, err.Error(), "line 2")
}

func TestUnknownNamesAreRemarked(t *testing.T) {
	t.Parallel()
	got := config.Unknown(append(environment(nil), "SHOP_ORDER_LIFETME=1h", "SHOP_SECRET_FILE=x", "PATH=/bin"))
	if !cmp.Equal(got, []string{"SHOP_ORDER_LIFETME"}) {
		t.Fatal(got)
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "setting")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
