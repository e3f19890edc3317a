package app

import (
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
