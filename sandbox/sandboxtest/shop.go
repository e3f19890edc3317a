package sandboxtest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Shop receives what is delivered.
type Shop struct {
	URL string

	mu     sync.Mutex
	got    []Delivered
	answer func(Delivered) int
	body   string
}

// Delivered is one send.
type Delivered struct {
	Header http.Header
	Body   []byte
}

// Listen registers a shop for the events of a dialect.
func (b *Bench) Listen(dialect string, secrets ...string) *Shop {
	b.T.Helper()
	s := &Shop{answer: func(Delivered) int { return http.StatusOK }}
	server := httptest.NewServer(s)
	b.T.Cleanup(server.Close)
	s.URL = server.URL
	if _, err := b.AddEndpoint(b.T.Context(), dialect, s.URL, secrets...); err != nil {
		b.T.Fatal(err)
	}
	return s
}

// ServeHTTP records and answers.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body bytes.Buffer
	if _, err := body.ReadFrom(r.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d := Delivered{r.Header.Clone(), body.Bytes()}
	s.mu.Lock()
	s.got = append(s.got, d)
	answer, text := s.answer, s.body
	s.mu.Unlock()
	w.WriteHeader(answer(d))
	_, _ = io.WriteString(w, text) // the sender may be gone
}

// Always decides what the shop answers from now on.
func (s *Shop) Always(status int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer, s.body = func(Delivered) int { return status }, body
}

// Answers decides by what arrives.
func (s *Shop) Answers(status func(Delivered) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer, s.body = status, ""
}

// Take returns what has arrived since the last Take.
func (s *Shop) Take() []Delivered {
	s.mu.Lock()
	defer s.mu.Unlock()
	got := s.got
	s.got = nil
	return got
}
