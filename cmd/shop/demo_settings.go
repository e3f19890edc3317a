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
)

// envName is the file that keeps a demo's settings. Other commands read it with
// --env-file to look at the demo from another terminal.
const envName = "demo.env"

// settings makes the demo's configuration: secrets of its own, kept from run to
// run; addresses as they are now; the rest as the environment says.
func (cmd *demoCommand) settings(s *session, a addresses, server databaseServer) (*config.Config, error) {
	path := filepath.Join(cmd.Data, envName)
	secrets, err := keptSecrets(path)
	if err != nil {
		return nil, err
	}
	shop, sandbox := "http://"+a.shop.Public.Addr().String(), "http://"+a.sandbox.Addr().String()
	own := append(secrets,
		"SHOP_DEMO=true",
		"SHOP_DATABASE_URL="+server.shop,
		"SHOP_SANDBOX_DATABASE_URL="+server.sandbox,
		"SHOP_LISTEN="+a.shop.Public.Addr().String(),
		"SHOP_OPERATIONS_LISTEN="+a.shop.Operations.Addr().String(),
		"SHOP_SANDBOX_LISTEN="+a.sandbox.Addr().String(),
		"SHOP_BASE_URL="+shop,
		"SHOP_STABLEIN_BASE_URL="+sandbox,
		"SHOP_SANDBOX_PUBLIC_URL="+sandbox,
		"SHOP_SANDBOX_WEBHOOK_URL="+shop+"/webhooks/stablein",
		fmt.Sprintf("SHOP_SANDBOX_TIME_SCALE=%g", cmd.TimeScale),
		"SHOP_ROLES="+strings.Join([]string{config.RoleWeb, config.RoleInbox, config.RoleWorker, config.RoleMail, config.RoleReconcile}, ","),
	)
	usual := []string{
		"SHOP_MAIL_URL=" + string(config.Mailbox),
		"SHOP_MAIL_FROM=Onceshop <shop@onceshop.example>",
		"SHOP_RECONCILE_AFTER=20s", // so that a lost webhook can be watched being made up for
		"SHOP_LOG_LEVEL=warn",
	}
	if err := writeEnvFile(path, append(slices.Clone(usual), own...)); err != nil {
		return nil, err
	}
	return config.Load(slices.Concat(usual, without(s.environ, own), own))
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

// keptSecrets returns the secrets of an earlier run, and new ones for those that
// are missing: with other ones, links and licenses of kept orders would be void.
func keptSecrets(path string) ([]string, error) {
	kept, err := config.ReadEnvFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	known := map[string]string{}
	for _, line := range kept {
		name, value, _ := strings.Cut(line, "=")
		known[name] = value
	}
	var lines []string
	for _, name := range ownSecrets {
		if known[name] == "" {
			known[name] = newSecret()
		}
		lines = append(lines, name+"="+known[name])
	}
	return lines, nil
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
