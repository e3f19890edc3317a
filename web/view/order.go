package view

// Order is the page a buyer watches and keeps: state, licenses, receipt, why it
// is (not) delivered, and the whole history.
type Order struct {
	Layout
	Number string
	Email  string // masked: b•••@example.com
	Placed Moment
	Status Status // from Describe

	// EventsURL is the stream of the page's newer versions, with the reveal of
	// the current page in its query so that a shown key stays shown.
	EventsURL string
	// PayURL is the provider's page of a payment that can still be paid.
	PayURL string
	// PayAgainURL takes a POST that starts a new payment after one that ended.
	PayAgainURL string
	// PayWith is whom either leads to. Others are the providers that the buyer may
	// turn to instead, by a POST of the name to OthersURL.
	PayWith   Way
	Others    []Way
	OthersURL string
	// Unstarted is why there is no payment to continue: it could not begin.
	Unstarted string
	// Unpayable: the order waits for a payment that no provider takes at the moment.
	Unpayable bool
	// Problem is why what the buyer has just asked for could not be done.
	Problem string

	Lines    []OrderLine
	Total    string
	Amounts  []Amount // received, refunded, surplus: only those there are
	Refunds  []Movement
	Disputes []Movement
	Licenses []License
	// MailNote is set when the receipt could not be mailed.
	MailNote string
	Gate     Gate
	History  []Entry // newest first
}

// OrderLine is one bought product, as it was called and priced at purchase.
type OrderLine struct {
	Name      string
	Quantity  int
	UnitPrice string
	Total     string
}

// Amount is one labelled sum below the total.
type Amount struct {
	Label string
	Value string
	Note  string // optional sentence
}

// Movement is one refund or one dispute of the order's money.
type Movement struct {
	Amount   string
	State    Pill
	Sentence string // what the state means for the buyer
	Promised bool   // we said that we get in touch: the page has our address
	At       Moment // when we first heard of it
}

// License is one license the buyer holds.
type License struct {
	ID          string // short and unique on the page: an anchor
	Slug        string // of the product: decides the art
	Product     string
	Unit        string // "2 of 3" where a line has several
	Status      string // LicenseActive, LicenseSuspended, LicenseRevoked
	Reason      string // why it is not active
	Masked      string
	Key         string // empty until the buyer asked for it
	RevealURL   string // the page with this key shown
	HideURL     string // the page with it masked again
	FileURL     string // the signed license file; empty where there is none to give
	Activations int    // devices one key may be used on; 0 no limit
	Issued      Moment
}

// What a license can be.
const (
	LicenseActive    = "active"
	LicenseSuspended = "suspended"
	LicenseRevoked   = "revoked"
)

// Gate is the "why (not) delivered" panel: every condition with what it has and
// what it wants.
type Gate struct {
	Heading  string // "Why it is not delivered yet"
	Open     bool   // the panel stands open: it is what the reader wants to know first
	Sentence string // "Delivered: every condition below held …"
	Clauses  []Clause
}

// Clause is one condition of delivery.
type Clause struct {
	Label string
	Has   string
	Wants string
	OK    bool
}

// orderLayout puts the state into the title, so that a tab in the background
// tells what has happened.
func orderLayout(v Order) Layout {
	v.Title = v.Status.Headline + " – Order " + v.Number
	v.Private = true
	return v.Layout
}

// payWord is what the button says: nobody pays again who has never paid.
func payWord(v Order) string {
	if v.Status.AsksPay {
		return "Pay now"
	}
	return "Pay again"
}

// stepWord says for a screen reader what the mark shows.
func stepWord(s Step) string {
	switch s.State {
	case StepDone:
		return ": done"
	case StepCurrent:
		return ": now"
	case StepStopped:
		return ": stopped"
	}
	return ": to come"
}

func clauseWord(c Clause) string {
	if c.OK {
		return ": holds."
	}
	return ": does not hold."
}

// amountClass lets an amount break across lines only when it is too long for
// one: half a price on a line of its own reads like another price.
func amountClass(s string) string {
	if len(s) > 18 {
		return "long"
	}
	return ""
}

// orNothing names what isn't there.
func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}
