package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"onceshop/app"
	"onceshop/config"
	"onceshop/payment"
)

// welcome says where everything is and what to try first.
func (cmd *demoCommand) welcome(s *session, c *config.Config, a *app.App, server databaseServer) error {
	providers, err := sellers(s, c, a)
	if err != nil {
		return err
	}
	program := cmd.elsewhere()
	fmt.Fprintf(s.stdout, `
  %s is open.

    Shop        %s
    Mailbox     %s/mailbox
    Payments    %s   (practice: pay, fail, refund, break webhooks)
    Providers   %s
    Operations  http://%s/readyz   /metrics
    Database    %s

  Put a product into the cart and pay: the order's page follows along.
  Then, in another terminal:

    %s orders list
    %s orders timeline NUMBER
    %s trigger resend --order NUMBER --duplicate 5
    %s trigger %s --order NUMBER

  Orders are kept for the next start; --reset starts over. Ctrl-C ends everything.

`, c.Name, c.BaseURL, c.BaseURL, c.SandboxPublicURL, providers, c.OperationsListen, server.name,
		program, program, program, program, wordToTry(c.Providers))
	return nil
}

// wordToTry is one that the provider of the reader's order knows: in its own language,
// if there is but one provider.
func wordToTry(offered []string) string {
	if len(offered) == 1 {
		return standIns[offered[0]].word
	}
	return "refund"
}

// sellers are the providers that a buyer may choose, each with what can be paid through
// it if that isn't everything, and those that are heard for the sake of older orders.
func sellers(s *session, c *config.Config, a *app.App) (string, error) {
	products, err := a.DB.ListProducts(s.ctx)
	if err != nil {
		return "", err
	}
	var list []string
	for _, name := range c.Providers {
		var takes []string
		for _, p := range products {
			if slices.Contains(a.Shop.Ways(payment.Money{Amount: p.Price, Currency: p.Currency}), name) {
				takes = append(takes, p.Name)
			}
		}
		title := standIns[name].title
		switch len(takes) {
		case len(products):
		case 0:
			title += " (takes no currency that is sold in here; --reset starts over)"
		default:
			title += " (for " + strings.Join(takes, ", ") + ")"
		}
		list = append(list, title)
	}
	text := strings.Join(list, ", ")
	if earlier := c.Configured()[len(c.Providers):]; len(earlier) > 0 {
		text += "; for earlier orders " + titles(earlier)
	}
	return text, nil
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
