package webhooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"onceshop/database"
	"onceshop/store"
	"onceshop/store/db"
)

// Outcome is what storing an event came to.
type Outcome int

// The outcomes of storing an event.
const (
	Stored      Outcome = iota // new, and durable
	Repeated                   // known with the same content; counted
	Conflicting                // known with other content; refused and recorded
	Parked                     // likewise, but kept for a person instead of refused
)

const (
	waiting = 1024 // requests that may wait for a writer; one more is refused
	batch   = 128  // requests that share one commit at most
	// batchBytes keeps a batch far from the smallest max_allowed_packet that servers
	// come with, 16 MiB, also when every byte has to be escaped.
	batchBytes = 4 << 20
	crowd      = 16 // waiting requests that call the second writer
)

// ErrFull means that more events are waiting to be stored than the inbox holds.
var ErrFull = errors.New("the inbox is full")

// Inbox stores events, many at a time: while one commit is on its way to the
// disk, the events that arrive meanwhile gather for the next one.
type Inbox struct {
	db      *store.DB
	stored  func() // called after a commit; wakes the processor
	queue   chan *deposit
	crowded chan struct{} // more is waiting than one writer soon takes
}

type deposit struct {
	ctx      context.Context
	events   []store.Received
	outcomes []Outcome
	err      error
	done     chan struct{}
}

// NewInbox returns an inbox that Run has to serve. stored is called after each
// commit that holds a new event; it must not block.
func NewInbox(db *store.DB, stored func()) *Inbox {
	return &Inbox{db: db, stored: stored, queue: make(chan *deposit, waiting), crowded: make(chan struct{}, 1)}
}

// Store returns when the events are durable, with an outcome for each, or with an
// error when it isn't known that they are. It stores all of them or none.
func (i *Inbox) Store(ctx context.Context, events []store.Received) ([]Outcome, error) {
	d := &deposit{ctx: ctx, events: events, outcomes: make([]Outcome, len(events)), done: make(chan struct{})}
	select {
	case i.queue <- d:
	default:
		return nil, ErrFull
	}
	if len(i.queue) >= crowd {
		select {
		case i.crowded <- struct{}{}:
		default: // the second writer has been told
		}
	}
	select {
	case <-d.done:
		return d.outcomes, d.err
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for the inbox: %w", ctx.Err())
	}
}

// Run writes what Store queues until ctx ends, and then what is still queued. Stop
// the HTTP server first: its last requests wait for this.
//
// One writer gathers the largest batches, and so the cheapest; a second one joins
// when more is waiting than the first will soon take.
func (i *Inbox) Run(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case d := <-i.queue:
				i.write(i.gather(d))
			case <-ctx.Done():
				for len(i.queue) > 0 {
					i.write(i.gather(nil))
				}
				return
			}
		}
	})
	wg.Go(func() {
		for {
			select {
			case <-i.crowded:
				for more := true; more; more = len(i.queue) >= crowd {
					i.write(i.gather(nil))
				}
			case <-ctx.Done():
				return
			}
		}
	})
	wg.Wait()
}

// gather takes what is waiting behind first, without waiting for more, and not more
// than fits well into one packet to the server.
func (i *Inbox) gather(first *deposit) []*deposit {
	var all []*deposit
	size := 0
	take := func(d *deposit) {
		all = append(all, d)
		for _, e := range d.events {
			size += len(e.Body)
		}
	}
	if first != nil {
		take(first)
	}
	for len(all) < batch && size < batchBytes {
		select {
		case d := <-i.queue:
			take(d)
		default:
			return all
		}
	}
	return all
}

func (i *Inbox) write(all []*deposit) {
	if len(all) == 0 {
		return
	}
	err := i.commit(all)
	if err != nil && len(all) > 1 && !database.IsUnavailable(err) {
		// One row that the database refuses must not refuse its neighbours.
		for _, d := range all {
			i.write([]*deposit{d})
		}
		return
	}
	fresh := false
	for _, d := range all {
		d.err = err
		fresh = fresh || err == nil && slices.Contains(d.outcomes, Stored)
		close(d.done)
	}
	if fresh && i.stored != nil {
		i.stored()
	}
}

