package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"onceshop/app"
	"onceshop/config"
	"onceshop/payment"
)

// providerFindings look at every provider that is set up.
func (s *session) providerFindings(c *config.Config, faults config.Faults) []finding {
	var list []finding
	for _, name := range c.Configured() {
		if !slices.Contains(config.KnownProviders(), name) {
			continue // a fault of the settings
		}
		told, lacking := len(list), ""
		for _, f := range faults {
			switch {
			case config.ProviderOf(f.Setting) != name:
			case subjectOf(f.Setting) == "provider":
				list = append(list, fault("provider", f.String(), "see .env.example"))
			case lacking == "":
				lacking = f.Setting
			}
		}
		switch {
		case len(list) > told:
		case lacking != "":
			list = append(list, finding{"provider", stateNote, name + " isn't asked", "mend " + lacking + " first"})
		default:
			list = append(list, s.providerFinding(c, name))
		}
	}
	return list
}

// asked is an adapter that can be asked for next to nothing.
type asked interface {
	List(ctx context.Context, since time.Time, cursor string, limit int) ([]payment.Snapshot, string, error)
}

// providerFinding asks the provider's API whether it knows us.
func (s *session) providerFinding(c *config.Config, name string) finding {
	const check = "provider"
	held, setting := c.WebhookSecretsOf(name)
	secrets, err := held.List()
	if err != nil {
		return fault(check, setting+" "+err.Error(), "see .env.example")
	}
	if held.Ended(time.Now()) {
		return fault(check, name+": every secret has ended, so that all its webhooks are refused", "add the present one to "+setting)
	}
	adapter, err := app.AdapterWith(c, name, secrets)
	if err != nil {
		return fault(check, err.Error(), "mend its settings first")
	}
	defer adapter.Close()
	api, askable := adapter.(asked)
	if !askable {
		return finding{check, stateNote, name + " isn't asked: it answers nothing without a payment", "try one: its address and its key are unproven"}
	}
	ctx, cancel := context.WithTimeout(s.ctx, askWithin)
	defer cancel()
	_, _, err = api.List(ctx, time.Now(), "", 1)
	switch {
	case errors.Is(err, payment.ErrUnauthorised):
		return fault(check, err.Error(), "is "+strings.Join(c.KeysOf(name), " or ")+" right?")
	case err != nil:
		return fault(check, err.Error(), "is "+config.SettingOf(name, "BASE_URL")+" right, and may this host reach it?")
	}
	return ok(check, "%s answers", name)
}
