package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"onceshop/store"
	"onceshop/testdb"
)

// healthy is an environment in which everything can be reached.
func healthy(t *testing.T, more ...string) []string {
	t.Helper()
	provider := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer an-api-key-for-tests" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"orders":[]}`)
	}))
	t.Cleanup(provider.Close)
	return environment(testdb.New(t), append([]string{"SHOP_STABLEIN_BASE_URL=" + provider.URL, "SHOP_MAIL_URL=smtp://" + mailServer(t)}, more...)...)
}

// mailServer greets and says goodbye.
func mailServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "220 ready\r\n")
			for lines := bufio.NewScanner(conn); lines.Scan(); {
				fmt.Fprint(conn, "250 fine\r\n")
			}
			conn.Close()
		}
	}()
	return l.Addr().String()
}

func TestDoctorFindsNothingWrongWithAWholeShop(t *testing.T) {
	t.Parallel()
	environ := healthy(t)
	wantCode(t, shop(t, environ, "doctor"), exitDone, "ok     database", "ok     time zone", "ok     clock", "ok     isolation", "ok     migrations",
		"ok     secrets", "ok     mail", "ok     base url", "ok     provider")
	for _, f := range decode[[]finding](t, mustShop(t, environ, "doctor", "--format", "json")) {
		if f.State == stateFault {
			t.Errorf("%+v", f)
		}
	}
}

func TestDoctorNamesEachFaultAndWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		environ []string
		faults  []string // the checks that find one
		says    string
	}{
		"a database that is away":    {healthy(t, "SHOP_DATABASE_URL=mysql://shop:db-password@127.0.0.1:1/shop"), []string{"database"}, "is the server running"},
		"a database that is behind":  {healthy(t, "SHOP_DATABASE_URL="+testdb.Empty(t)), []string{"migrations"}, "run: shop migrate up"},
		"a clock that is off":        {healthy(t, "SHOP_DATABASE_URL="+withParam(testdb.New(t), "timestamp=1767225600")), []string{"clock"}, "time server"},
		"a placeholder":              {healthy(t, "SHOP_SECRET=REPLACE_ME"), []string{"secrets"}, "SHOP_SECRET is a placeholder"},
		"no mail server":             {healthy(t, "SHOP_MAIL_URL=smtp://127.0.0.1:1"), []string{"mail"}, "is SHOP_MAIL_URL right"},
		"no sender":                  {healthy(t, "SHOP_MAIL_FROM=nobody"), []string{"mail"}, "SHOP_MAIL_FROM is not a mail address"},
		"an address without https":   {healthy(t, "SHOP_BASE_URL=http://shop.example"), []string{"base url"}, "is not https"},
		"a provider that is away":    {healthy(t, "SHOP_STABLEIN_BASE_URL=http://127.0.0.1:1"), []string{"provider"}, "is SHOP_STABLEIN_BASE_URL right"},
		"a wrong key":                {healthy(t, "SHOP_STABLEIN_API_KEY=another-api-key-of-somebody"), []string{"provider"}, "is SHOP_STABLEIN_API_KEY right"},
		"a role that doesn't exist":  {healthy(t, "SHOP_ROLES=cook"), []string{"settings"}, "a role that doesn't exist"},
		"a setting of another form":  {healthy(t, "SHOP_ORDER_LIFETIME=long"), []string{"settings"}, "is not a duration"},
		"three faults at once":       {healthy(t, "SHOP_SECRET=REPLACE_ME", "SHOP_MAIL_FROM=nobody", "SHOP_BASE_URL=shop"), []string{"base url", "secrets", "mail"}, ""},
		"no webhook secret whatever": {healthy(t, "SHOP_STABLEIN_WEBHOOK_SECRET=whsec_"), []string{"secrets"}, "SHOP_STABLEIN_WEBHOOK_SECRET is a placeholder"},
	} {
		r := shop(t, c.environ, "doctor", "--format", "json")
		if r.code != exitFailed {
			t.Errorf("%s: exit %d", name, r.code)
		}
		var faults []string
		for _, f := range decode[[]finding](t, r) {
			if f.State == stateFault {
				faults = append(faults, f.Check)
				if f.Advice == "" {
					t.Errorf("%s: no advice in %+v", name, f)
				}
			}
		}
		if !slices.Equal(faults, c.faults) {
			t.Errorf("%s: faults of %v, want %v\n%s", name, faults, c.faults, r.stdout)
		}
		wantCode(t, shop(t, c.environ, "doctor"), exitFailed, "FAULT", c.says)
		if strings.Contains(r.all(), "db-password") {
			t.Errorf("%s: the password is printed", name)
		}
	}
}

