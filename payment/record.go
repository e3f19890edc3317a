package payment

// Record is what we have recorded of one payment.
type Record struct {
	Ref           string // empty until the provider has named it
	Revision      Amount // of the newest snapshot applied; zero: none yet, or the provider has none
	Status        Status // empty counts as Pending
	RefundStatus  RefundStatus
	Amount        Amount // what we asked for: the order's total. No snapshot changes it
	Received      Amount // arrived so far, a running total
	Refunded      Amount // given back so far, a running total
	Reversed      Amount // refunds that came back to us, a running total
	TakenBack     Amount // money that the provider took back, a running total
	Refunds       []Refund
	Disputes      []Dispute
	DisputeStatus DisputeStatus // of all disputes together; empty counts as NotDisputed
	Currency      string        // what we asked for. No snapshot changes it
	Risk          Risk
	Confirmations int
}

// Verdict is what became of an event, or of a snapshot held against a record.
type Verdict string

// The verdicts. Next gives the first four, the others belong to events.
const (
	Applied      Verdict = "applied"      // something changed
	Unchanged    Verdict = "unchanged"    // we knew all of it
	Stale        Verdict = "stale"        // we know something newer
	NeedsReview  Verdict = "needs_review" // can't be right: a person looks at it
	Unattributed Verdict = "unattributed" // belongs to no order of ours
	Ignored      Verdict = "ignored"      // changes nothing: of a kind, or of a mode, that we don't act on
)

// The reasons for a review: a closed list, pages have a sentence for each.
const (
	AmountMismatch       = "amount_mismatch"        // another amount than asked, or paid with less
	CurrencyMismatch     = "currency_mismatch"      // another currency than asked
	RefundExceedsPayment = "refund_exceeds_payment" // more given back than ever arrived
	ImpossibleChange     = "impossible_change"      // backwards, or in contradiction to itself
	UnknownStatus        = "unknown_status"         // a word we have no meaning for
)

// Change is one field before and after, as text: the history keeps it
// (promise 12).
type Change struct {
	Field  string `json:"field"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Decision is what Next makes of a snapshot.
type Decision struct {
	Record  Record // the new record if Applied, otherwise the one given
	Verdict Verdict
	Reason  string   // why a person has to look; empty unless NeedsReview
	Changes []Change // what changed; empty unless Applied
	// Refused is what the snapshot says and the record doesn't: empty unless
	// NeedsReview. No payment is lost because we don't believe it: the history
	// shows these fields, and what was asked for beside what came.
	Refused []Change
}
