package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"onceshop/config"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
)

type webhookCommand struct {
	Verify webhookVerify `cmd:"" help:"Tell whether the shop would take a delivery, and if not, why: which header, which bytes, how old."`
}

type webhookVerify struct {
	Provider string   `help:"Whose rules." enum:"stablein" default:"stablein"`
	Secret   []string `help:"A secret that may have signed it; may be repeated. Default: those of the configuration." sep:"none" placeholder:"S"`
	At       int64    `help:"When it arrived, in Unix seconds. Default: now." placeholder:"UNIX"`
	Header   []string `help:"A header of the delivery, as it came; may be repeated." sep:"none" placeholder:"'NAME: VALUE'"`
	File     string   `arg:"" help:"The body, byte by byte as it came."`
}

// maxDelivery is a little more than the shop reads, so that one that is too long
// is told to be so.
const maxDelivery = 1 << 20

func (cmd *webhookVerify) Run(s *session) error {
	header, err := headers(cmd.Header)
	if err != nil {
		return err
	}
	body, err := os.ReadFile(cmd.File)
	if err != nil {
		return err
	}
	secrets, err := cmd.secrets(s)
	if err != nil {
		return err
	}
	at := time.Now()
	if cmd.At != 0 {
		at = time.Unix(cmd.At, 0)
	}
	adapter, err := stablein.New(stablein.Config{Secrets: secrets})
	if err != nil {
		return err
	}
	defer adapter.Close()
	e := adapter.Explain(header, body, at)
	fmt.Fprintln(s.stdout, e)
	if len(body) > maxDelivery {
		fmt.Fprintf(s.stdout, "the body is longer than 1 MiB: the shop answers 413 and doesn't verify it\n")
		return errSaid
	}
	if !e.Accepted() {
		return errSaid
	}
	return nil
}

func (cmd *webhookVerify) secrets(s *session) ([]signing.Secret, error) {
	var list []signing.Secret
	for i, key := range cmd.Secret {
		list = append(list, signing.Secret{ID: fmt.Sprintf("#%d", i+1), Key: key})
	}
	if len(list) > 0 {
		return list, nil
	}
	c, err := s.config()
	if err != nil {
		return nil, err
	}
	if list = c.StableInSecrets(); len(list) == 0 {
		return nil, errors.New("no secret: give one with --secret or set " + config.Prefix + "STABLEIN_WEBHOOK_SECRET")
	}
	return list, nil
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
