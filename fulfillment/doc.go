// Package fulfillment leads from a paid order to held licenses: the rules that
// allow a delivery, the jobs that do it, and the mails that tell of it.
//
//   - 7, paid and delivered are separate gates: [PlanTx] draws the consequences of
//     a booking in its transaction; a job that fails can't repeat or undo it.
//   - 8, a business action happens once: jobs have operation keys
//     (issue-license:<order>:<line>:<unit>, send-licenses-mail:<order>:<revision>),
//     licenses are unique by line and unit, and a mail carries the same Message-ID
//     however often it is sent. What was suspended or revoked comes back as the same
//     licenses: none is issued twice.
//   - 9, a lost lease finishes nothing: the license is inserted and the job
//     finished in one transaction, conditional on the lease. Cancelling a job takes
//     the lease from whoever holds it.
//   - 10, nothing is hidden: a job that can't be done ends as dead, undeliverable,
//     blocked or cancelled, and each of them is listed.
//   - 12, every change is in the history: PlanTx returns what it did to the licenses,
//     for the order's next revision.
//
// Licenses follow their order:
//
//	full refund, lost dispute, money taken back      revoked; jobs are cancelled
//	open dispute                                     suspended; jobs wait
//	refund came back, dispute won, paid once more    good again; jobs are due again
//
// The rules are asked twice: when a payment is booked, and again on the locked
// order when its job runs.
package fulfillment
