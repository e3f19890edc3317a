package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"onceshop/config"
	"onceshop/providers/stablein"
)

// envName is the file that keeps a demo's settings. Other commands read it with
// --env-file to look at the demo from another terminal.
const envName = "demo.env"

// settings makes the demo's configuration: secrets of its own, kept from run to
// run; addresses as they are now; the rest as the environment says, but for
// providers: a demo speaks to nobody's real account.
func (cmd *demoCommand) settings(s *session, a addresses, server databaseServer) (*config.Config, error) {
	path := filepath.Join(cmd.Data, envName)
	kept, err := keptSettings(path)
	if err != nil {
		return nil, err
	}
	offered, err := cmd.names()
	if err != nil {
		return nil, err
	}
	shop, sandbox := "http://"+a.shop.Public.Addr().String(), "http://"+a.sandbox.Addr().String()
	spoken := heard(kept, offered)
	own := append(credentials(kept, spoken),
		"SHOP_DEMO=true",
		"SHOP_MODE="+config.ModeTest,
		"SHOP_PROVIDERS="+strings.Join(offered, ","),
		"SHOP_DATABASE_URL="+server.shop,
		"SHOP_SANDBOX_DATABASE_URL="+server.sandbox,
		"SHOP_LISTEN="+a.shop.Public.Addr().String(),
		"SHOP_OPERATIONS_LISTEN="+a.shop.Operations.Addr().String(),
		"SHOP_SANDBOX_LISTEN="+a.sandbox.Addr().String(),
		"SHOP_BASE_URL="+shop,
		"SHOP_SANDBOX_PUBLIC_URL="+sandbox,
		"SHOP_SANDBOX_WEBHOOK_URL="+shop+"/webhooks",
		fmt.Sprintf("SHOP_SANDBOX_TIME_SCALE=%g", cmd.TimeScale),
		"SHOP_ROLES="+strings.Join([]string{config.RoleWeb, config.RoleInbox, config.RoleWorker, config.RoleMail, config.RoleReconcile}, ","),
	)
	if !slices.Contains(spoken, stablein.Name) {
		spoken = append(spoken, stablein.Name) // where the practice API is
	}
	for _, name := range spoken {
		own = append(own, config.SettingOf(name, "BASE_URL")+"="+sandbox+standIns[name].path)
	}
	usual := []string{
		"SHOP_MAIL_URL=" + string(config.Mailbox),
		"SHOP_MAIL_FROM=Onceshop <shop@onceshop.example>",
		"SHOP_RECONCILE_AFTER=20s", // so that a lost webhook can be watched being made up for
		"SHOP_LOG_LEVEL=warn",
	}
	if err := writeEnvFile(path, append(slices.Clone(usual), own...)); err != nil {
		return nil, err
	}
	given := slices.DeleteFunc(without(s.environ, own), func(line string) bool { return config.ProviderOf(line) != "" })
	return config.Load(slices.Concat(usual, given, own))
}

// heard are the providers on offer, and those of an earlier run: their orders go on
// being paid, refunded and disputed.
func heard(kept map[string]string, offered []string) []string {
	names := slices.Clone(offered)
	for _, name := range practisable() {
		if kept[config.SettingOf(name, "WEBHOOK_SECRET")] != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// without leaves out of environ what the demo sets itself, given directly or as a
// file.
func without(environ, own []string) []string {
	names := map[string]bool{}
	for _, line := range own {
		name, _, _ := strings.Cut(line, "=")
		names[name], names[name+"_FILE"] = true, true
	}
	return slices.DeleteFunc(slices.Clone(environ), func(line string) bool {
		name, _, _ := strings.Cut(line, "=")
		return names[name]
	})
}

// keptSettings are those of an earlier run, whose secrets are used again: with other
// ones, links and licenses of kept orders would be void.
func keptSettings(path string) (map[string]string, error) {
	lines, err := config.ReadEnvFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	kept := map[string]string{}
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		kept[name] = value
	}
	return kept, nil
}

// writeEnvFile replaces the file whole: half of it would lose secrets.
func writeEnvFile(path string, lines []string) error {
	text := "# The demo's settings, written anew at each start. Secrets are kept.\n" +
		"# From another terminal: shop --env-file " + path + " orders list\n"
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		text += name + "='" + value + "'\n"
	}
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
