package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"onceshop/app"
	"onceshop/config"
	"onceshop/providers/signing"
	"onceshop/webhooks"
)

type webhookCommand struct {
	Verify webhookVerify `cmd:"" help:"Tell whether the shop would take a delivery, and if not, why: which header, which bytes, how old."`
}

type webhookVerify struct {
	Provider string   `help:"Whose rules: ${enum}." enum:"${providers}" default:"stablein"`
	Secret   []string `help:"A secret that may have signed it; may be repeated. Default: those of the configuration." sep:"none" placeholder:"S"`
	Account  []string `help:"Of Adyen: a merchant account that is ours; may be repeated. Default: those of the configuration." sep:"none" placeholder:"A"`
	At       int64    `help:"When it arrived, in Unix seconds. Default: now." placeholder:"UNIX"`
	Header   []string `help:"A header of the delivery, as it came; may be repeated." sep:"none" placeholder:"'NAME: VALUE'"`
	File     string   `arg:"" help:"The body, byte by byte as it came."`
}

func (cmd *webhookVerify) Run(s *session) error {
	header, err := headers(cmd.Header)
	if err != nil {
		return err
	}
	body, err := os.ReadFile(cmd.File)
	if err != nil {
		return err
	}
	adapter, err := cmd.adapter(s)
	if err != nil {
		return err
	}
	defer adapter.Close()
	at := time.Now()
	if cmd.At != 0 {
		at = time.Unix(cmd.At, 0)
	}
	e := adapter.Explain(header, body, at)
	fmt.Fprintln(s.stdout, e)
	if len(body) > webhooks.MaxBody {
		fmt.Fprintf(s.stdout, "the body is longer than %d MiB: the shop answers 413 and doesn't verify it\n", webhooks.MaxBody>>20)
		return errSaid
	}
	if !e.Accepted() {
		return errSaid
	}
	return nil
}

// adapter is the provider's, with the configuration's secrets and accounts where
// none are given.
func (cmd *webhookVerify) adapter(s *session) (app.Adapter, error) {
	c, err := s.config()
	if err != nil {
		return nil, err
	}
	if len(cmd.Account) > 0 {
		c.Adyen.MerchantAccounts = cmd.Account
	}
	held, setting := c.WebhookSecretsOf(cmd.Provider)
	list, err := held.List()
	if len(cmd.Secret) > 0 {
		list, err = nil, nil
		for i, key := range cmd.Secret {
			list = append(list, signing.Secret{ID: fmt.Sprintf("#%d", i+1), Key: key})
		}
	}
	switch {
	case err != nil:
		return nil, config.Faults{{Setting: setting, Problem: err.Error()}}
	case len(list) == 0:
		return nil, errors.New("no secret: give one with --secret or set " + setting)
	}
	return app.AdapterWith(c, cmd.Provider, list)
}

// headers reads "Name: value" lines. Blanks before the value aren't part of it, as
// on the wire.
func headers(lines []string) (http.Header, error) {
	header := http.Header{}
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("--header %q is not 'Name: value'", name)
		}
		header.Add(strings.TrimSpace(name), strings.Trim(value, " \t\r\n"))
	}
	return header, nil
}
