// Package operations answers those who run the shop: livez (the process serves),
// readyz (it may be sent work) and metrics, on a listener of its own that buyers
// don't reach.
//
// Readiness is false while the database can't be reached, while its migrations are
// older than the program, and from the moment a shutdown begins. A clock that
// differs from the database's is reported and doesn't make an instance unready: it
// bears on webhook timestamps alone, which tolerate minutes.
package operations
