package app

import (
	"fmt"
	"net/http"
	"time"

	"onceshop/config"
	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/web/view"
	"onceshop/webhooks"
)

// Adapter is all that the shop asks of a provider; its users each want a part. It
// is a payment.Fetcher, or a payment.Folder where the provider can't be asked.
type Adapter interface {
	payment.Verifier
	payment.Creator
	payment.Refunder
	// Explain says of a delivery whether the shop would take it, and why not.
	Explain(header http.Header, raw []byte, now time.Time) signing.Explanation
	Close()
}

// adapters makes those of all configured providers, by name. A provider without a
// secret has none: nothing of it could be verified. The caller closes them.
func adapters(c *config.Config, d Deps) (map[string]Adapter, error) {
	all := map[string]Adapter{}
	for _, name := range c.Configured() {
		secrets, setting := c.WebhookSecretsOf(name)
		list, err := secrets.List()
		if err != nil {
			err = config.Faults{{Setting: setting, Problem: err.Error()}}
		} else if len(list) > 0 {
			all[name], err = adapter(c, d, name, list)
		}
		if err != nil {
			delete(all, name) // a nil in it
			closeAll(all)
			return nil, err
		}
	}
	return all, nil
}

// AdapterWith makes one provider's adapter with secrets that needn't be the
// configuration's, to look at a delivery by hand. The caller closes it.
func AdapterWith(c *config.Config, name string, secrets []signing.Secret) (Adapter, error) {
	return adapter(c, Deps{}, name, secrets)
}

func adapter(c *config.Config, d Deps, name string, secrets []signing.Secret) (Adapter, error) {
	provider, ok := providers[name]
	if !ok {
		return nil, fmt.Errorf("there is no provider %q", name)
	}
	p := parts{Config: c, secrets: secrets, http: d.HTTP, now: d.Now}
	if d.DB != nil {
		p.told = webhooks.Told{DB: d.DB, Provider: name}.Events
	}
	return provider.make(p)
}

func closeAll(all map[string]Adapter) {
	for _, a := range all {
		a.Close()
	}
}

// only narrows adapters to what one user needs of them, and leaves out those that
// can't do it.
func only[T any](all map[string]Adapter) map[string]T {
	narrowed := make(map[string]T, len(all))
	for name, a := range all {
		if t, ok := a.(T); ok {
			narrowed[name] = t
		}
	}
	return narrowed
}

// Ways are the configured providers in words for buyers, those on offer first.
func Ways(c *config.Config) []view.Way {
	var ways []view.Way
	for _, name := range c.Configured() {
		p := providers[name]
		if c.Demo {
			p.hint = "Practice: no money moves"
		}
		ways = append(ways, view.Way{Name: name, Label: p.label, Hint: p.hint})
	}
	return ways
}
