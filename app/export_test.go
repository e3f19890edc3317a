package app

import "onceshop/config"

// Adapters are those that the shop would have, without a database.
func Adapters(c *config.Config) (map[string]Adapter, error) { return adapters(c, Deps{}) }

// Closing is closed when stopping begins.
func (a *App) Closing() <-chan struct{} { return a.closing }
