package store

// The states of an order's delivery, beside its payment (promise 7).
const (
	DeliveryNotDue    = "none"      // nothing is paid
	DeliveryWaiting   = "waiting"   // jobs are on their way
	DeliveryDone      = "delivered" // all licenses are held
	DeliveryWithheld  = "withheld"  // paid, but the rules say no
	DeliverySuspended = "suspended" // held, but a dispute is open
	DeliveryRevoked   = "revoked"   // the licenses have ended
)
