// Package license makes what a buyer holds: a short key to type in, and a signed
// file that proves itself offline. It is pure, and imports nothing outside the
// standard library, so that a program sold here can carry a copy of it to check
// its own license.
//
// The key is derived from the license's id (Key), so that the shop needs to store
// no more than its Hash, and issuing the same license again gives the same key:
// a repeated job can't hand out a second one (promise 8). It has 24 characters
// of 29 (over 116 bits) and a check character that finds every single wrong
// character and every two that changed places. Of letters and digits that look
// alike the alphabet has one; Normalize reads the others as that one.
//
// The file is text that survives mail programs:
//
//	-----BEGIN ONCESHOP LICENSE-----
//	Key-Id: 0b7c14a2f15c3f4d
//	Product: Once Pro
//	…
//
//	base64 of: 64 bytes Ed25519 signature, then the signed JSON
//	-----END ONCESHOP LICENSE-----
//
// Verify checks the signature over the exact bytes of the JSON before it reads
// any of it (promise 1). The readable lines above are for people; that they
// still say what was signed is checked too. White space is left out of that
// comparison: line endings change and long lines are wrapped on the way.
// Key-Id only chooses among the keys the caller trusts.
//
// Without this package:
//
//	sed '1,/^\r*$/d;/^-----END/,$d' FILE | base64 -di > all
//	head -c 64 all > signature; tail -c +65 all > signed.json
//	openssl pkeyutl -verify -pubin -inkey public.pem -rawin -in signed.json -sigfile signature
package license
