package call

import "errors"

// A key of the other mode than the shop's would give real goods for play money, or
// take real money for a test.
var (
	ErrTestKey = errors.New("is a key of test mode, and the shop is live")
	ErrLiveKey = errors.New("is a key of live mode, and the shop is in test mode")
)

// CheckMode holds what a key tells of its mode against the shop's.
func CheckMode(ofLive, live bool) error {
	switch {
	case live && !ofLive:
		return ErrTestKey
	case ofLive && !live:
		return ErrLiveKey
	}
	return nil
}
