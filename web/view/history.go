package view

// Entry is one line of an order's history: a change, or an event that was kept
// but changed nothing, with the reason (promise 12).
type Entry struct {
	ID       string // short and unique on the page: an anchor
	Kind     string // EntryChange, EntryStale, …
	Revision int    // of the order; 0 for entries that changed nothing
	Sentence string
	Reason   string // why it changed nothing
	Cause    Cause
	At       Moment
	Changes  []Change
}

// The kinds of history entries.
const (
	EntryChange    = "change"    // the order moved to a new revision
	EntryStale     = "stale"     // the event was older than what we know
	EntryRefused   = "refused"   // it asked for an impossible change
	EntryUnchanged = "unchanged" // it told us what we knew already
	EntryWaiting   = "waiting"   // it is stored and will be read again
	EntryIgnored   = "ignored"   // it is of a kind, or of a mode, that we don't act on
)

// Cause tells who or what brought an entry about.
type Cause struct {
	Source           string // checkout, webhook, reconcile, staff, timer, …
	Actor            string // a person or a part of the program, where it says more than the source
	Provider         string // whose event it is, where an order has to do with several
	EventID          string
	EventType        string
	ProviderRevision string
	Deliveries       int // how often the event was delivered, when more than once
}

// Change is one field before and after.
type Change struct {
	Field  string
	Before string // empty: had no value
	After  string
}

// foldAfter is how many entries are shown before the older ones are folded
// away: as many as an undisturbed order with a refund has, and a few more.
const foldAfter = 10

func recent(all []Entry) []Entry {
	return all[:min(len(all), foldAfter)]
}

// entryClass sets entries that changed nothing apart, calmly.
func entryClass(e Entry) string {
	if e.Kind == EntryChange {
		return EntryChange
	}
	return "quiet " + e.Kind
}

func entryWord(e Entry) string {
	switch e.Kind {
	case EntryStale:
		return "Stale"
	case EntryRefused:
		return "Refused"
	case EntryUnchanged:
		return "Nothing new"
	case EntryWaiting:
		return "Waiting"
	case EntryIgnored:
		return "Ignored"
	}
	return ""
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}
