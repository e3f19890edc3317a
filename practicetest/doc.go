// Package practicetest sells through every payment provider: the real shop and the
// provider's real adapter, over HTTP, against the sandbox's stand-in. Each sale has to
// end in the same state, with each license issued once, whatever became of the
// webhooks on their way (promises 3, 4, 5 and 8). It holds tests only.
package practicetest
