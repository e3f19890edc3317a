// Command shop is the whole shop: serve runs it, demo runs it with everything it
// needs on one machine, the other commands look after it.
//
// Exit codes: 0 done, 1 it failed or a check says no, 2 the command line isn't
// understood.
package main
