package config

import (
	"cmp"
	"log/slog"
	"net/mail"
	"time"
)

// Prefix is what the names of all settings begin with.
const Prefix = "SHOP_"

// Config is everything that can be set. Its tags are the manual: see Settings.
type Config struct {
	Name     string `env:"NAME" envDefault:"Onceshop" about:"The shop's name on pages and in mails."`
	BaseURL  string `env:"BASE_URL" about:"Where buyers reach the shop, without a path: https://shop.example. Plain http only on this machine or in a demo."`
	Demo     bool   `env:"DEMO" envDefault:"false" about:"Shows what only a demo may show, such as everybody's mails."`
	TimeZone string `env:"TIME_ZONE" envDefault:"UTC" about:"The zone in which the command line shows times, such as Europe/Berlin. They are kept in UTC whatever it says."`

	DatabaseURL Secret `env:"DATABASE_URL" about:"The database: mysql://user:password@host:3306/shop, or a go-sql-driver DSN for a Unix socket."`
	SkipLocked  bool   `env:"SKIP_LOCKED" envDefault:"true" about:"Whether the database knows SKIP LOCKED. It makes several workers faster, never more correct; TiDB wants false."`

	Listen           string   `env:"LISTEN" envDefault:"127.0.0.1:8080" about:"Address of the shop's pages and webhooks. Port 0 takes a free one."`
	OperationsListen string   `env:"OPERATIONS_LISTEN" envDefault:"127.0.0.1:9090" about:"Address of livez, readyz and metrics. Not for the public."`
	Roles            []string `env:"ROLES" envDefault:"web,inbox,worker,mail,reconcile" about:"What this instance does: web (pages), inbox (webhooks and their processing), worker (licenses, expiry of orders), mail, reconcile. Any number of instances share one database."`

	Secret            Secret `env:"SECRET" about:"Derives the tokens in order addresses; 32 random bytes or more. With a new one the links that were sent go on working, but mails can't name old orders until shop orders relink has renewed them."`
	LicenseSecret     Secret `env:"LICENSE_SECRET" about:"Derives the license keys; 32 random bytes or more. Keep it for ever: with another one, sold keys can't be shown again."`
	LicenseSigningKey Secret `env:"LICENSE_SIGNING_KEY" about:"Ed25519 private key that signs license files: PEM (PKCS 8), or its 32-byte seed in base64. Keep it for ever."`

	Providers      []string      `env:"PROVIDERS" envDefault:"stablein" about:"The payment providers that a buyer may choose from, the preferred one first, separated by commas: ${providers}. One that isn't listed and has a webhook secret still takes webhooks, for orders placed with it before."`
	Mode           string        `env:"MODE" about:"live or test: whether real money is taken. What a provider reports of the other mode doesn't count, and its keys must fit. Unset: live, and test in a demo."`
	OrderLifetime  time.Duration `env:"ORDER_LIFETIME" envDefault:"1h" about:"How long an order waits for its payment before it expires. Money that comes later is handled all the same."`
	ReconcileAfter time.Duration `env:"RECONCILE_AFTER" envDefault:"5m" about:"How long a payment may be silent before its provider is asked about it."`
	PayOrigins     []string      `env:"PAY_ORIGINS" about:"Origins of the hosted payment pages, separated by commas: browsers let the shop's forms lead there and nowhere else. Unset: what is known of the providers that are set up. Adyen's pages may be elsewhere than on eu.adyen.link, and then belong here."`
	EventRetention time.Duration `env:"EVENT_RETENTION" envDefault:"9600h" about:"How long the bytes of webhooks are kept, in hours: as long as a dispute may need them. What an event was and what became of it stays for ever."`

	StableIn         StableIn         `envPrefix:"STABLEIN_"`
	Stripe           Stripe           `envPrefix:"STRIPE_"`
	CheckoutCom      CheckoutCom      `envPrefix:"CHECKOUTCOM_"`
	Adyen            Adyen            `envPrefix:"ADYEN_"`
	Razorpay         Razorpay         `envPrefix:"RAZORPAY_"`
	PayFlow          PayFlow          `envPrefix:"PAYFLOW_"`
	StandardWebhooks StandardWebhooks `envPrefix:"STANDARDWEBHOOKS_"`

	MailURL  Secret `env:"MAIL_URL" about:"Where mails go: smtp://user:password@host:587, smtps://host:465, or mailbox: for the demo's mailbox page."`
	MailFrom string `env:"MAIL_FROM" about:"The sender of mails, such as Our Shop <shop@example.com>."`
	Contact  string `env:"CONTACT" about:"The mail address for buyers' questions, at the foot of every page and of the mail. Unset: that of SHOP_MAIL_FROM."`

	LogLevel  slog.Level `env:"LOG_LEVEL" envDefault:"info" about:"debug, info, warn or error. Successful requests are logged at debug."`
	LogFormat string     `env:"LOG_FORMAT" envDefault:"text" about:"text or json."`

	SandboxDatabaseURL Secret  `env:"SANDBOX_DATABASE_URL" about:"For shop sandbox serve: a database of its own."`
	SandboxListen      string  `env:"SANDBOX_LISTEN" envDefault:"127.0.0.1:8090" about:"For shop sandbox serve: address of its API and payment pages."`
	SandboxPublicURL   string  `env:"SANDBOX_PUBLIC_URL" envDefault:"http://127.0.0.1:8090" about:"For shop sandbox serve: where browsers reach its payment pages."`
	SandboxWebhookURL  string  `env:"SANDBOX_WEBHOOK_URL" about:"For shop sandbox serve: the shop's webhooks, such as http://127.0.0.1:8080/webhooks; the name of each provider is added. It stands in for those that SHOP_PROVIDERS lists or that have a webhook secret, and signs with the shop's own."`
	SandboxTimeScale   float64 `env:"SANDBOX_TIME_SCALE" envDefault:"1" about:"For shop sandbox serve: multiplies the waits between attempts of a delivery; 0.02 shows a day's retries in half an hour."`
}

// The roles of an instance.
const (
	RoleWeb       = "web"
	RoleInbox     = "inbox"
	RoleWorker    = "worker"
	RoleMail      = "mail"
	RoleReconcile = "reconcile"
)

// The modes of a shop.
const (
	ModeLive = "live"
	ModeTest = "test"
)

// Live tells whether the shop takes real money.
func (c *Config) Live() bool {
	return c.Mode == ModeLive || c.Mode == "" && !c.Demo
}

// Mailbox is the MailURL of a shop that sends nothing and shows its mails on a page.
const Mailbox = "mailbox:"

// ContactAddress is where buyers' questions go. Check has refused what isn't an address.
func (c *Config) ContactAddress() string {
	contact, err := mail.ParseAddress(cmp.Or(c.Contact, c.MailFrom))
	if err != nil {
		return ""
	}
	return contact.Address
}

// Has reports whether this instance plays the role.
func (c *Config) Has(role string) bool {
	for _, r := range c.Roles {
		if r == role {
			return true
		}
	}
	return false
}

// Location is the zone in which times are shown. Check has refused one that
// doesn't exist.
func (c *Config) Location() *time.Location {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}
