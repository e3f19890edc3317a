// Package lease is one fenced queue over any table with the lease columns. The
// shop's event inbox, its fulfillment outbox and the sandbox's deliveries are
// three tables and this one package.
//
// # What a lease is
//
// A lease is the right to work on one row until a deadline. It is numbered:
// every claim raises the row's lease_version, and only who holds the newest
// number may write the row. A worker that was paused, cut off or declared dead
// may go on believing in its lease for as long as it likes; its number is old.
//
// # Who is authoritative
//
// The database, for both questions: who holds the row (lease_version) and what
// time it is (NOW(6)). No statement carries a time of this process, so workers
// need not agree on it. Local time paces loops and lets work stop sooner, never
// later.
//
// # The life of a row
//
//	               Claim: attempts + 1, lease_version + 1
//	┌─► pending ───────────────────────────────────────► leased ──► done
//	│      ▲  ▲                                          │ │ ▲ │    Finish
//	│      │  └──────────────────────────────────────────┘ │ └─┘
//	│      │     Retry: after the back-off                 │  Extend; Claim by
//	│      │     Postpone: in d, not counted               │  another, once expired
//	│      │     Release: now, not counted                 │
//	│      │                                               │
//	│      └───────────────────────── dead ◄───────────────┘
//	│        a person's act, written        Retry of the last attempt or of a
//	│        by whoever owns the table      Permanent error; expired on the last attempt
//	└─ INSERT
//
// Other statuses (blocked, cancelled …) are the table's own business; a queue
// neither takes nor leaves them. Who takes a leased row away from its worker by
// such a status must raise lease_version. To revive a dead row is the table's
// business too: pending, due now, attempts 0, beside a record of who asked for it.
//
// # What happens when something fails
//
//   - The work returns an error: one failure; due again after 60 s, 300 s … 24 h,
//     each ±10 %; the eighth is final. A Permanent error is final at once.
//   - The work panics: one failure. The stack is logged, the value isn't.
//   - The process is killed: the lease expires and the row is claimed again at
//     once. The claim was counted when it was made, so a row that kills each of
//     its workers is dead after eight of them, with the reason "lease expired".
//   - The process is stopped: the row is given back, uncounted.
//   - The worker is too slow: whoever claims the expired row has it. What the slow
//     one writes meets zero rows and comes back as [ErrLost], inside its
//     transaction, which rolls back. [Queue.Run] extends leases meanwhile.
//   - The database is away: nothing can be claimed, extended or finished; loops
//     slow down to a look every 30 s, running work is told that its lease is lost
//     when its time is over, and everything goes on when the database is back.
//   - A commit's answer is lost: nobody knows whether it counted. Repeating any
//     settlement is harmless: it holds or is refused.
//
// # Promises kept here
//
//   - 8 (a business action happens once): the work's own writes and FinishTx share
//     a transaction, so of two workers only the one that finishes leaves a trace.
//     Effects outside the database happen at least once and carry the row's
//     operation key.
//   - 9 (a worker that lost its lease can finish nothing): every write of a holder
//     is one UPDATE with seq, lease_version and status = 'leased' in its WHERE
//     clause. Claims carry the same condition; row locks and SKIP LOCKED save
//     them from meeting, nothing more.
//   - 10 (what can't be delivered isn't hidden): nothing here deletes a row or
//     ends it silently; dead rows keep their reason until a person revives them.
//
// # The columns
//
//	seq             BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY
//	kind            VARCHAR, only if Queue.Kinds is used
//	status          VARCHAR NOT NULL DEFAULT 'pending'
//	attempts        INT NOT NULL DEFAULT 0
//	next_attempt_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
//	lease_owner     VARCHAR(64) NULL
//	lease_until     DATETIME(6) NULL
//	lease_version   BIGINT UNSIGNED NOT NULL DEFAULT 0
//	last_error      VARCHAR(500) NULL
//	KEY (status, next_attempt_at), KEY (status, lease_until)
//
// # What it costs
//
// A test holds these to their numbers, on a table where thousands of rows are
// done, wait or are due:
//
//	claim that finds nothing   1 statement, no transaction, at most 4 rows read
//	claim                      6 statements with BEGIN and COMMIT, one commit
//	settlement of its own      3 statements with BEGIN and COMMIT, one commit
//	settlement in your Tx      1 statement
//
// A claim that also takes over or buries expired rows needs up to three more
// statements. A [Loop] without work makes one claim a poll, whatever its workers.
package lease
