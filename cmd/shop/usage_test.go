package main

import (
	"strings"
	"testing"
)

func TestACommandLineThatIsNotUnderstoodExitsWithTwo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, help string }{
		{"", "shop --help lists the commands"},
		{"sell", "shop --help lists the commands"},
		{"--env-file", "shop --help lists the commands"},
		{"help sell", "shop --help lists the commands"},
		{"orders", "shop orders --help tells more"},
		{"orders sell", "shop orders --help tells more"},
		{"orders show", "shop orders show --help tells more"},
		{"orders list --format xml", "shop orders list --help tells more"},
		{"jobs retry first", "shop jobs retry --help tells more"},
		{"trigger pay", "shop trigger --help tells more"},
	} {
		r := shop(t, nil, strings.Fields(c.line)...)
		wantCode(t, r, exitUsage, "\n"+c.help+"\n")
		if r.stdout != "" {
			t.Errorf("%s: standard output isn't for complaints: %s", c.line, r.stdout)
		}
	}
}

func TestHelpMayBeAskedForInFront(t *testing.T) {
	t.Parallel()
	for asked, usual := range map[string]string{"help": "--help", "help trigger": "trigger --help", "help orders refund": "orders refund --help"} {
		r := mustShop(t, nil, strings.Fields(asked)...)
		if want := mustShop(t, nil, strings.Fields(usual)...); r != want || r.stdout == "" {
			t.Errorf("%s says\n%s\nand %s\n%s", asked, r.all(), usual, want.all())
		}
	}
}

func TestHelpNamesEveryCommand(t *testing.T) {
	t.Parallel()
	r := mustShop(t, nil, "--help")
	for _, command := range []string{"demo", "serve", "migrate up", "migrate status", "migrate validate", "doctor", "orders list", "orders show",
		"orders timeline", "orders cancel", "orders refund", "orders reviewed", "orders reopen", "orders relink", "events list", "events show", "events replay", "jobs list", "jobs retry", "payments orphans", "audit list",
		"trigger", "webhook verify", "license verify", "sandbox serve", "healthcheck", "secrets", "version"} {
		if !strings.Contains(r.stdout, "  "+command+" ") {
			t.Errorf("%s isn't listed in:\n%s", command, r.stdout)
		}
	}
}

func TestVersionTellsWhatItWasBuiltFrom(t *testing.T) {
	t.Parallel()
	wantCode(t, shop(t, nil, "version"), exitDone, "onceshop ", "go1.")
}

func TestSettingsMayComeFromAFileAndTheEnvironmentHasTheLastWord(t *testing.T) {
	t.Parallel()
	file := write(t, "env", []byte("SHOP_DATABASE_URL='not a database'\nSHOP_LOG_LEVEL=loud\n"))
	wantCode(t, shop(t, nil, "--env-file", file, "orders", "list"), exitFailed, "SHOP_LOG_LEVEL is none of debug, info, warn and error")
	wantCode(t, shop(t, []string{"SHOP_LOG_LEVEL=info"}, "--env-file", file, "orders", "list"), exitFailed, "SHOP_DATABASE_URL is not usable: not understood")
	wantCode(t, shop(t, nil, "--env-file", "/nowhere/env", "orders", "list"), exitFailed, "no such file")
}

func TestNewSecretsMakeAUsableConfiguration(t *testing.T) {
	t.Parallel()
	one, other := mustShop(t, nil, "secrets"), mustShop(t, nil, "secrets")
	if one.stdout == other.stdout {
		t.Fatal("the same secrets twice")
	}
	file := write(t, "env", []byte(one.stdout))
	environ := environment("mysql://nobody@127.0.0.1:1/shop")
	for _, name := range ownSecrets {
		environ = without(environ, []string{name + "="})
	}
	r := shop(t, environ, "--env-file", file, "doctor")
	wantCode(t, r, exitFailed, "ok     secrets", "FAULT  database")
}
