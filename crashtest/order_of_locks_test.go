package crashtest_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/shoptest"
	"onceshop/testdb"
)

func TestTheOrderIsLockedBeforeAnythingOfItIsWritten(t *testing.T) {
	t.Parallel()
	s := newStory(t, testdb.New(t))
	s.buy()
	s.stored(s.reportPaid())
	s.faulty.Arm(shoptest.Fault{})
	s.Settle()
	trips := s.faulty.Mend()

	locked, writes := false, 0
	for _, trip := range trips {
		switch first := strings.TrimSpace(trip); {
		case first == "begin":
			locked = false
		case strings.HasPrefix(first, "-- name: LockOrder "):
			locked = true
		case slices.ContainsFunc([]string{"UpdatePayment", "UpdateOrder", "InsertOrderRevision", "InsertLicense", "SettleEvent"},
			func(name string) bool { return strings.HasPrefix(first, "-- name: "+name+" ") }):
			writes++
			if !locked {
				t.Errorf("written without the order's lock: %s", first)
			}
		}
	}
	if writes < 7 { // four of the booking, three of the delivery
		t.Errorf("only %d writes were seen in %d statements", writes, len(trips))
	}
}

// The clocks of two hosts may be ten minutes apart: no queue notices, because no
// statement of one carries a host's time.
func TestNoStatementOfAQueueCarriesTheHostsClock(t *testing.T) {
	t.Parallel()
	s := newStory(t, testdb.New(t))
	statements := 0
	s.faulty.Watch(func(st shoptest.Statement) {
		if !strings.Contains(st.Text, "lease_") && !strings.Contains(st.Text, "next_attempt_at") {
			return
		}
		statements++
		for _, arg := range st.Args {
			if at, ok := arg.Value.(time.Time); ok {
				t.Errorf("%v goes into %s", at, st.Text)
			}
		}
	})
	s.buy()
	s.stored(s.reportPaid())
	s.Settle()
	s.stored(s.reportRefund())
	s.Platform.Fail(503)
	s.Settle() // a failure: Retry
	s.Platform.Fail(0)
	s.catchUp()
	s.faulty.Watch(nil)
	if statements < 20 {
		t.Errorf("only %d statements of queues were seen", statements)
	}
}
