package payment

import (
	"cmp"
	"slices"
)

// Moved are the single refunds of some money. One of none changes nothing, and isn't
// kept.
func (s Snapshot) Moved() []Refund {
	none := func(f Refund) bool { return f.Amount.Sign() <= 0 }
	if !slices.ContainsFunc(s.Refunds, none) {
		return s.Refunds
	}
	return slices.DeleteFunc(slices.Clone(s.Refunds), none)
}

// merged is what a record knows of single facts after a snapshot: the newer word
// about each, in order of their references. What a snapshot doesn't mention stays.
func merged[T any](known, told []T, ref func(T) string) []T {
	if len(told) == 0 {
		return known
	}
	byRef := map[string]T{}
	for _, facts := range [][]T{known, told} {
		for _, f := range facts {
			byRef[ref(f)] = f
		}
	}
	all := make([]T, 0, len(byRef))
	for _, f := range byRef {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(ref(a), ref(b)) })
	return all
}

// together is what several disputes mean for the payment: one that is lost
// outweighs one that is open, and that one that is won.
func together(disputes []Dispute) DisputeStatus {
	all := NotDisputed
	for _, d := range disputes {
		switch {
		case d.Status == DisputeLost, all == DisputeLost:
			all = DisputeLost
		case d.Status == DisputeOpen, all == DisputeOpen:
			all = DisputeOpen
		case d.Status == DisputeWon:
			all = DisputeWon
		}
	}
	return all
}

// ledgerChanges lists the single refunds and disputes that are new or stand
// differently. Both lists are in order of their references.
func ledgerChanges(before, after Record) []Change {
	var changes []Change
	refunds := map[string]RefundState{}
	for _, f := range before.Refunds {
		refunds[f.Ref] = f.Status
	}
	for _, f := range after.Refunds {
		if refunds[f.Ref] != f.Status {
			changes = append(changes, Change{"refund " + f.Ref, string(refunds[f.Ref]), string(f.Status)})
		}
	}
	disputes := map[string]DisputeStatus{}
	for _, d := range before.Disputes {
		disputes[d.Ref] = d.Status
	}
	for _, d := range after.Disputes {
		if disputes[d.Ref] != d.Status {
			changes = append(changes, Change{"dispute " + d.Ref, string(disputes[d.Ref]), string(d.Status)})
		}
	}
	return changes
}