func TestDoctorAsksEveryProviderThatIsSetUp(t *testing.T) {
	t.Parallel()
	stripe := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sk_test_key-for-these-tests" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"object":"list","data":[],"has_more":false}`)
	}))
	t.Cleanup(stripe.Close)
	environ := healthy(t, "SHOP_MODE=test", "SHOP_STRIPE_API_KEY=sk_test_key-for-these-tests", "SHOP_STRIPE_WEBHOOK_SECRET=whsec_stripe-secret-for-tests-only",
		"SHOP_STRIPE_BASE_URL="+stripe.URL, "SHOP_ADYEN_API_KEY=adyen-key-for-these-tests", "SHOP_ADYEN_MERCHANT_ACCOUNTS=OnceshopECOM",
		"SHOP_ADYEN_WEBHOOK_SECRET=44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056")
	wantCode(t, shop(t, environ, "doctor"), exitDone, "providers stablein, test", "stablein answers", "stripe answers", "note   provider     adyen isn't asked")
	for name, c := range map[string]struct{ setting, says string }{
		"a wrong key":               {"SHOP_STRIPE_API_KEY=sk_test_another-key-of-somebody", "is SHOP_STRIPE_API_KEY right?"},
		"an API that is away":       {"SHOP_STRIPE_BASE_URL=http://127.0.0.1:1", "is SHOP_STRIPE_BASE_URL right"},
		"a key of the other mode":   {"SHOP_STRIPE_API_KEY=sk_live_key-for-these-tests", "FAULT  secrets      SHOP_STRIPE_API_KEY is a key of live mode"},
		"a secret that is a part":   {"SHOP_STRIPE_WEBHOOK_SECRET=whsec_stripe-secret-for-tests-only,", "FAULT  secrets      SHOP_STRIPE_WEBHOOK_SECRET (secret 2 of 2) is empty"},
		"secrets that have ended":   {"SHOP_STRIPE_WEBHOOK_SECRET=whsec_stripe-secret-for-tests-only@2020-12-31T23:59:59Z", "FAULT  provider     stripe: every secret has ended"},
		"an account with a colon":   {"SHOP_ADYEN_MERCHANT_ACCOUNTS=One:Two", "FAULT  provider     SHOP_ADYEN_MERCHANT_ACCOUNTS has an account"},
		"a provider that isn't":     {"SHOP_PROVIDERS=stablein,paypal", "FAULT  settings     SHOP_PROVIDERS names \"paypal\", which isn't known"},
		"one on offer without more": {"SHOP_PROVIDERS=razorpay", "FAULT  provider     SHOP_RAZORPAY_KEY_ID is not set"},
	} {
		r := shop(t, append(environ, c.setting), "doctor")
		wantCode(t, r, exitFailed, c.says)
		if strings.Contains(r.all(), "for-tests-only") || strings.Contains(r.all(), "for-these-tests") {
			t.Errorf("%s: a secret is printed:\n%s", name, r.all())
		}
	}
}

