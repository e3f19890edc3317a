// Package flock locks files between processes. A lock lasts until every copy of
// the open file is closed, by whichever end of whichever process: nothing of a
// killed process remains.
package flock

import "errors"

// ErrUnsupported is the answer of systems without such locks.
var ErrUnsupported = errors.New("a private database server needs a Unix system; name a server of yours instead")
