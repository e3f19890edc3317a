package main

import (
	"context"
	"errors"
	"time"

	"onceshop/config"
	"onceshop/fulfillment"
	"onceshop/payment"
	"onceshop/providers/stablein"
)

// mailFinding signs in at the mail server and sends nothing.
func (s *session) mailFinding(c *config.Config, faults config.Faults) finding {
	const check = "mail"
	for _, name := range []string{"MAIL_URL", "MAIL_FROM"} {
		if problem := faults.Of(config.Prefix + name); problem != "" {
			return fault(check, config.Prefix+name+" "+problem, "see .env.example")
		}
	}
	if c.MailURL == config.Mailbox {
		return ok(check, "kept for the demo's mailbox page, nothing is sent")
	}
	server, err := fulfillment.NewSMTP(c.MailURL.Reveal())
	if err != nil {
		return fault(check, err.Error(), "mend SHOP_MAIL_URL")
	}
	ctx, cancel := context.WithTimeout(s.ctx, askWithin)
	defer cancel()
	if err := server.Check(ctx); err != nil {
		return fault(check, server.String()+": "+err.Error(), "is SHOP_MAIL_URL right, and may this host reach it?")
	}
	return ok(check, "%s takes mails from us", server)
}

// providerFinding asks the provider's API for next to nothing.
func (s *session) providerFinding(c *config.Config, faults config.Faults) finding {
	const check = "provider"
	if problem := faults.Of(config.Prefix + "STABLEIN_BASE_URL"); problem != "" {
		return fault(check, config.Prefix+"STABLEIN_BASE_URL "+problem, "see .env.example")
	}
	adapter, err := stablein.New(stablein.Config{Secrets: c.StableInSecrets(), BaseURL: c.StableInBaseURL, APIKey: c.StableInAPIKey.Reveal()})
	if err != nil {
		return fault(check, err.Error(), "mend the secrets first")
	}
	defer adapter.Close()
	ctx, cancel := context.WithTimeout(s.ctx, askWithin)
	defer cancel()
	_, _, err = adapter.List(ctx, time.Now(), "", 1)
	switch {
	case errors.Is(err, payment.ErrUnauthorised):
		return fault(check, err.Error(), "is SHOP_STABLEIN_API_KEY right?")
	case err != nil:
		return fault(check, err.Error(), "is SHOP_STABLEIN_BASE_URL right, and may this host reach it?")
	}
	return ok(check, "%s answers", c.StableInBaseURL)
}
