package shoptest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"onceshop/providers/stablein"
)

// Event is a notification in StableIn's form. An empty id is made up.
type Event struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Order Order  `json:"order"`
}

// Answer is what the webhook route answered.
type Answer struct {
	Status int
	Header http.Header
	Body   string
}

// Signed returns a request as StableIn sends it: body signed with secret at Clock.
func Signed(url, eventID, secret string, body []byte) *http.Request {
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		panic(err) // the test's own address
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("StableIn-Event-Id", eventID)
	r.Header.Set("StableIn-Timestamp", strconv.Itoa(Clock))
	r.Header.Set("StableIn-Signature", stablein.Sign(secret, Clock, body))
	return r
}

// URL is the webhook's address.
func (s *Shop) URL() string { return s.Server.URL + "/webhooks/" + stablein.Name }

// Encode gives the event an id if it has none, and its bytes.
func (e *Event) Encode() []byte {
	if e.ID == "" {
		e.ID = uuid.NewString()
	}
	e.Order = e.Order.filled()
	body, err := json.Marshal(e)
	if err != nil {
		panic(err) // an Event always encodes
	}
	return body
}

// Deliver sends a correctly signed event over HTTP.
func (s *Shop) Deliver(e Event) Answer {
	s.Helper()
	body := e.Encode()
	return s.Do(Signed(s.URL(), e.ID, Secret, body))
}

// Do sends a request to the shop and reads the answer.
func (s *Shop) Do(r *http.Request) Answer {
	s.Helper()
	resp, err := s.Server.Client().Do(r)
	if err != nil {
		s.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		return Answer{}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	return Answer{resp.StatusCode, resp.Header, string(body)}
}

// Report sets the platform's record and delivers the event that tells of it.
func (s *Shop) Report(eventType string, o Order) Answer {
	s.Helper()
	return s.Deliver(Event{Type: eventType, Order: s.Platform.Set(o)})
}
