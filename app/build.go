package app

import (
	"net/http"
	"net/mail"
	"time"

	"onceshop/checkout"
	"onceshop/config"
	"onceshop/fulfillment"
	"onceshop/lease"
	"onceshop/operations"
	"onceshop/payment"
	"onceshop/reconcile"
	"onceshop/requestlog"
	"onceshop/web"
	"onceshop/webhooks"
)

// build makes the parts and wires them. All of them are made whatever the roles,
// so that nothing behind a role is found to be wrong later than at the start.
func (a *App) build() error {
	adapters, err := a.adapters()
	if err != nil {
		return err
	}
	keys, err := a.keys()
	if err != nil {
		return err
	}
	sender, from, err := a.sender()
	if err != nil {
		return err
	}
	a.Ready = operations.NewReadiness(a.DB, a.deps.Now, a.endedSecrets()...)
	a.Metrics = operations.NewRegistry(a.DB, a.log)
	counters := webhooks.NewMetrics(a.Metrics)

	a.Shop = &checkout.Shop{
		DB: a.DB, Providers: only[payment.Creator](adapters), Offered: a.Config.Providers, Secret: a.Config.Secret.Bytes(),
		BaseURL: a.Config.BaseURL, Lifetime: a.Config.OrderLifetime, Log: a.log,
	}
	a.Inbox = webhooks.NewInbox(a.DB, func() { a.events.Wake() })
	a.Webhooks = &webhooks.Handler{
		Providers: only[payment.Verifier](adapters), Inbox: a.Inbox, Now: a.deps.Now, Log: a.log, Metrics: counters,
	}
	a.Processor = &webhooks.Processor{
		DB: a.DB, Queue: a.queue(a.DB.Events(owner())), Providers: only[payment.Fetcher](adapters),
		Folders: only[payment.Folder](adapters), Booked: func() { a.jobs.Wake() }, Log: a.log, Metrics: counters,
	}
	a.Worker = &fulfillment.Worker{
		DB: a.DB, Queue: a.queue(a.DB.Jobs(owner(), fulfillment.IssueLicense)), Keys: keys,
		Issued: func() { a.mails.Wake() },
	}
	a.Mailer = &fulfillment.MailWorker{
		DB: a.DB, Queue: a.queue(a.DB.Jobs(owner(), fulfillment.SendLicensesMail)), Sender: sender, Keys: keys,
		From: from, ShopName: a.Config.Name, Contact: a.Config.ContactAddress(), OrderURL: a.Shop.OrderURL, Log: a.log,
	}
	a.Checker = &reconcile.Checker{
		DB: a.DB, Providers: only[payment.Fetcher](adapters), Quiet: a.Config.ReconcileAfter,
		Booked: func() { a.jobs.Wake() }, Log: a.log,
	}
	a.makeLoops()
	a.Operations = operations.Handler(a.Ready, a.Metrics)
	return a.makeHandler(keys)
}

// adapters makes the providers' and has them closed in the end.
func (a *App) adapters() (map[string]Adapter, error) {
	for _, ended := range a.endedSecrets() {
		if text := ended(a.deps.Now()); text != "" {
			a.log.Error(text)
		}
	}
	d := a.deps
	d.DB = a.DB
	all, err := adapters(a.Config, d)
	if err == nil {
		a.closers = append(a.closers, func() error { closeAll(all); return nil })
	}
	return all, err
}

// endedSecrets warn of providers whose webhook secrets have all ended, at the start or
// while the shop runs. That is no reason to refuse the start: what is paid is still
// found by asking.
func (a *App) endedSecrets() (warnings []operations.Warning) {
	for _, name := range a.Config.Configured() {
		secrets, setting := a.Config.WebhookSecretsOf(name)
		warnings = append(warnings, func(now time.Time) string {
			if !secrets.Ended(now) {
				return ""
			}
			return "every webhook secret of " + name + " has ended, so that all its webhooks are refused: add the present one to " + setting
		})
	}
	return warnings
}

func (a *App) keys() (fulfillment.Keys, error) {
	signer, err := a.Config.SigningKey()
	if err != nil {
		return fulfillment.Keys{}, config.Faults{{Setting: config.Prefix + "LICENSE_SIGNING_KEY", Problem: err.Error()}}
	}
	return fulfillment.Keys{Secret: a.Config.LicenseSecret.Bytes(), Signer: signer}, nil
}

// sender is where mails go, and whom they are from.
func (a *App) sender() (fulfillment.Sender, mail.Address, error) {
	from, err := mail.ParseAddress(a.Config.MailFrom)
	if err != nil {
		return nil, mail.Address{}, config.Faults{{Setting: config.Prefix + "MAIL_FROM", Problem: "is not a mail address"}}
	}
	if a.Config.MailURL == config.Mailbox {
		return fulfillment.Mailbox{DB: a.DB}, *from, nil
	}
	server, err := fulfillment.NewSMTP(a.Config.MailURL.Reveal())
	if err != nil {
		return nil, mail.Address{}, config.Faults{{Setting: config.Prefix + "MAIL_URL", Problem: "is not usable: " + err.Error()}}
	}
	return server, *from, nil
}

func (a *App) queue(q *lease.Queue) *lease.Queue {
	q.NoSkipLocked, q.Log = !a.Config.SkipLocked, a.log
	return q
}

func (a *App) makeHandler(keys fulfillment.Keys) error {
	pages, err := web.New(web.Config{
		Shop: a.Shop, DB: a.DB, ShopName: a.Config.Name, Contact: a.Config.ContactAddress(), Version: a.deps.Version, Ways: Ways(a.Config),
		PayOrigins: a.Config.PaymentPages(), LicenseSecret: keys.Secret, LicenseSigner: keys.Signer,
		Demo: a.Config.Demo, Closing: a.closing, Log: a.log,
	})
	if err != nil {
		return err
	}
	public := router{pages: pages, webhooks: a.Webhooks}
	if !a.Config.Has(config.RoleWeb) {
		public.pages = http.NotFoundHandler()
	}
	if !a.Config.Has(config.RoleInbox) {
		public.webhooks = &webhooks.Handler{Log: a.log} // no providers, no routes
	}
	a.Handler = requestlog.Middleware(a.log, public)
	return nil
}
