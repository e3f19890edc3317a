// Package call asks providers' APIs, with what all of them need: a timeout for
// each attempt, one more attempt where it may help, an end to answers that are
// too long, and errors of the kinds of package payment that hold neither our key
// nor anything the API wrote, but for a code. Redirects aren't followed.
package call
