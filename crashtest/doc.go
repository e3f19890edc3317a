// Package crashtest holds the tests that break things: connections at every
// single statement, workers that lost their lease, twenty requests at once, a
// database that goes away. It proves, on a real server and over real HTTP:
//
//   - 2, nothing is acknowledged that isn't stored: with the database away,
//     read-only, locked or overrun the answer is 503, and what is sent again is
//     stored once.
//   - 3, 8: wherever a connection breaks, a redelivery and a worker's pass lead to
//     the same rows as if nothing had happened.
//   - 4, 5: all orders in which the events of a payment can arrive, with
//     repetitions, lead to the same order, and none takes a step back.
//   - 6, 7: bookings at the same moment follow one another, and no job undoes one.
//   - 9, a worker that lost its lease finishes nothing, in all three queues.
//   - 10, 12: what was refused, held back or given up is visible.
//
// It has no code of its own besides tests; package shoptest has the shop and the
// failing driver they use.
package crashtest
