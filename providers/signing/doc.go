// Package signing holds what verifying a webhook is made of, whoever sent it:
// secrets with an id and an end, headers that have to be there once, digests
// compared in constant time, and the explanation of a delivery that was refused.
//
// It keeps promise 1 for all adapters: every secret that is valid now is tried,
// also after one has matched, and an empty one verifies nothing.
package signing
