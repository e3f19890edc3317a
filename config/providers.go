package config

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"onceshop/providers/adyen"
	"onceshop/providers/call"
	"onceshop/providers/checkoutcom"
	"onceshop/providers/payflow"
	"onceshop/providers/razorpay"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
	"onceshop/providers/standardwebhooks"
	"onceshop/providers/stripe"
)

// provider is what a struct of one provider's settings knows of them.
type provider interface {
	// webhookSecrets are what SHOP_<PROVIDER>_WEBHOOK_SECRET holds.
	webhookSecrets() WebhookSecrets
	// strength is the provider's rule for one of them.
	strength(secret string) error
	// check reports everything else.
	check(s section)
	// keys name the settings that its API knows the shop by.
	keys() []string
	// pages are the origins of its hosted payment pages.
	pages(live bool) []string
}

// providers are all that are known, by their names in routes and records.
func (c *Config) providers() []named {
	return []named{
		{stablein.Name, c.StableIn},
		{stripe.Name, c.Stripe},
		{checkoutcom.Name, c.CheckoutCom},
		{adyen.Name, c.Adyen},
		{razorpay.Name, c.Razorpay},
		{payflow.Name, c.PayFlow},
		{standardwebhooks.Name, c.StandardWebhooks},
	}
}

type named struct {
	name string
	provider
}

// KnownProviders are the names of all providers that there are adapters for.
func KnownProviders() []string {
	var names []string
	for _, p := range new(Config).providers() {
		names = append(names, p.name)
	}
	return names
}

// Configured are the names of the providers that the shop speaks to: those on
// offer, the preferred one first, and those that have a webhook secret because
// orders were placed with them before.
func (c *Config) Configured() []string {
	names := slices.Clone(c.Providers)
	for _, p := range c.providers() {
		if p.webhookSecrets() != "" && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// WebhookSecretsOf are the secrets of one provider, and the name of their setting.
func (c *Config) WebhookSecretsOf(name string) (secrets WebhookSecrets, setting string) {
	for _, p := range c.providers() {
		if p.name == name {
			secrets = p.webhookSecrets()
		}
	}
	return secrets, SettingOf(name, "WEBHOOK_SECRET")
}

// KeysOf are the settings that one provider's API knows the shop by.
func (c *Config) KeysOf(name string) (settings []string) {
	for _, p := range c.providers() {
		if p.name != name {
			continue
		}
		for _, key := range p.keys() {
			settings = append(settings, SettingOf(name, key))
		}
	}
	return settings
}

// SettingOf is the whole name of a provider's setting: SHOP_STRIPE_API_KEY of API_KEY.
func SettingOf(provider, name string) string {
	return Prefix + strings.ToUpper(provider) + "_" + name
}

// ProviderOf returns the name of the provider that a setting belongs to, or "".
func ProviderOf(setting string) string {
	for _, name := range KnownProviders() {
		if strings.HasPrefix(setting, SettingOf(name, "")) {
			return name
		}
	}
	return ""
}

// PaymentPages are the origins that a buyer is sent to for paying.
func (c *Config) PaymentPages() []string {
	if len(c.PayOrigins) > 0 {
		return c.PayOrigins
	}
	var origins []string
	configured := c.Configured()
	for _, p := range c.providers() {
		if !slices.Contains(configured, p.name) {
			continue
		}
		for _, o := range p.pages(c.Live()) {
			if !slices.Contains(origins, o) {
				origins = append(origins, o)
			}
		}
	}
	return origins
}

// checkProviders holds every provider that is on offer or has a webhook secret to
// its rules: one that is set up by half would take orders that nobody can pay, or
// events that nobody can look up.
func (c *Config) checkProviders(f *Faults) {
	for _, o := range c.PayOrigins {
		if _, problem := origin(o); problem != "" {
			f.add("PAY_ORIGINS", "has an origin that %s", problem)
			break
		}
	}
	if c.Mode != "" && c.Mode != ModeLive && c.Mode != ModeTest {
		f.add("MODE", "is neither live nor test")
	}
	c.checkOffered(f)
	configured := c.Configured()
	for _, p := range c.providers() {
		if slices.Contains(configured, p.name) {
			s := section{f, p.name, c.Live(), c.wanted(p.name)}
			p.check(s)
			s.webhookSecrets(p)
		}
	}
}

// wanted tells why a provider's settings are asked for, behind "is not set".
func (c *Config) wanted(name string) string {
	if slices.Contains(c.Providers, name) {
		return ", and " + Prefix + "PROVIDERS lists " + name
	}
	return ", and " + SettingOf(name, "WEBHOOK_SECRET") + " is"
}

func (c *Config) checkOffered(f *Faults) {
	known := KnownProviders()
	for i, name := range c.Providers {
		switch {
		case !slices.Contains(known, name):
			f.add("PROVIDERS", "names %s, which isn't known; there are, separated by commas without blanks, %s", shown(name), strings.Join(known, ", "))
			return
		case slices.Contains(c.Providers[:i], name):
			f.add("PROVIDERS", "names a provider twice")
			return
		}
	}
}

var plainName = regexp.MustCompile(`^ *[A-Za-z]{1,20} *$`)

// shown is a provider's name that was written, if it can't be something else: somebody
// may have put a key there.
func shown(name string) string {
	if plainName.MatchString(name) {
		return strconv.Quote(name)
	}
	return "a provider"
}

// section is one provider's part of a check.
type section struct {
	faults   *Faults
	provider string
	live     bool
	wanted   string // why its settings are asked for
}

func (s section) add(name, format string, args ...any) {
	s.faults.addTo(SettingOf(s.provider, name), format, args...)
}

func (s section) required(name, value string) bool {
	if value == "" {
		s.add(name, notSet+"%s", s.wanted)
	}
	return value != ""
}

// key wants a credential that is one.
func (s section) key(name string, value Secret) bool {
	if !s.required(name, value.Reveal()) {
		return false
	}
	err := cmp.Or(signing.CheckSecret(value.Reveal()), call.CheckCredential(value.Reveal()))
	s.check(name, err)
	return err == nil
}

// check reports what an adapter would refuse, in its words.
func (s section) check(name string, err error) {
	switch {
	case errors.Is(err, call.ErrTestKey), errors.Is(err, call.ErrLiveKey):
		s.add(name, "%v%s", err, modeTells)
	case err != nil:
		s.add(name, "%v", err)
	}
}

// modeTells ends what is said of something that is of the other mode than the shop.
const modeTells = "; " + Prefix + "MODE tells"

// webhookSecrets wants at least one, and none that could be guessed.
func (s section) webhookSecrets(p provider) {
	w := p.webhookSecrets()
	if !s.required("WEBHOOK_SECRET", string(w)) {
		return
	}
	s.check("WEBHOOK_SECRET", w.Check(p.strength))
}

// address wants an API's address, or none.
func (s section) address(value string) {
	if value != "" {
		s.check("BASE_URL", call.CheckAddress(value))
	}
}

// originOf is where an address is, as browsers say it.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "" // Check has refused it
	}
	return u.Scheme + "://" + u.Host
}

// isOn tells whether an address is on a domain, or on one below it.
func isOn(address, domain string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Hostname() == domain || strings.HasSuffix(u.Hostname(), "."+domain))
}

// standIn is the origin of an API that isn't on one of the provider's own hosts: it
// has the pages, too. Several addresses of one provider are its own.
func standIn(address, domain string) []string {
	if originOf(address) == "" || isOn(address, domain) {
		return nil
	}
	return []string{originOf(address)}
}
