package app

// Closing is closed when stopping begins.
func (a *App) Closing() <-chan struct{} { return a.closing }
