package payment

// Next holds a snapshot against what we have recorded of the payment and
// decides what the record becomes. It is pure, and safe to repeat: promise 5
// rests on it alone.
//
// A lower revision than the recorded one is Stale and not looked at further. A
// provider without revisions has zero on both sides, and content decides. What
// can't be right goes to review and leaves the record as it is; see refuse.
func Next(r Record, s Snapshot) Decision {
	if s.Revision.Cmp(r.Revision) < 0 {
		return Decision{Record: r, Verdict: Stale}
	}
	before := r.normal()
	after := before.with(s)
	if reason := refuse(before, s); reason != "" {
		return Decision{Record: r, Verdict: NeedsReview, Reason: reason, Refused: claims(before, after, s)}
	}
	changes := diff(before, after)
	if len(changes) == 0 {
		return Decision{Record: r, Verdict: Unchanged}
	}
	return Decision{Record: after, Verdict: Applied, Changes: changes}
}

// refuse returns why a snapshot can't be applied, or "". The first reason
// counts: who reads a word we don't know, or another currency, can't say
// anything about the amounts.
func refuse(r Record, s Snapshot) string {
	switch {
	case rank(s.Status) == 0 || refundRank(s.RefundStatus) == 0 ||
		rank(r.Status) == 0 || refundRank(r.RefundStatus) == 0:
		return UnknownStatus
	case s.Currency != r.Currency:
		return CurrencyMismatch
	case !s.Amount.Equal(r.Amount):
		return AmountMismatch
	case s.Status == Paid && s.Received.Cmp(s.Amount) < 0:
		// One minor unit short isn't paid, whatever the provider calls it.
		return AmountMismatch
	case s.Refunded.Cmp(s.Received) > 0:
		return RefundExceedsPayment
	case r.Ref != "" && s.Ref != r.Ref, !refundAgrees(s), contradicts(r, s), backwards(r, s):
		return ImpossibleChange
	}
	return ""
}

// rank orders the states of a payment; zero means not a state of a payment.
// Failed and Expired are one step: either is an end without money, and a
// provider may name the other later. Confirming and Authorised rank with them,
// because money that arrives late overtakes an end, and what was confirmed or
// reserved may come to nothing.
//
// The order is total on purpose: snapshots are skipped and lost, so whatever is
// reached over two steps must be reachable in one.
func rank(s Status) int {
	switch s {
	case Pending:
		return 1
	case Confirming, Authorised, Failed, Expired:
		return 2
	case Paid:
		return 3
	}
	return 0
}

func refundRank(s RefundStatus) int {
	switch s {
	case NotRefunded:
		return 1
	case PartiallyRefunded:
		return 2
	case FullyRefunded:
		return 3
	}
	return 0
}

// backwards tells whether the snapshot takes back what was certain: a state, a
// refund, money that had paid. Money that is still being confirmed may come to
// nothing. What a provider does take back it has to say: then the total of what
// was taken back grows by it, and both together never shrink.
func backwards(r Record, s Snapshot) bool {
	lost, reversed := s.TakenBack.Cmp(r.TakenBack), s.Reversed.Cmp(r.Reversed)
	return lost < 0 || reversed < 0 ||
		rank(s.Status) < rank(r.Status) && lost == 0 ||
		refundRank(s.RefundStatus) < refundRank(r.RefundStatus) && reversed == 0 ||
		(r.Status == Paid || s.Status == Paid) && s.Received.Add(s.TakenBack).Cmp(r.Received.Add(r.TakenBack)) < 0 ||
		s.Refunded.Add(s.Reversed).Cmp(r.Refunded.Add(r.Reversed)) < 0
}

// contradicts tells whether two snapshots of one revision differ in what a
// revision stands for. Risk and confirmations may move on within a revision.
func contradicts(r Record, s Snapshot) bool {
	if r.Revision.Sign() == 0 || !s.Revision.Equal(r.Revision) {
		return false
	}
	return s.Status != r.Status || s.RefundStatus != r.RefundStatus ||
		!s.Received.Equal(r.Received) || !s.Refunded.Equal(r.Refunded) ||
		!s.Reversed.Equal(r.Reversed) || !s.TakenBack.Equal(r.TakenBack)
}

// refundAgrees tells whether the word for the refund fits its amount. Of a
// payment that never became whole, everything that had arrived may be called a
// full refund.
func refundAgrees(s Snapshot) bool {
	switch s.RefundStatus {
	case NotRefunded:
		return s.Refunded.Sign() == 0
	case PartiallyRefunded:
		return s.Refunded.Sign() > 0 && s.Refunded.Cmp(s.Amount) < 0
	default:
		return s.Refunded.Sign() > 0 &&
			(s.Refunded.Cmp(s.Amount) >= 0 || s.Status != Paid && s.Refunded.Equal(s.Received))
	}
}

// normal fills in what a record that has seen no snapshot stands for.
func (r Record) normal() Record {
	if r.Status == "" {
		r.Status = Pending
	}
	if r.RefundStatus == "" {
		r.RefundStatus = NotRefunded
	}
	if r.DisputeStatus == "" {
		r.DisputeStatus = NotDisputed
	}
	return r
}

// with returns the record as the snapshot has it. What we asked for stays.
func (r Record) with(s Snapshot) Record {
	if r.Ref == "" {
		r.Ref = s.Ref
	}
	newer := s.Revision.Cmp(r.Revision) > 0
	if newer || s.Confirmations > r.Confirmations {
		r.Confirmations = max(s.Confirmations, 0)
	}
	if newer || !assessedBefore(s.Risk, r.Risk) {
		r.Risk = s.Risk.inMicroseconds()
	}
	r.Revision, r.Status, r.RefundStatus = s.Revision, s.Status, s.RefundStatus
	r.Received, r.Refunded, r.Reversed, r.TakenBack = s.Received, s.Refunded, s.Reversed, s.TakenBack
	r.Refunds = merged(r.Refunds, s.Moved(), func(f Refund) string { return f.Ref })
	if len(s.Disputes) > 0 {
		r.Disputes = merged(r.Disputes, s.Disputes, func(d Dispute) string { return d.Ref })
		r.DisputeStatus = together(r.Disputes)
	}
	return r
}
