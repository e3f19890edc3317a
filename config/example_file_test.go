package config_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"onceshop/config"
)

var exampleLine = regexp.MustCompile(`^(# )?(SHOP_[A-Z_]+)=(.*)$`)

func TestTheExampleFileIsComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		value   string
		remark  bool
		counted int
	}
	lines := map[string]line{}
	for _, l := range strings.Split(string(text), "\n") {
		if m := exampleLine.FindStringSubmatch(l); m != nil {
			lines[m[2]] = line{m[3], m[1] != "", lines[m[2]].counted + 1}
		}
	}
	for _, s := range config.Settings() {
		l, ok := lines[s.Name]
		switch {
		case !ok:
			t.Errorf("%s is missing from .env.example", s.Name)
		case l.counted > 1:
			t.Errorf("%s is in .env.example %d times", s.Name, l.counted)
		case s.Default != "" && (!l.remark || l.value != s.Default):
			t.Errorf("%s: .env.example doesn't show the default %q commented out", s.Name, s.Default)
		}
		delete(lines, s.Name)
	}
	for name := range lines {
		t.Errorf(".env.example has %s, which is no setting", name)
	}
}

func TestTheExampleFileAndTheManualNameEveryProvider(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(text), "SHOP_PROVIDERS=")
	remark := before[strings.LastIndex(before, "\n\n"):]
	for _, s := range config.Settings() {
		for _, name := range config.KnownProviders() {
			if s.Name == "SHOP_PROVIDERS" && (!strings.Contains(s.Meaning, name) || !strings.Contains(remark, name)) {
				t.Errorf("%s isn't named in %q or in .env.example:%s", name, s.Meaning, remark)
			}
		}
	}
}

func TestAnUntouchedExampleFileStopsTheStart(t *testing.T) {
	t.Parallel()
	environ, err := config.ReadEnvFile("../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	faults := faultsOf(t, environ)
	placeholders := 0
	for _, line := range environ {
		if name, isPlaceholder := strings.CutSuffix(line, "=REPLACE_ME"); isPlaceholder {
			placeholders++
			if faults.Of(name) != "is a placeholder" {
				t.Errorf("%s, a placeholder: %q", name, faults.Of(name))
			}
		}
	}
	if len(faults) != placeholders || placeholders == 0 {
		t.Errorf("want a fault for each of %d placeholders and no other, got:\n%v", placeholders, faults)
	}
}

func TestEverySettingSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	for _, s := range config.Settings() {
		if !strings.HasSuffix(s.Meaning, ".") {
			t.Errorf("%s: the meaning is no sentence: %q", s.Name, s.Meaning)
		}
	}
}
