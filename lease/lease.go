package lease

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"
)

// Lease is the right to work on one row until its deadline. It is a value: the
// row's own lease_version says whether it is still worth anything.
type Lease struct {
	Seq      uint64 // the row
	Version  uint64 // the fence: the row's lease_version when it was claimed
	Attempts int    // how often the row has been claimed, this time included

	// claimed is this process's monotonic time just before the claim. It is never
	// sent to the database; it only makes Run renew a lease that has been lying about.
	claimed time.Time
}

// ErrLost says that the lease is no longer held: it expired and another worker
// has the row now, or its holder has settled it already. Nothing was written.
var ErrLost = errors.New("lease lost")

// Permanent marks err as one that no repetition will mend: Retry then buries
// the row at once instead of spending its attempts. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return permanentError{err}
}

// IsPermanent reports whether err, or an error it wraps, is Permanent.
func IsPermanent(err error) bool {
	var p permanentError
	return errors.As(err, &p)
}

type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

// reasonBytes is the width of last_error. The column counts characters; bytes
// are the safe side of that.
const reasonBytes = 500

// reason is the text of err as the column takes it: a strict server refuses a
// text that is too long or isn't UTF-8, and a reason must never stop a job from
// being settled.
func reason(err error) string {
	if err == nil {
		return ""
	}
	return cut(strings.ToValidUTF8(err.Error(), "\uFFFD"), reasonBytes)
}

// cut shortens valid UTF-8 to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
