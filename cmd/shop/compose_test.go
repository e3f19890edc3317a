package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"

	"onceshop/config"
)

// composition is docker-compose.yml as an engine would read it beside a .env that
// shop secrets has written, with these arguments.
func composition(t *testing.T, args ...string) (project *types.Project, environ map[string]string) {
	t.Helper()
	const file = "../../docker-compose.yml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	secrets := mustShop(t, nil, append([]string{"secrets"}, args...)...).stdout
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte(secrets), 0o600); err != nil {
		t.Fatal(err)
	}
	environ = map[string]string{}
	for line := range strings.Lines(secrets) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		environ[name] = value
	}
	project, err = loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: dir, Environment: environ,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(dir, "docker-compose.yml"), Content: text}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return project, environ
}

// settings are a service's variables as its program sees them.
func settings(s types.ServiceConfig) []string {
	var lines []string
	for name, value := range s.Environment {
		if value != nil {
			lines = append(lines, name+"="+*value)
		}
	}
	return lines
}

// ours are the services that run this program.
func ours(p *types.Project) map[string]types.ServiceConfig {
	return maps.Collect(func(yield func(string, types.ServiceConfig) bool) {
		for name, s := range p.Services {
			if s.Image == "onceshop" && !yield(name, s) {
				return
			}
		}
	})
}

func TestComposeHasTheServicesOfAWholeShop(t *testing.T) {
	t.Parallel()
	p, _ := composition(t)
	want := []string{"db", "mail", "migrate", "sandbox", "seed", "shop", "worker"}
	if got := slices.Sorted(maps.Keys(p.Services)); !slices.Equal(got, want) {
		t.Errorf("services %v, want %v", got, want)
	}
	if n := len(ours(p)); n != 5 {
		t.Errorf("%d services run this program", n)
	}
}

func TestComposeCallsCommandsThatExist(t *testing.T) {
	t.Parallel()
	p, _ := composition(t)
	for name, s := range ours(p) {
		var words commands
		parser, err := newParser(&words, new(bytes.Buffer), new(bytes.Buffer))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse(s.Command); err != nil {
			t.Errorf("%s: %v: %v", name, s.Command, err)
		}
		if s.HealthCheck != nil && len(s.HealthCheck.Test) > 2 {
			if _, err := parser.Parse(s.HealthCheck.Test[2:]); err != nil || s.HealthCheck.Test[1] != "/shop" {
				t.Errorf("%s: health check %v: %v", name, s.HealthCheck.Test, err)
			}
		}
	}
}

func TestComposeSetsWhatTheProgramKnowsAndNeeds(t *testing.T) {
	t.Parallel()
	for _, provider := range append(practisable(), "all") {
		checkComposition(t, provider)
	}
}

func checkComposition(t *testing.T, provider string) {
	t.Helper()
	p, environ := composition(t, "--provider", provider)
	var roles []string
	for name, s := range ours(p) {
		if unknown := config.Unknown(settings(s)); len(unknown) > 0 {
			t.Errorf("%s sets %v, which are no settings", name, unknown)
		}
		c, err := config.Load(settings(s))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		switch s.Command[0] {
		case "serve":
			err = c.Check()
			roles = append(roles, strings.Split(s.Command[2], ",")...)
		case "sandbox":
			err = c.CheckSandbox()
		default:
			err = c.CheckDatabase()
		}
		if err != nil {
			t.Errorf("%s: %s: %v", provider, name, err)
		}
		if got := strings.Join(c.Providers, ","); got != environ["SHOP_PROVIDERS"] && (s.Command[0] == "serve" || s.Command[0] == "sandbox") {
			t.Errorf("%s: %s speaks to %s", provider, name, got)
		}
		if _, err := dialectsOf(c); err != nil && s.Command[0] == "sandbox" {
			t.Errorf("%s: %v", provider, err)
		}
		for _, served := range c.Providers {
			base := config.SettingOf(served, "BASE_URL")
			if got := s.Environment[base]; s.Command[0] == "serve" && (got == nil || *got != "http://sandbox:8090"+standIns[served].path) {
				t.Errorf("%s: %s isn't at its stand-in", name, base)
			}
		}
	}
	slices.Sort(roles)
	if want := []string{"inbox", "mail", "reconcile", "web", "worker"}; !slices.Equal(roles, want) {
		t.Errorf("the instances play %v together, want each of %v once", roles, want)
	}
}

func TestComposeGivesTheSandboxNoSecretsOfTheShop(t *testing.T) {
	t.Parallel()
	p, environ := composition(t, "--provider", "all")
	sandbox := p.Services["sandbox"]
	for _, name := range []string{"SHOP_SECRET", "SHOP_LICENSE_SECRET", "SHOP_LICENSE_SIGNING_KEY"} {
		if _, ok := sandbox.Environment[name]; ok {
			t.Errorf("the sandbox gets %s", name)
		}
	}
	for _, provider := range practisable() {
		for _, setting := range standIns[provider].settings {
			name := config.SettingOf(provider, setting.name)
			if got := sandbox.Environment[name]; setting.name != "BILLING_COUNTRY" && (got == nil || *got != environ[name]) {
				t.Errorf("the sandbox and the shop don't share %s", name)
			}
		}
	}
}

func TestComposeStartsInOrderAndShowsItselfToThisMachineOnly(t *testing.T) {
	t.Parallel()
	p, _ := composition(t)
	for name, s := range p.Services {
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s is open to %q", name, port.Published, port.HostIP)
			}
		}
	}
	if len(p.Services["db"].Ports) > 0 || p.Services["db"].HealthCheck == nil {
		t.Error("the database has an open port, or no health check")
	}
	for name, s := range ours(p) {
		on, condition := "migrate", types.ServiceConditionCompletedSuccessfully
		if name == "migrate" || name == "sandbox" {
			on, condition = "db", types.ServiceConditionHealthy
		}
		if got := s.DependsOn[on].Condition; got != condition {
			t.Errorf("%s waits for %s to be %q, want %q", name, on, got, condition)
		}
		if !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") {
			t.Errorf("%s may write to its image or has capabilities", name)
		}
		if s.Command[0] == "serve" && (s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) < 25*time.Second) {
			t.Errorf("%s is killed before its orderly stop ends", name)
		}
	}
}

func TestTheImageRunsAsNobodyAndChecksItsHealth(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"USER 65532:65532", `CMD ["/shop", "healthcheck"]`, `ENTRYPOINT ["/shop"]`, "go build -trimpath", "./cmd/shop"} {
		if !strings.Contains(string(text), line) {
			t.Errorf("the Dockerfile has no %s", line)
		}
	}
}
