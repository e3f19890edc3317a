package checkout

import (
	"strconv"
	"strings"

	"onceshop/store"
)

// attemptKey is the idempotency key of an order's n-th payment at its provider.
func attemptKey(orderID string, n int) string { return "pay:" + orderID + ":" + strconv.Itoa(n) }

// orderRef is what a provider's record calls the order: its id, and from the
// second payment on which of them it is, so that a record whose reference we
// haven't noted finds its own row.
func orderRef(orderID string, attempt int) string {
	if attempt == 1 {
		return orderID
	}
	return orderID + "/" + strconv.Itoa(attempt)
}

// ParseOrderRef reads orderRef's form; the id is empty if s isn't ours.
func ParseOrderRef(s string) (orderID string, attempt int) {
	id, n, more := strings.Cut(s, "/")
	attempt = 1
	if more {
		var err error
		if attempt, err = strconv.Atoi(n); err != nil || attempt < 2 {
			return "", 0
		}
	}
	if !store.IsID(id) || orderRef(id, attempt) != s {
		return "", 0
	}
	return id, attempt
}
