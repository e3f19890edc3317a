package app

import (
	"context"
	"maps"
	"slices"

	"onceshop/config"
)

// Adapters are those that the shop would have, without a database.
func Adapters(c *config.Config) (map[string]Adapter, error) { return adapters(c, Deps{}) }

// Made are the names of the providers that adapters can be made of.
func Made() []string { return slices.Sorted(maps.Keys(providers)) }

// Closing is closed when stopping begins.
func (a *App) Closing() <-chan struct{} { return a.closing }

// Settle runs every part's RunOnce until nothing is due, whatever the roles: what
// the loops would do, without waiting for any of them. The inbox is no loop; what
// its requests have stored is settled, what they are storing isn't.
func (a *App) Settle(ctx context.Context) error {
	for {
		found := 0
		for _, once := range []func(context.Context) (int, error){
			a.Processor.RunOnce, a.Worker.RunOnce, a.Mailer.RunOnce, a.Shop.ExpireOnce, a.Checker.RunOnce,
		} {
			n, err := once(ctx)
			if err != nil {
				return err
			}
			found += n
		}
		if found == 0 {
			return nil
		}
	}
}
