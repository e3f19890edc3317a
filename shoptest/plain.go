package shoptest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"

	"onceshop/payment"
)

// PlainName is what the plain provider is called in routes and records.
const PlainName = "plain"

// Plain is a scripted provider without revisions, as most of them are: it says what
// the test has set. Its deliveries count as signed if the test says so.
type Plain struct {
	// Ref is what payments are called; empty: made of our own reference.
	Ref string

	mu      sync.Mutex
	records map[string]payment.Snapshot
	refunds map[string]string // idempotency key -> payment
	before  func(ref string)
	fetches int
}

// Told is an event of the plain provider, as its body has it.
type Told struct {
	ID       string         `json:"id"`
	Type     string         `json:"type"`
	Alias    string         `json:"alias,omitzero"`
	Payment  string         `json:"payment"`
	Order    string         `json:"order"`
	Status   payment.Status `json:"status,omitzero"`
	Effect   payment.Effect `json:"effect,omitzero"`
	Verdict  string         `json:"verdict,omitzero"`
	Note     string         `json:"note,omitzero"`
	Amount   string         `json:"amount,omitzero"`
	Currency string         `json:"currency,omitzero"`
}

// Create opens a payment under a reference that our own can be read from.
func (p *Plain) Create(_ context.Context, c payment.Creation) (payment.Created, error) {
	ref := cmp.Or(p.Ref, "plain-"+c.OrderRef)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.records[ref]; !known {
		p.set(payment.Snapshot{Ref: ref, OrderRef: c.OrderRef, Amount: c.Amount, Currency: c.Currency})
	}
	return payment.Created{Ref: ref, URL: "https://plain.test/" + ref}, nil
}

// Takes refuses yen, so that there is a currency that one provider doesn't take.
func (p *Plain) Takes(m payment.Money) bool { return m.Currency != "JPY" }

// Change sets the record of a payment to what f makes of it.
func (p *Plain) Change(ref string, f func(*payment.Snapshot)) payment.Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.records[ref]
	s.Ref = ref
	f(&s)
	return p.set(s)
}

func (p *Plain) set(s payment.Snapshot) payment.Snapshot {
	if s.Status == "" {
		s.Status = payment.Pending
	}
	switch {
	case s.Refunded.Sign() == 0:
		s.RefundStatus = payment.NotRefunded
	case s.Refunded.Cmp(s.Amount) < 0:
		s.RefundStatus = payment.PartiallyRefunded
	default:
		s.RefundStatus = payment.FullyRefunded
	}
	s.Risk = payment.NotAssessed()
	if p.records == nil {
		p.records = map[string]payment.Snapshot{}
	}
	p.records[s.Ref] = s
	return s
}

// Paid is the change that pays all of it.
func Paid(s *payment.Snapshot) { s.Status, s.Received = payment.Paid, s.Amount }

// Before calls f before each answer of Fetch; f may block until the test lets it go.
func (p *Plain) Before(f func(ref string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = f
}

// Fetches is how often a record was asked for.
func (p *Plain) Fetches() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fetches
}

// Fetch takes the record first and then waits: what it answers may be old by then.
func (p *Plain) Fetch(_ context.Context, ref string) (payment.Snapshot, error) {
	p.mu.Lock()
	s, known := p.records[ref]
	before := p.before
	p.fetches++
	p.mu.Unlock()
	if before != nil {
		before(ref)
	}
	if !known {
		return s, payment.ErrNotFound
	}
	return s, nil
}

// Refund gives money back, once per key.
func (p *Plain) Refund(_ context.Context, key, ref string, amount payment.Amount, _ string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, done := p.refunds[key]; done {
		return nil
	}
	if p.refunds == nil {
		p.refunds = map[string]string{}
	}
	p.refunds[key] = ref
	s := p.records[ref]
	if s.Received.Sub(s.Refunded).Cmp(amount) < 0 {
		return payment.ErrRefused
	}
	s.Refunded = s.Refunded.Add(amount)
	s.Refunds = append(s.Refunds, payment.Refund{Ref: key, Amount: amount, Status: payment.RefundDone})
	p.set(s)
	return nil
}

// Verify believes whoever says that it signed.
func (p *Plain) Verify(header http.Header, _ []byte, _ time.Time) (string, error) {
	if header.Get("Plain-Signature") != "signed" {
		return "", payment.ErrSignature
	}
	return "plain", nil
}

// Parse reads a body that is one Told or a list of them.
func (p *Plain) Parse(_ http.Header, raw []byte) ([]payment.Event, error) {
	var all []Told
	if err := json.Unmarshal(raw, &all); err != nil {
		all = []Told{{}}
		if err := json.Unmarshal(raw, &all[0]); err != nil {
			return nil, payment.ErrMalformed
		}
	}
	events := make([]payment.Event, len(all))
	for i, t := range all {
		content := t
		content.Alias = "" // it isn't part of what was signed
		single, _ := json.Marshal(content)
		events[i] = payment.Event{
			ID: t.ID, Type: t.Type, Alias: t.Alias, PaymentRef: t.Payment, OrderRef: t.Order, Status: t.Status, Effect: t.Effect,
			Verdict: payment.Verdict(t.Verdict), Reason: t.Note, Currency: t.Currency, Fingerprint: sha256.Sum256(single),
		}
		if a, err := payment.ParseAmount(t.Amount); err == nil {
			events[i].Amount = &a
		}
	}
	return events, nil
}

// Tell sends events of the plain provider, or of the one named, in one signed delivery.
func (s *Shop) Tell(provider string, told ...Told) Answer {
	s.Helper()
	body, err := json.Marshal(told)
	if err != nil {
		s.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, s.Server.URL+"/webhooks/"+provider, strings.NewReader(string(body)))
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Plain-Signature", "signed")
	return s.Do(r)
}
