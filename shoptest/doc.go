// Package shoptest is a whole shop in a test's hands: the real handlers, inbox,
// processor and workers on a real MySQL schema of its own, and a scripted payment
// platform that is asked over HTTP. Nothing runs by itself except the inbox:
// a test delivers events, calls Settle, and looks.
package shoptest
