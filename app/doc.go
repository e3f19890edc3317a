// Package app puts the shop together from its configuration: the rooms, the wires
// between them, and the order in which they start and stop. It is the only place
// that knows all of them; the command line and the acceptance tests share it.
//
// The wires are signals, never data: a stored event wakes the processor, a booking
// wakes the worker, a delivered order wakes the mail. Whatever a signal misses, a
// poll of the table finds.
//
// Stopping ([App.Run], when its context ends) loses nothing:
//
//   - readiness turns false at once, and no row is claimed any more;
//   - requests being handled get their real answer, streams are ended;
//   - what they stored is written, then work that runs may end for 20 s, then it is
//     given back uncounted;
//   - livez, readyz and metrics go last.
//
// A part that ends although nobody asked it to stops all others: half a shop that
// looks whole is worse than one that is restarted.
package app
