package webhooks

import "github.com/prometheus/client_golang/prometheus"

// Metrics counts what the webhook route and the processor did. A nil *Metrics
// counts nothing.
type Metrics struct {
	answers  *prometheus.CounterVec
	hangUps  *prometheus.CounterVec
	keys     *prometheus.CounterVec
	verdicts *prometheus.CounterVec
}

// NewMetrics registers the counters.
func NewMetrics(r prometheus.Registerer) *Metrics {
	m := &Metrics{
		answers: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "onceshop_webhook_answers_total",
			Help: "Answers to webhooks by provider and code."}, []string{"provider", "code"}),
		hangUps: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "onceshop_webhook_hangups_total",
			Help: "Webhooks whose sender hung up before the answer."}, []string{"provider"}),
		keys: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "onceshop_webhook_verified_total",
			Help: "Verified events by the id of the secret that matched: tells when an old secret is out of use."}, []string{"provider", "key_id"}),
		verdicts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "onceshop_event_verdicts_total",
			Help: "What became of events, by provider and verdict."}, []string{"provider", "verdict"}),
	}
	r.MustRegister(m.answers, m.hangUps, m.keys, m.verdicts)
	return m
}

func (m *Metrics) answered(provider, code string) {
	if m != nil {
		m.answers.WithLabelValues(provider, code).Inc()
	}
}

func (m *Metrics) hungUp(provider string) {
	if m != nil {
		m.hangUps.WithLabelValues(provider).Inc()
	}
}

func (m *Metrics) verified(provider, keyID string) {
	if m != nil {
		m.keys.WithLabelValues(provider, keyID).Inc()
	}
}

func (m *Metrics) settled(provider, verdict string) {
	if m != nil {
		m.verdicts.WithLabelValues(provider, verdict).Inc()
	}
}
