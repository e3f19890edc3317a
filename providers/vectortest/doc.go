// Package vectortest reads the test vectors of payment providers: signatures to
// accept or reject, sample events with what they mean, and the rules from event
// to state. It is for tests.
//
// A provider's three files lie in its own testdata. With PROVIDER_VECTORS=DIR in
// the environment the same tests read DIR/<provider>/ instead.
package vectortest
