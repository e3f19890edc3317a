package pages

import "cmp"

// Tone colours a state; the words beside it say the same.
type Tone string

// The tones.
const (
	Calm Tone = "calm" // waiting, nothing to worry about
	Good Tone = "good"
	Warn Tone = "warn"
	Bad  Tone = "bad"
)

// Pill is a state in a few words.
type Pill struct {
	Words string
	Tone  Tone
}

// Sum is an amount as people read it and as the API says it.
type Sum struct {
	Words string // €49.00
	Minor string // 4900
}

// Frame is what surrounds a page.
type Frame struct {
	Provider string // whose stand-in; empty: of no one provider
	Desk     bool   // for the developer, not for the buyer
}

func (f Frame) brand() string { return cmp.Or(f.Provider, "Payment") }

// Pay is the hosted payment page of one order.
type Pay struct {
	Provider    string // whose stand-in this is
	ID          string
	Revision    string
	Reference   string // the merchant's order id
	Description string
	Amount      Sum
	State       Pill
	Headline    string
	Lead        string
	Received    string // empty: nothing came yet
	Due         string // empty: nothing is missing
	Surplus     string // empty: nothing is too much
	Refunded    string // empty: nothing went back
	Also        []Fact // what few payments have
	Expires     *When  // nil: the order has ended
	Blocks      *Blocks
	Notice      string // why the last button did nothing

	Heading string   // over Buttons
	Buttons []Button // the plain ways to pay, first the usual one
	Trouble []Button // what can go wrong
	Return  *Link    // back to the shop
	Cancel  *Link

	More     string // over Refund, Sections and Risk
	MoreOpen bool
	Refund   *RefundForm
	Sections []Section
	Risk     *RiskForm // nil: this provider assesses nothing
}

// Section is a few buttons with a word about them.
type Section struct {
	ID, Title, Lead string
	Buttons         []Button
}

// Blocks is how far the confirmations have come.
type Blocks struct {
	Have, Want int
	Automatic  bool // blocks come by themselves: the page looks again
}

// Button is one thing to do with an order.
type Button struct {
	Do    string // the form's value
	Label string
	Hint  string
}

// Link leads out of the sandbox.
type Link struct {
	URL, Label string
}

// RefundForm gives back what was received.
type RefundForm struct {
	Refundable Sum
	Half       Sum
	Sample     string // an amount in the form that is read
}

// RiskForm shows and changes the assessment.
type RiskForm struct {
	Choices  []Choice // decision, service, chain
	Assessed When
	Valid    string
}

// Choice is a select: what is chosen and what there is.
type Choice struct {
	Name, Label, Chosen string
	Words               []string
}

// Desk lists orders, newest first.
type Desk struct {
	Orders    []Row
	Next      string // query of the next page; empty: none
	Endpoints []Endpoint
	FaultsOn  bool
}

// Endpoint is where events go.
type Endpoint struct {
	Provider string // empty: there is only one
	URL      string
}

// Row is one order in the list.
type Row struct {
	ID, Description, Reference, Revision string
	Provider                             string // empty: there is only one
	Amount                               string
	Payment                              Pill
	Refund, Dispute                      *Pill
	Sent                                 []Pill // deliveries by state
	Changed                              When
}

// Order is everything about one order.
type Order struct {
	Row
	Title   string // the provider
	Untimed bool   // whose signatures carry no time
	Facts   []Fact
	Events  []Event
}

// Fact is a line of the order's record.
type Fact struct {
	Name, Value string
}

// Event is one revision and how it was told, or one event of several that told it.
type Event struct {
	Revision, Type, ID string // no ID: nobody was told
	Word               string // the engine's word for what happened, where Type is another
	Tone               Tone
	At                 When
	Body               string // indented for reading; the bytes sent have no blanks
	Deliveries         []Delivery
}

// Delivery is one send to one endpoint.
type Delivery struct {
	ID, Kind, URL string
	State         Pill
	Next          *When  // nil: nothing more will happen
	Why           string // the last error
	Attempts      []Attempt
}

// Attempt is one line of a delivery's log.
type Attempt struct {
	Number  string
	Answer  Pill
	Took    string
	At      When
	Signed  string // the timestamp header
	Problem string
	Fault   string
}

// Faults is the page of switches.
type Faults struct {
	Sets  []FaultSet
	Saved bool
}

// FaultSet is the switches of one endpoint, or the general ones.
type FaultSet struct {
	Endpoint  string // id; empty: general
	Title     string
	Lead      string
	Own       bool // an endpoint with switches of its own
	Groups    []FaultGroup
	Attention string
}

// FaultGroup is a few switches that belong together.
type FaultGroup struct {
	Title    string
	Switches []Switch
}

// Switch is one fault: on or off, or a number.
type Switch struct {
	Name, Label, Hint string
	On                bool
	Number            bool
	Value             string
	Max               string
}

// Problem is a page that says what is wrong.
type Problem struct {
	Title, Lead string
}
