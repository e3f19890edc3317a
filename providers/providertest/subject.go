package providertest

import (
	"net/http"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/vectortest"
)

// Adapter is what the suite tests.
type Adapter interface {
	payment.Verifier
	payment.Creator
	Explain(header http.Header, raw []byte, now time.Time) signing.Explanation
	Close()
}

// Setup is what an adapter is made for.
type Setup struct {
	Secrets []signing.Secret
	BaseURL string       // of Subject.API; empty where nothing is called
	HTTP    *http.Client // calls BaseURL; nil where nothing is called
	// Vector is the one that is tested, Rule the one that Make's body is for, or
	// nil: for adapters that have to be configured for it, with an account for
	// instance.
	Vector *vectortest.Vector
	Rule   *vectortest.Rule
}

// Subject is an adapter and what the suite has to know of its provider. Fields are
// required unless it says otherwise.
type Subject struct {
	Name            string // of events' Provider
	VectorsProvider string // what the vector files call it; empty: Name
	Folder          string // where they are; empty: testdata

	New func(Setup) (Adapter, error)
	// Sign returns a delivery of raw, signed at that time, with what else the
	// header needs. It also gets bodies that aren't JSON. Where the signature, or
	// its time, is in the body it may return another one, and raw where it can't.
	Sign func(header http.Header, raw []byte, secret string, at time.Time) (http.Header, []byte)
	// CheckSecret is the adapter's. StrongSecret and OtherSecret pass it;
	// WeakSecrets don't, and may be empty: the usual ones are tried anyway.
	CheckSecret  func(key string) error
	StrongSecret string // empty: the samples'
	OtherSecret  string // signs deliveries beside the samples'
	WeakSecrets  []string
	// Credentials are what New makes the adapter sign in with at the API, or a
	// part of it. They must appear in no error.
	Credentials []string

	// Headers are those that a delivery needs and its signature covers, or is in;
	// none where all is in the body.
	Headers []string
	// Signed returns the parts of raw that the signature covers, and the signature
	// if it is there; nil: the whole body.
	Signed func(raw []byte) []Span
	// AnyCaseHex is for signatures in hexadecimal digits of either case.
	AnyCaseHex bool
	// SignedTime is for signatures that cover the time of sending.
	SignedTime bool

	// Paid is the id of the sample that others are made of; empty: paid. Reads are
	// the names that the adapter reads in it, with a dot between the levels
	// ("data.object.id"); levels of arrays don't count.
	Paid  string
	Reads []string
	// Key is what a sample's event_key is compared with; nil: the event's ID.
	Key func(payment.Event) string
	// OrderRef is what an event of this sample has as OrderRef; nil: the sample's.
	OrderRef func(vectortest.Event) string
	// Make returns a body for a rule that no sample is about, and false for those
	// it doesn't know. It is signed and sent with the headers of the sample Paid.
	// It may be nil.
	Make func(vectortest.Rule) (raw []byte, ok bool)
	// Asks tells of events that are ones to ask about, whatever effect the rules and the
	// samples say: what they depend on isn't signed, or the record tells more of them than
	// how the payment stands. It may be nil.
	Asks func(eventType string, effect payment.Effect) bool
	// Harmless are changes that leave an event the same, so documented by the
	// provider; there may be none. Harmful are changes that make it another one, or
	// the same with another content.
	Harmless, Harmful []Change

	// Money are amounts that are taken or not.
	Money []Money
	// API stands in for the provider's. It makes the payment that is asked for,
	// and answers a repetition as the provider does.
	API func(testing.TB) http.Handler
	// Creation is a payment that is asked for; what is empty is filled in.
	Creation payment.Creation
	// IdempotencyHeader carries the key; empty where the provider takes none: a
	// repetition may have another page then, not another reference.
	IdempotencyHeader string
	// Ref is a reference of a payment, to fetch and to refund it; empty: the
	// creation's OrderRef.
	Ref string
}

// Span is raw[From:To].
type Span struct{ From, To int }

// Change is made to a sample before it is signed again.
type Change struct {
	Name   string
	Sample string                  // its id; empty: Subject.Paid
	Body   func(raw []byte) []byte // nil: it stays
	Header func(http.Header)       // nil: it stays; done after signing
}

// Money is an amount and whether the provider can be asked for it.
type Money struct {
	Amount   string // in our minor units
	Currency string
	Taken    bool
	Asks     string // what the request's body then has in it; empty: not looked at
}
