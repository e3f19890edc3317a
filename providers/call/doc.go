// Package call asks providers' APIs, with what all of them need: credentials, without
// which it refuses to call, a timeout for each attempt, one more attempt where it may
// help, idempotency keys, an end to answers that are too long, the strict reader of
// package wire, and errors of the kinds of package payment that hold neither our key
// nor anything the API wrote, but for a code. Redirects aren't followed.
package call
