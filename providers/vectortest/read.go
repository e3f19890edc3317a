package vectortest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
)

// Set is what is known of one provider.
type Set struct {
	Vectors []Vector
	Events  Events
	Mapping Mapping
}

// Vector is one delivery and whether it has to be let in.
type Vector struct {
	ID         string            `json:"id"`
	Origin     string            `json:"origin"` // sdk-test-suite for others' fixtures, seed, own
	Want       string            `json:"want"`   // accept or reject
	Reason     string            `json:"reason"`
	Secrets    []string          `json:"secrets"`
	Now        int64             `json:"now"`
	Headers    map[string]string `json:"headers"`
	Body       string            `json:"body"`
	BodySHA256 string            `json:"body_sha256"`
	Answer     int               `json:"answer"` // the HTTP status; 0 where the file leaves it open

	// Of Adyen: the signature is right and the delivery is refused all the same,
	// for an account that isn't the expected one.
	HMACMatches             bool   `json:"hmac_matches"`
	ExpectedMerchantAccount string `json:"expected_merchant_account"`
}

// Accept tells whether the delivery has to be let in.
func (v Vector) Accept() bool { return v.Want == "accept" }

// Header returns the headers as net/http would have them.
func (v Vector) Header() http.Header { return header(v.Headers) }

// Time is the receiver's clock.
func (v Vector) Time() time.Time { return time.Unix(v.Now, 0) }

// Events are signed samples and what follows from their delivery.
type Events struct {
	Secret    string                    `json:"secret"`
	Now       int64                     `json:"now"`
	Events    []Event                   `json:"events"`
	Snapshots map[string]map[string]any `json:"snapshots"`
	Scenarios []Scenario                `json:"scenarios"`

	// Of Adyen: whose samples they are, how that account captures, and what its
	// deliveries are answered with.
	MerchantAccount string    `json:"merchant_account"`
	CaptureMode     string    `json:"capture_mode"` // manual or automatic
	Response        *Response `json:"response"`
}

// Response is an answer to a delivery.
type Response struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
}

// Time is the receiver's clock.
func (e Events) Time() time.Time { return time.Unix(e.Now, 0) }

// Event is one signed sample.
type Event struct {
	ID                 string            `json:"id"`
	State              string            `json:"state"`
	Effect             string            `json:"effect"`
	EventType          string            `json:"event_type"`
	EventKey           string            `json:"event_key"`
	PaymentRef         string            `json:"payment_ref"`
	OrderRef           string            `json:"order_ref"`
	AmountMinor        *int64            `json:"amount_minor"`
	Currency           string            `json:"currency"`
	RefundedTotalMinor *int64            `json:"refunded_total_minor"`
	OccurredAt         time.Time         `json:"occurred_at"`
	Revision           *int64            `json:"revision"`
	Success            *bool             `json:"success"`
	Note               string            `json:"note"`
	Headers            map[string]string `json:"headers"`
	Body               string            `json:"body"`
}

// Header returns the headers as net/http would have them.
func (e Event) Header() http.Header { return header(e.Headers) }

// Scenario is a row of deliveries and how it ends.
type Scenario struct {
	Name               string   `json:"name"`
	Deliver            []string `json:"deliver"`       // ids of events
	Authoritative      string   `json:"authoritative"` // name of the snapshot that a fetch returns
	FinalState         string   `json:"final_state"`
	Fulfilments        int      `json:"fulfilments"`
	RefundedTotalMinor *int64   `json:"refunded_total_minor"`
	Answers            []int    `json:"answers"`
	Note               string   `json:"note"`
}

// Mapping is the rules from event to state.
type Mapping struct {
	Rules []Rule `json:"rules"`
}

// Rule is what events of one type do, in words.
type Rule struct {
	EventType string `json:"event_type"`
	When      string `json:"when"` // a condition, or empty
	State     string `json:"state"`
	Effect    string `json:"effect"`
	Note      string `json:"note"`
}

// Read returns the provider's set from folder, or from the folder that the
// environment names. It fails the test where a file is missing or a body
// isn't, to the byte, what its writer had.
func Read(t testing.TB, provider, folder string) Set {
	t.Helper()
	if dir := os.Getenv("PROVIDER_VECTORS"); dir != "" {
		folder = filepath.Join(dir, provider)
	}
	var vectors struct {
		Provider string   `json:"provider"`
		Vectors  []Vector `json:"vectors"`
	}
	var set Set
	read(t, filepath.Join(folder, "vectors.json"), &vectors)
	read(t, filepath.Join(folder, "events.json"), &set.Events)
	read(t, filepath.Join(folder, "mapping.json"), &set.Mapping)
	if vectors.Provider != provider || len(vectors.Vectors) == 0 {
		t.Fatalf("%s holds no vectors of %s", folder, provider)
	}
	set.Vectors = vectors.Vectors
	for _, v := range set.Vectors {
		if sum := sha256.Sum256([]byte(v.Body)); hex.EncodeToString(sum[:]) != v.BodySHA256 {
			t.Fatalf("vector %s: the body was changed by reading it", v.ID)
		}
	}
	return set
}

func read(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func header(m map[string]string) http.Header {
	h := make(http.Header)
	for name, value := range m {
		h.Set(name, value)
	}
	return h
}
