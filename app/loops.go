package app

import (
	"context"
	"time"

	"onceshop/config"
	"onceshop/lease"
	"onceshop/webhooks"
)

const (
	grace     = 20 * time.Second // what runs may go on for so long after the stop
	slowPoll  = 10 * time.Second // of what no signal tells about
	eventRuns = 2                // each works on up to 32 events at once
	jobRuns   = 2
)

// makeLoops makes the loops that wait for signals, and lists those that this
// instance's roles run.
func (a *App) makeLoops() {
	a.events = a.loop("events", a.Processor.RunOnce, eventRuns, time.Second)
	a.jobs = a.loop("jobs", a.Worker.RunOnce, jobRuns, time.Second)
	a.mails = a.loop("mails", a.Mailer.RunOnce, 1, time.Second)
	if a.Config.Has(config.RoleInbox) {
		a.loops = append(a.loops, a.events)
	}
	if a.Config.Has(config.RoleWorker) {
		retention := &webhooks.Retention{DB: a.DB, Keep: a.Config.EventRetention}
		a.loops = append(a.loops, a.loop("retention", retention.RunOnce, 1, time.Hour), a.loop("carts", a.Shop.PurgeOnce, 1, time.Hour))
		a.loops = append(a.loops, a.jobs, a.loop("expiry", a.Shop.ExpireOnce, 1, slowPoll))
	}
	if a.Config.Has(config.RoleMail) {
		a.loops = append(a.loops, a.mails)
	}
	if a.Config.Has(config.RoleReconcile) {
		a.loops = append(a.loops, a.loop("reconcile", a.Checker.RunOnce, 1, slowPoll))
	}
}

func (a *App) loop(name string, once func(context.Context) (int, error), workers int, poll time.Duration) *lease.Loop {
	return &lease.Loop{Name: name, RunOnce: once, Workers: workers, Poll: poll, Grace: grace, Log: a.log}
}
