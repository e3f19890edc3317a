package config

import (
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // TIME_ZONE works in an image without zone files

	"onceshop/database"
	"onceshop/fulfillment"
	"onceshop/providers/signing"
)

// Check reports everything that keeps a shop from starting with this
// configuration, as Faults. It looks at no network and no database; doctor does.
func (c *Config) Check() error {
	var f Faults
	c.checkShop(&f)
	c.checkListeners(&f)
	c.checkSecrets(&f)
	c.checkProviders(&f)
	c.checkMail(&f)
	return f.inOrder().orNil()
}

// CheckDatabase is Check for commands that need nothing but the database.
func (c *Config) CheckDatabase() error {
	var f Faults
	checkDatabase(&f, "DATABASE_URL", c.DatabaseURL)
	return f.orNil()
}

func checkDatabase(f *Faults, name string, source Secret) {
	if !required(f, name, source.Reveal()) {
		return
	}
	cfg, err := database.Config(source.Reveal())
	switch {
	case err != nil:
		f.add(name, "is not usable: %s", strings.TrimPrefix(err.Error(), "database URL: "))
	case cfg.DBName == "":
		f.add(name, "names a server but no database on it")
	}
}

func (c *Config) checkShop(f *Faults) {
	checkDatabase(f, "DATABASE_URL", c.DatabaseURL)
	if required(f, "BASE_URL", c.BaseURL) {
		c.checkBaseURL(f)
	}
	if _, err := time.LoadLocation(c.TimeZone); err != nil {
		f.add("TIME_ZONE", "is not a time zone such as UTC or Europe/Berlin")
	}
	if strings.ContainsAny(c.Name, "\r\n") {
		f.add("NAME", "has more than one line")
	}
	if c.OrderLifetime < time.Minute || c.OrderLifetime > 30*24*time.Hour {
		f.add("ORDER_LIFETIME", "is not between one minute and 720h")
	}
	if c.EventRetention < 24*time.Hour {
		f.add("EVENT_RETENTION", "is shorter than 24h: events that still wait need their bytes")
	}
	if c.ReconcileAfter < time.Second || c.ReconcileAfter > 24*time.Hour {
		f.add("RECONCILE_AFTER", "is not between one second and 24h")
	}
	if c.LogFormat != "text" && c.LogFormat != "json" {
		f.add("LOG_FORMAT", "is neither text nor json")
	}
}

// checkBaseURL wants an origin and nothing more: links are made by adding a path.
func (c *Config) checkBaseURL(f *Faults) {
	u, problem := origin(c.BaseURL)
	switch {
	case problem != "":
		f.add("BASE_URL", "%s", problem)
	case u.Scheme == "http" && !c.Demo && !isLoopback(u.Hostname()):
		f.add("BASE_URL", "is not https: whoever reads an order's address on its way holds its licenses")
	}
}

func (c *Config) checkListeners(f *Faults) {
	for _, l := range []struct{ name, address string }{{"LISTEN", c.Listen}, {"OPERATIONS_LISTEN", c.OperationsListen}} {
		if !isListenAddress(l.address) {
			f.add(l.name, "is not an address to listen on, such as 127.0.0.1:8080")
		}
	}
	if c.Listen == c.OperationsListen && !strings.HasSuffix(c.Listen, ":0") {
		f.add("OPERATIONS_LISTEN", "is the address of SHOP_LISTEN; metrics are not for the public")
	}
	known := map[string]bool{RoleWeb: true, RoleInbox: true, RoleWorker: true, RoleMail: true, RoleReconcile: true}
	for _, r := range c.Roles {
		if !known[r] {
			f.add("ROLES", "has a role that doesn't exist; there are web, inbox, worker, mail and reconcile, separated by commas")
			return
		}
	}
	if len(c.Roles) == 0 {
		f.add("ROLES", "names no role")
	}
}

// minSecret is the size of what the secrets derive; less would be the weak part.
const minSecret = 32

func (c *Config) checkSecrets(f *Faults) {
	for _, s := range []struct {
		name  string
		value Secret
	}{{"SECRET", c.Secret}, {"LICENSE_SECRET", c.LicenseSecret}} {
		if !required(f, s.name, s.value.Reveal()) {
			continue
		}
		if err := signing.CheckSecret(s.value.Reveal()); err != nil {
			f.add(s.name, "%v", err)
		} else if len(s.value) < minSecret {
			f.add(s.name, "is shorter than %d bytes; make one with: openssl rand -base64 32", minSecret)
		}
	}
	if c.Secret == c.LicenseSecret && f.Of(Prefix+"LICENSE_SECRET") == "" {
		f.add("LICENSE_SECRET", "is the same as SHOP_SECRET; they have different lives")
	}
	if required(f, "LICENSE_SIGNING_KEY", c.LicenseSigningKey.Reveal()) {
		if _, err := c.SigningKey(); err != nil {
			f.add("LICENSE_SIGNING_KEY", "%v", err)
		}
	}
}

func (c *Config) checkMail(f *Faults) {
	if required(f, "MAIL_URL", c.MailURL.Reveal()) {
		if problem := c.mailProblem(); problem != "" {
			f.add("MAIL_URL", "%s", problem)
		}
	}
	if required(f, "MAIL_FROM", c.MailFrom) && !isMailAddress(c.MailFrom) {
		f.add("MAIL_FROM", "is not a mail address such as Our Shop <shop@example.com>")
	}
	if c.Contact != "" && !isMailAddress(c.Contact) {
		f.add("CONTACT", "is not a mail address such as help@example.com")
	}
}

// isMailAddress wants a domain that isn't a machine's own name.
func isMailAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && strings.Contains(a.Address[strings.LastIndex(a.Address, "@")+1:], ".")
}

func (c *Config) mailProblem() string {
	if c.MailURL == Mailbox {
		if !c.Demo {
			return "is mailbox:, which shows everybody's mails to everybody; that is for SHOP_DEMO=true"
		}
		return ""
	}
	if _, err := fulfillment.NewSMTP(c.MailURL.Reveal()); err != nil {
		return "is not usable: " + strings.TrimPrefix(err.Error(), "mail server: ")
	}
	return ""
}

// notSet begins what is said of a setting that is wanted and missing.
const notSet = "is not set"

func required(f *Faults, name, value string) bool {
	if value == "" {
		f.add(name, notSet)
	}
	return value != ""
}

// origin reads scheme://host[:port]. problem is a predicate.
func origin(s string) (u *url.URL, problem string) {
	u, err := url.Parse(s)
	switch {
	case strings.TrimSpace(s) != s:
		return nil, "has white space around it"
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, "is not an http or https URL such as https://shop.example"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "":
		return nil, "has more than scheme, host and port; not even a slash at the end"
	}
	return u, ""
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func isListenAddress(s string) bool {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && fmt.Sprint(n) == port
}
