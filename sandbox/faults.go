package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// Faults are the switches for what goes wrong on the way to the shop. The zero
// value is a perfect world. Switches are found in this order: the delivery's
// own, its endpoint's, the general ones; the first set that exists counts whole.
type Faults struct {
	// Copies of an event, sent beside the original. They are rows of the queue
	// and retried by themselves; there is still one event.
	Duplicate int  `json:"duplicate,omitzero"` // so many more sends of the same bytes
	Conflict  bool `json:"conflict,omitzero"`  // one more send: same id, other body, validly signed

	// When an event is sent.
	DelayMS int  `json:"delay_ms,omitzero"` // wait so long before the first attempt
	Reorder bool `json:"reorder,omitzero"`  // hold an event back until a newer one of its order is out

	// What is spoiled about a send. FirstAttempts limits these to the first so
	// many attempts of each delivery, so that a retry heals it; 0: all of them.
	FirstAttempts  int  `json:"first_attempts,omitzero"`
	DropAnswer     bool `json:"drop_answer,omitzero"`     // send, but never hear the answer
	CorruptByte    bool `json:"corrupt_byte,omitzero"`    // one bit turns over after signing
	WrongSignature bool `json:"wrong_signature,omitzero"` // signed with a secret nobody has
	StaleTimestamp bool `json:"stale_timestamp,omitzero"` // signed correctly, ten minutes ago
	PreviousSecret bool `json:"previous_secret,omitzero"` // signed with the endpoint's second secret

	// The API, for all callers; only the general switches count.
	APIBehind bool `json:"api_behind,omitzero"`  // answer with the revision before the newest
	APIDown   bool `json:"api_down,omitzero"`    // answer 503
	APISlowMS int  `json:"api_slow_ms,omitzero"` // wait so long before answering
}

// The bounds keep a typing mistake from filling the queue or hanging callers.
const (
	maxDuplicates = 50
	maxDelay      = 24 * time.Hour
	maxSlow       = time.Minute
)

// reorderHold is how long an event waits for a newer one to overtake it.
const reorderHold = 3 * time.Second

// check accepts nil, which asks for nothing.
func (f *Faults) check() error {
	if f == nil {
		return nil
	}
	if f.Duplicate < 0 || f.Duplicate > maxDuplicates {
		return Invalid("duplicate", "must be from 0 to 50")
	}
	if f.DelayMS < 0 || int64(f.DelayMS) > maxDelay.Milliseconds() {
		return Invalid("delay_ms", "must be from 0 to a day")
	}
	if f.FirstAttempts < 0 {
		return Invalid("first_attempts", "must not be negative")
	}
	if f.APISlowMS < 0 || int64(f.APISlowMS) > maxSlow.Milliseconds() {
		return Invalid("api_slow_ms", "must be from 0 to a minute")
	}
	return nil
}

// onAttempt leaves what is to be spoiled at the given attempt, counted from 1.
func (f Faults) onAttempt(n int) Faults {
	if f.FirstAttempts > 0 && n > f.FirstAttempts {
		f.DropAnswer, f.CorruptByte, f.WrongSignature, f.StaleTimestamp = false, false, false, false
	}
	return f
}

// spoiled names what a send suffers, for the delivery log.
func (f Faults) spoiled() string {
	var names []string
	for _, s := range []struct {
		on   bool
		name string
	}{
		{f.DropAnswer, "drop_answer"}, {f.CorruptByte, "corrupt_byte"}, {f.WrongSignature, "wrong_signature"},
		{f.StaleTimestamp, "stale_timestamp"}, {f.PreviousSecret, "previous_secret"},
	} {
		if s.on {
			names = append(names, s.name)
		}
	}
	return strings.Join(names, " ")
}

// nullFaults is a JSON column that may be NULL.
type nullFaults struct{ *Faults }

func (n *nullFaults) Scan(src any) error {
	n.Faults = nil
	switch v := src.(type) {
	case nil:
		return nil
	case []byte:
		n.Faults = new(Faults)
		// Switches of a newer version are ignored, not fatal.
		return json.Unmarshal(v, n.Faults)
	}
	return fmt.Errorf("faults can't be read from %T", src)
}

func faultsColumn(f *Faults) (any, error) {
	if f == nil {
		return nil, nil
	}
	b, err := json.Marshal(f)
	return string(b), err // JSON columns take text, not binary
}

// or returns the first set that exists.
func (f *Faults) or(others ...*Faults) Faults {
	for _, s := range append([]*Faults{f}, others...) {
		if s != nil {
			return *s
		}
	}
	return Faults{}
}

// generalFaults reads the switches that apply where nothing nearer does.
func generalFaults(ctx context.Context, q querier) (Faults, error) {
	var f nullFaults
	err := q.QueryRowContext(ctx, "SELECT faults FROM pay_faults WHERE id = 1").Scan(&f)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return f.or(), err
}

// SetFaults sets the general switches.
func (s *Server) SetFaults(ctx context.Context, f Faults) error {
	if err := f.check(); err != nil {
		return err
	}
	column, err := faultsColumn(&f)
	if err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "REPLACE INTO pay_faults (id, faults) VALUES (1, ?)", column)
	return err
}

// SetEndpointFaults sets an endpoint's own switches; nil gives them up, so that
// the general ones apply again.
func (s *Server) SetEndpointFaults(ctx context.Context, endpointID string, f *Faults) error {
	if f != nil && (f.APIBehind || f.APIDown || f.APISlowMS != 0) {
		return Invalid("api", "the API is one for all endpoints; use the general switches")
	}
	if err := f.check(); err != nil {
		return err
	}
	column, err := faultsColumn(f)
	if err != nil {
		return err
	}
	if _, err := findEndpoint(ctx, s.db, endpointID); err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "UPDATE pay_webhook_endpoints SET faults = ? WHERE id = ?", column, endpointID)
	return err
}
