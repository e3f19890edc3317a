// Package database is the one way to the MySQL server: it opens pools whose
// sessions all agree on time zone, isolation and character set, it owns the one
// door to a transaction, and it names the server's error numbers.
//
//   - Sessions run in UTC (time_zone='+00:00'), so NOW(6) is UTC wherever the
//     server stands; [Open] refuses a server where that doesn't hold.
//   - Transactions run at READ COMMITTED: fewer gap locks under SKIP LOCKED, and
//     a second read sees the winner of a race.
//   - [InTx] repeats a transaction that lost a deadlock, a lock wait or a
//     cluster's certification. Its function may therefore run more than once
//     and must not touch anything outside the database: no network call, no
//     channel, no counter.
//   - DDL commits implicitly in MySQL, so every migration holds one statement;
//     goose has no lock for MySQL, so [Up] takes GET_LOCK first.
package database