func TestDoctorLooksAtTheRestWhereASettingCannotBeRead(t *testing.T) {
	t.Parallel()
	others := []string{"ok     base url", "ok     migrations", "ok     mail"}
	for name, c := range map[string]struct {
		settings []string
		says     []string
	}{
		"an empty key": {[]string{"SHOP_PROVIDERS=stripe,stablein", "SHOP_MODE=test", "SHOP_STRIPE_API_KEY=", "SHOP_STRIPE_WEBHOOK_SECRET=whsec_stripe-secret-for-tests-only"},
			[]string{"FAULT  secrets      SHOP_STRIPE_API_KEY is empty, and SHOP_PROVIDERS lists stripe", "stripe isn't asked → mend SHOP_STRIPE_API_KEY first", "stablein answers", "1 of "}},
		"a key in no file":        {[]string{"SHOP_STABLEIN_API_KEY_FILE=/nowhere/key", "SHOP_STABLEIN_API_KEY="}, []string{"FAULT  secrets      SHOP_STABLEIN_API_KEY_FILE names a file", "1 of "}},
		"no form of a duration":   {[]string{"SHOP_ORDER_LIFETIME=long"}, []string{"SHOP_ORDER_LIFETIME is not a duration", "stablein answers", "1 of "}},
		"no provider on offer":    {[]string{"SHOP_PROVIDERS="}, []string{"FAULT  settings     SHOP_PROVIDERS lists no provider", "stablein answers", "1 of "}},
		"one of form, one behind": {[]string{"SHOP_LOG_LEVEL=loud", "SHOP_STABLEIN_BASE_URL=api"}, []string{"SHOP_LOG_LEVEL is none of", "FAULT  provider     SHOP_STABLEIN_BASE_URL", "2 of "}},
	} {
		r := shop(t, healthy(t, c.settings...), "doctor")
		wantCode(t, r, exitFailed, append(c.says, others...)...)
		if t.Failed() {
			t.Fatalf("that was %s", name)
		}
	}
}

func TestDoctorNamesBothPartsOfAKeyThatIsRefused(t *testing.T) {
	t.Parallel()
	razorpay := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	t.Cleanup(razorpay.Close)
	environ := healthy(t, "SHOP_MODE=test", "SHOP_RAZORPAY_KEY_ID=rzp_test_keyForTheseTests", "SHOP_RAZORPAY_KEY_SECRET=razorpay-key-for-these-tests",
		"SHOP_RAZORPAY_WEBHOOK_SECRET=razorpay-secret-for-tests", "SHOP_RAZORPAY_BASE_URL="+razorpay.URL)
	wantCode(t, shop(t, environ, "doctor"), exitFailed, "is SHOP_RAZORPAY_KEY_ID or SHOP_RAZORPAY_KEY_SECRET right?")
}

func TestDoctorRemarksOnNamesItDoesNotKnow(t *testing.T) {
	t.Parallel()
	wantCode(t, shop(t, healthy(t, "SHOP_ORDER_LIFETME=2h"), "doctor"), exitDone, "note   settings     not known: SHOP_ORDER_LIFETME")
}

func TestDoctorKnowsWhichServersWork(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"8.4.6": stateOK, "9.7.4-2": stateOK, "8.0.29": stateOK, "8.0.28": stateFault, "5.7.44": stateFault,
		"10.11.6-MariaDB-1": stateOK, "11.4.2-MariaDB": stateOK, "10.6.18-MariaDB": stateFault, "8.0-TiDB": stateNote,
	} {
		if f := versionFinding(store.Server{Version: version}); f.State != want {
			t.Errorf("%s: %+v, want %s", version, f, want)
		}
	}
	if f := isolationFinding(store.Server{Isolation: "REPEATABLE-READ"}); f.State != stateFault {
		t.Error(f)
	}
	if f := zoneFinding(store.Server{OffUTC: 32400}); f.State != stateFault {
		t.Error(f)
	}
	if f := durableFinding(store.Server{}); f.State != stateNote {
		t.Error(f)
	}
}

func withParam(dsn, param string) string {
	if strings.Contains(dsn, "?") {
		return dsn + "&" + param
	}
	return dsn + "?" + param
}