// commit stores all deposits in one transaction. It first takes every event for
// new; the first known one makes it start again, looking each of them up.
func (i *Inbox) commit(all []*deposit) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(all[0].ctx), storeWithin)
	defer cancel()
	events, repeats := merge(all)
	if len(repeats) == 0 {
		err := i.db.InsertEvents(ctx, values(events))
		if !database.IsDuplicate(err) {
			return err
		}
	}
	for attempt := 1; ; attempt++ {
		err := i.db.InTx(ctx, func(tx *store.Tx) error {
			for _, e := range append(slices.Clone(events), repeats...) {
				outcome, err := storeOne(ctx, tx, e.Received)
				if err != nil {
					return err
				}
				for _, o := range e.outcomes {
					*o = outcome
				}
			}
			return nil
		})
		// A duplicate here is an event that another instance has just committed:
		// look again.
		if !database.IsDuplicate(err) || attempt == 3 {
			return err
		}
	}
}

// storeOne stores an event of which nothing is known, counts a repeat, and records
// what comes under a known identity with another content. That is refused, or, for a
// sender that mustn't be, parked as an event of its own.
//
// storeOne looks before it inserts: an insert that clashes keeps a shared lock on
// the row, and two of those would deadlock when both count their delivery.
func storeOne(ctx context.Context, tx *store.Tx, e store.Received) (Outcome, error) {
	hash, err := tx.LockEventHash(ctx, e.Provider, e.ID)
	known := e.ID
	if store.IsNotFound(err) && e.Alias != "" {
		var row db.LockAliasRow
		row, err = tx.LockAlias(ctx, e.Provider, &e.Alias)
		known, hash = row.EventID, row.PayloadHash
	}
	switch {
	case store.IsNotFound(err):
		return Stored, tx.InsertEvents(ctx, []store.Received{e})
	case err != nil:
		return Stored, err
	case slices.Equal(hash, e.Fingerprint[:]):
		return Repeated, tx.CountDeliveries(ctx, e.Copies, e.Provider, known)
	}
	if err := tx.RecordConflict(ctx, e.Provider, known, e.Fingerprint[:], e.KeyID); err != nil {
		return Conflicting, err
	}
	if e.NeverRefuse {
		_, err := storeOne(ctx, tx, e.Parked())
		return Parked, err
	}
	return Conflicting, nil
}

// merged is one event and the places that want to know its outcome.
type merged struct {
	store.Received
	outcomes []*Outcome
}

// merge folds copies of an event that arrived together into one with a count.
// repeats are other contents under an id of the same batch. Both are in the order
// of their keys, so that concurrent writers take row locks in the same order.
func merge(all []*deposit) (events, repeats []*merged) {
	type identity struct{ provider, id string }
	first := map[identity]*merged{}
	for _, d := range all {
		for n := range d.events {
			e := d.events[n]
			key := identity{e.Provider, e.ID}
			known, ok := first[key]
			switch {
			case !ok:
				m := &merged{Received: e, outcomes: []*Outcome{&d.outcomes[n]}}
				first[key] = m
				events = append(events, m)
			case known.Fingerprint == e.Fingerprint:
				known.Copies += e.Copies
				known.outcomes = append(known.outcomes, &d.outcomes[n])
			default:
				repeats = append(repeats, &merged{Received: e, outcomes: []*Outcome{&d.outcomes[n]}})
			}
		}
	}
	byKey := func(a, b *merged) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.ID, b.ID))
	}
	slices.SortFunc(events, byKey)
	slices.SortStableFunc(repeats, byKey)
	return events, repeats
}

func values(events []*merged) []store.Received {
	list := make([]store.Received, len(events))
	for i, e := range events {
		list[i] = e.Received
	}
	return list
}
