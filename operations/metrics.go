package operations

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"onceshop/store"
)

// NewRegistry returns a registry of its own, with the Go runtime, the process and
// the queues of db.
func NewRegistry(db *store.DB, log *slog.Logger) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		&queues{db: db, log: log},
	)
	return r
}

// queues counts what waits, at each scrape. All instances show the same numbers:
// dashboards take the maximum over them, not the sum.
type queues struct {
	db  *store.DB
	log *slog.Logger
}

var (
	events = prometheus.NewDesc("onceshop_events", "Events of the inbox that aren't done, by status.", []string{"status"}, nil)
	jobs   = prometheus.NewDesc("onceshop_jobs", "Jobs of the fulfillment outbox that aren't done, by kind and status.", []string{"kind", "status"}, nil)
	orders = prometheus.NewDesc("onceshop_orders", "Orders that wait for a person: withheld (paid, but the rules say no), review, refund_failed (its money is still here) and disputed.", []string{"state"}, nil)
	oldest = prometheus.NewDesc("onceshop_queue_oldest_due_seconds", "How long the oldest due row of a queue has been waiting.", []string{"queue"}, nil)
	read   = prometheus.NewDesc("onceshop_queues_readable", "Whether the queues could be counted for this scrape.", nil, nil)
)

// Describe sends the metrics' descriptions.
func (q *queues) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{events, jobs, orders, oldest, read} {
		to <- d
	}
}

// Collect counts within the time of a probe. A database that is away leaves the
// gauges out, and says so, instead of failing the whole scrape.
func (q *queues) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), askWithin)
	defer cancel()
	metrics, err := q.count(ctx)
	readable := 1.0
	if err != nil {
		q.log.Warn("queues not counted", "error", err)
		readable = 0
	}
	for _, m := range metrics {
		to <- m
	}
	to <- gauge(read, readable)
}

func (q *queues) count(ctx context.Context) ([]prometheus.Metric, error) {
	var list []prometheus.Metric
	eventCounts, err := q.db.CountEvents(ctx)
	if err != nil {
		return nil, err
	}
	byStatus := map[string]int64{"pending": 0, "leased": 0, "dead": 0} // a dashboard shows a zero, not a gap
	for _, c := range eventCounts {
		byStatus[c.Status] = c.Total
	}
	for status, n := range byStatus {
		list = append(list, gauge(events, float64(n), status))
	}
	jobCounts, err := q.db.CountJobs(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range jobCounts {
		list = append(list, gauge(jobs, float64(c.Total), c.Kind, c.Status))
	}
	people, err := q.db.CountOrdersToLookAt(ctx)
	if err != nil {
		return nil, err
	}
	for state, n := range map[string]int64{
		"withheld": people.Withheld, "review": people.UnderReview, "refund_failed": people.RefundFailed, "disputed": people.Disputed,
	} {
		list = append(list, gauge(orders, float64(n), state))
	}
	due, err := q.db.OldestDue(ctx)
	if err != nil {
		return nil, err
	}
	return append(list, gauge(oldest, float64(due.EventSeconds), "events"), gauge(oldest, float64(due.JobSeconds), "jobs")), nil
}

func gauge(d *prometheus.Desc, value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
}
