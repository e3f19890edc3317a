// Package fulfillment leads from a paid order to held licenses: the rules that
// allow a delivery, the jobs that do it, and the mails that tell of it.
//
//   - 7, paid and delivered are separate gates: PlanTx puts jobs beside the
//     booking, in its transaction; a job that fails can't repeat or undo it.
//   - 8, a business action happens once: jobs have operation keys
//     (issue-license:<order>:<line>:<unit>, send-licenses-mail:<order>:<revision>),
//     licenses are unique by line and unit, and a mail carries the same Message-ID
//     however often it is sent.
//   - 9, a lost lease finishes nothing: the license is inserted and the job
//     finished in one transaction, conditional on the lease.
//   - 10, nothing is hidden: a job that can't be done ends as dead, undeliverable,
//     blocked or cancelled, and each of them is listed.
//
// The rules are asked twice: when a payment is booked, and again on the locked
// order when its job runs.
package fulfillment
