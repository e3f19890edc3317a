package view

// Facts is what an order is, in the words of the records; Describe turns it
// into what the page says. Every page, fragment and mail that goes through
// Describe says the same.
type Facts struct {
	Payment  string // pending, confirming, authorised, paid, failed, expired, cancelled
	Refund   string // none (or empty), partial, full
	Dispute  string // none (or empty), open, won, lost: as the merchant sees it
	Review   bool   // a person has to look at the payment first
	Delivery string // waiting, preparing, delivered, withheld, suspended, revoked, cancelled

	// Mail is what becomes of the mail with the licenses: MailComes, MailSent; empty:
	// none goes out.
	Mail string

	// TakenBack: the order was paid once, and the money was taken away again.
	TakenBack bool

	Confirmations int    // of the payment, while it is confirming
	Received      string // formatted; set when something, but not all, arrived
	ChargedBack   string // formatted; set when the bank took something, but not all, back
	Total         string // formatted
	Licenses      int    // how many units the order has

	// Returned: the buyer came back from the payment page. It changes the
	// words of a pending order and nothing else.
	Returned bool
	// Overdue: no news for two minutes although the buyer came back.
	Overdue bool
}

// What has happened to the delivery.
const (
	DeliveryWaiting   = "waiting"   // for the payment
	DeliveryPreparing = "preparing" // paid; the key is being made or awaited
	DeliveryDone      = "delivered"
	DeliveryWithheld  = "withheld"  // paid, but a condition of delivery isn't met
	DeliverySuspended = "suspended" // delivered; the licenses rest
	DeliveryRevoked   = "revoked"   // delivered; the licenses have ended
	DeliveryCancelled = "cancelled" // nothing will be delivered
)

// What becomes of a mail.
const (
	MailComes = "comes"
	MailSent  = "sent"
)

// Status is the state of an order in words.
type Status struct {
	Headline string // "Confirming your payment"
	Sentence string // what that means and what to do
	Tone     string // ToneWait, …
	Payment  Pill
	Delivery Pill
	Steps    []Step
	Mail     string // as in Facts
	Waiting  bool   // news is expected: the page refreshes itself
	AsksPay  bool   // nothing is known to be on its way: the page asks for the payment
	// GetInTouch: what happens next, buyer and merchant have to settle.
	GetInTouch bool
}

// Pill is one state in one or two words.
type Pill struct {
	Word string
	Tone string
}

// Step is one station of the way from ordered to delivered.
type Step struct {
	Label string
	Note  string // small print: "3 confirmations"
	State string // StepDone, …
}

// The tones, from calm to urgent. They colour what words already say.
const (
	ToneIdle = "idle"
	ToneWait = "wait"
	ToneGood = "good"
	ToneWarn = "warn"
	ToneBad  = "bad"
)

// What a step can be.
const (
	StepDone    = "done"
	StepCurrent = "current"
	StepTodo    = "todo"
	StepStopped = "stopped"
)
