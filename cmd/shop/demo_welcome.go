package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"onceshop/config"
)

// welcome says where everything is and what to try first.
func (cmd *demoCommand) welcome(s *session, c *config.Config, server databaseServer) {
	fmt.Fprintf(s.stdout, `
  %s is open.

    Shop        %s
    Mailbox     %s/mailbox
    Payments    %s   (practice: pay, fail, refund, break webhooks)
    Operations  http://%s/readyz   /metrics
    Database    %s

  Put a product into the cart and pay: the order's page follows along.
  Then, in another terminal:

    %s orders list
    %s orders timeline NUMBER
    %s trigger resend --order NUMBER --duplicate 5

  Orders are kept for the next start; --reset starts over. Ctrl-C ends everything.

`, c.Name, c.BaseURL, c.BaseURL, c.SandboxPublicURL, c.OperationsListen, server.name,
		cmd.elsewhere(), cmd.elsewhere(), cmd.elsewhere())
}

// elsewhere is how this program is called from another terminal. Under go run the
// program lies in a folder that is gone tomorrow.
func (cmd *demoCommand) elsewhere() string {
	program, err := os.Executable()
	if err != nil || strings.HasPrefix(program, os.TempDir()) || strings.Contains(program, "go-build") {
		program = "go run ./cmd/shop"
	}
	return program + " --env-file " + relative(filepath.Join(cmd.Data, envName))
}

// relative shortens a path below the working folder.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	short, err := filepath.Rel(here, path)
	if err != nil || strings.HasPrefix(short, "..") {
		return path
	}
	return short
}
