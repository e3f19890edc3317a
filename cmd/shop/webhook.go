package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"onceshop/app"
	"onceshop/config"
	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/webhooks"
)

type webhookCommand struct {
	Verify webhookVerify `cmd:"" help:"Tell whether the shop would take a delivery, and if not, why: which header, which bytes, how old."`
}

type webhookVerify struct {
	Provider string   `help:"Whose rules: ${enum}." enum:"${providers}" default:"stablein"`
	Secret   []string `help:"A secret that may have signed it, as the setting takes it: also with a name and an end, or several with commas; may be repeated. Default: those of the configuration." sep:"none" placeholder:"S"`
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
	at := time.Now()
	if cmd.At != 0 {
		at = time.Unix(cmd.At, 0)
	}
	sender := cmd.sender(header, body, at)
	adapter, err := cmd.adapter(s)
	switch {
	case errors.Is(err, errNoSecret) && sender != "":
		return fmt.Errorf("%w; %s", err, sender)
	case err != nil:
		return err
	}
	defer adapter.Close()
	e := adapter.Explain(header, body, at)
	if errors.Is(e.Err, payment.ErrSignature) && !errors.Is(e.Err, signing.ErrNoMatch) && sender != "" {
		e.Note("%s", sender)
	}
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

var errNoSecret = errors.New("no secret")

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
	if len(cmd.Secret) > 0 {
		held = config.WebhookSecrets(strings.Join(cmd.Secret, ","))
	}
	list, err := held.List()
	switch {
	case err != nil && len(cmd.Secret) > 0:
		return nil, fmt.Errorf("--secret %w", err)
	case err != nil:
		return nil, config.Faults{{Setting: setting, Problem: err.Error()}}
	case len(list) == 0:
		return nil, fmt.Errorf("%w: give one with --secret or set %s", errNoSecret, setting)
	}
	return app.AdapterWith(c, cmd.Provider, list)
}

// sender tells whose delivery it looks like, if not the named provider's: of whom it
// lacks nothing but the right secret. It returns "" where that can't be told.
func (cmd *webhookVerify) sender(header http.Header, body []byte, at time.Time) string {
	usual, err := config.Load(nil)
	if err != nil {
		return ""
	}
	for _, name := range practisable() {
		if name == cmd.Provider {
			continue
		}
		adapter, err := app.AdapterWith(usual, name, []signing.Secret{{ID: "nobody's", Key: madeUpSecret(name)}})
		if err != nil {
			continue // it wants more than a secret to read a delivery
		}
		_, err = adapter.Verify(header, body, at)
		adapter.Close()
		if errors.Is(err, signing.ErrNoMatch) {
			return fmt.Sprintf("these are %s's headers: add --provider %s", standIns[name].title, name)
		}
	}
	return ""
}

// madeUpSecret is a webhook secret as the provider would make it, which nobody has.
func madeUpSecret(provider string) string {
	settings := standIns[provider].settings
	i := slices.IndexFunc(settings, func(m madeUp) bool { return m.name == "WEBHOOK_SECRET" })
	return settings[i].make()
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
