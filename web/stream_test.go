package web_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"onceshop/license"
	"onceshop/shoptest"
)

// stream reads the events of an order's page.
type stream struct {
	t    *testing.T
	body io.ReadCloser
	scan *bufio.Scanner
}

func follow(t *testing.T, ctx context.Context, address string) *stream {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%s answers %d with %v", address, resp.StatusCode, resp.Header)
	}
	return &stream{t, resp.Body, bufio.NewScanner(resp.Body)}
}

// next waits for the next event and returns its name and data.
func (s *stream) next() (name, data string) {
	s.t.Helper()
	var lines []string
	for s.scan.Scan() {
		line := s.scan.Text()
		switch field, value, _ := strings.Cut(line, ": "); {
		case field == "event":
			name = value
		case field == "data":
			lines = append(lines, value)
		case line == "" && name != "":
			return name, strings.Join(lines, "\n")
		}
	}
	s.t.Fatalf("the stream ended: %v", s.scan.Err())
	return "", ""
}

// until waits for the first version of the order that says something.
func (s *stream) until(sentence string) (data string) {
	s.t.Helper()
	for {
		name, data := s.next()
		if name != "order" {
			s.t.Fatalf("an event named %q", name)
		}
		if strings.Contains(data, sentence) {
			return data
		}
	}
}

func TestTheStreamSendsTheOrderWheneverItChanges(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, id := s.Buy(1)
	live := follow(t, t.Context(), s.URL+pathOf(s, o.Number)+"/events")
	first := live.until("Waiting for payment") // drawn before the stream began, perhaps
	if strings.Contains(first, "<html") || !strings.HasPrefix(first, `<div class="order" data-order`) {
		t.Errorf("the stream sends more than the page's changing part: %.200s", first)
	}
	report(s, id, "payment.confirming", func(o *shoptest.Order) { o.Revision, o.PaymentStatus, o.Confirmations = "2", "confirming", 1 })
	live.until("1 confirmation so far")
	// An event that changes nothing is news as well: it stands in the history.
	if got := s.Deliver(shoptest.Event{ID: "late", Type: "payment.pending", Order: s.Platform.Order(id).With(func(o *shoptest.Order) { o.Revision = "1" })}); got.Status != http.StatusOK {
		t.Fatal(got)
	}
	s.Settle()
	live.until("A late event changed nothing.")
	report(s, id, "payment.paid", func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "3", "paid" })
	last := live.until("Delivered: your license is below")
	if key := license.Key(s.Keys.Secret, s.Licenses(o.ID)[0].ID); strings.Contains(last, key) {
		t.Error("the stream shows a key that nobody asked for")
	}
}

func TestTheStreamShowsWhatItsPageShows(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	o, _ := delivered(s)
	id := s.Licenses(o.ID)[0].ID
	page := parse(t, b.Get(pathOf(s, o.Number)+"?show="+id))
	live := follow(t, t.Context(), s.URL+page.Find("[data-events-url]").AttrOr("data-events-url", ""))
	live.until(license.Key(s.Keys.Secret, id))

	waiting, _ := s.Buy(1)
	page = parse(t, b.Get(pathOf(s, waiting.Number)+"?returned="+since(0)))
	live = follow(t, t.Context(), s.URL+page.Find("[data-events-url]").AttrOr("data-events-url", ""))
	live.until("Confirming your payment")
}

// That the handlers are gone is what TestMain looks for.
func TestTheStreamEndsWithTheServerAndWithTheReader(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, _ := s.Buy(1)
	address := s.URL + pathOf(s, o.Number) + "/events"
	ctx, leave := context.WithCancel(t.Context())
	left, stays := follow(t, ctx, address), follow(t, t.Context(), address)
	left.until("Waiting for payment")
	stays.until("Waiting for payment")

	leave()
	if _, err := io.ReadAll(left.body); !errors.Is(err, context.Canceled) {
		t.Errorf("who left reads on: %v", err)
	}
	s.Close()
	if _, err := io.ReadAll(stays.body); err != nil {
		t.Errorf("the stream broke instead of ending: %v", err)
	}
}

func TestAnUnknownOrderHasNoStream(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	page := s.Browser().Get("/orders/nobody/events")
	wantStatus(t, page, http.StatusNotFound)
	if !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
		t.Errorf("the answer is %s", page.Header.Get("Content-Type"))
	}
}
