package webhooks_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"onceshop/shoptest"
)

func TestLargeBodiesShareABoundedMemory(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	large := func(body io.Reader) int {
		r := httptest.NewRequest(http.MethodPost, "/webhooks/stablein", body)
		r.ContentLength = 1 << 20
		w := httptest.NewRecorder()
		s.Handler.ServeHTTP(w, r)
		return w.Code
	}
	// Fifty senders hold their bodies back; the pipes tell which are being read.
	var sending sync.WaitGroup
	answers := make(chan int, 50)
	var pipes []*io.PipeWriter
	for range 50 {
		from, to := io.Pipe()
		pipes = append(pipes, to)
		sending.Go(func() { answers <- large(from) })
	}
	refused := []int{<-answers, <-answers} // beyond the 48 that may be received at once
	for _, code := range refused {
		if code != http.StatusServiceUnavailable {
			t.Errorf("one large body too many is answered %d, want 503", code)
		}
	}
	if a := s.Do(shoptest.Signed(s.URL(), "x", shoptest.Secret, []byte(`{"id":"x"}`))); a.Status != 200 {
		t.Errorf("meanwhile a small event is answered %d", a.Status)
	}
	for _, p := range pipes {
		p.Close()
	}
	sending.Wait()
	for range 48 {
		if code := <-answers; code != http.StatusUnauthorized {
			t.Errorf("answer %d, want 401", code)
		}
	}
}

func TestManyLargeEventsAtOnceAreAllStored(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	// Bytes that have to be escaped double on their way to the server.
	padding := strings.Repeat(`\"`, 450_000)
	shoptest.Together(20, func(i int) {
		id := fmt.Sprintf("large-%d", i)
		body := []byte(`{"id":"` + id + `","type":"payment.paid","padding":"` + padding + `"}`)
		var a shoptest.Answer
		for range 20 { // a machine too slow for all at once is asked again, as a provider does
			if a = s.Do(shoptest.Signed(s.URL(), id, shoptest.Secret, body)); a.Status != http.StatusServiceUnavailable {
				break
			}
		}
		if a.Status != http.StatusOK {
			t.Errorf("%s: %d %s", id, a.Status, a.Body)
		}
	})
	if n := s.Count("SELECT COUNT(*) FROM shop_event_payloads WHERE OCTET_LENGTH(body) > 900000"); n != 20 {
		t.Errorf("%d bodies stored whole, want 20", n)
	}
}
