package main

import (
	"context"

	"onceshop/config"
	"onceshop/fulfillment"
)

// mailFinding signs in at the mail server and sends nothing.
func (s *session) mailFinding(c *config.Config, faults config.Faults) finding {
	const check = "mail"
	for _, f := range faults {
		if subjectOf(f.Setting) == check {
			return fault(check, f.String(), "see .env.example")
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
