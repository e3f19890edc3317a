package app_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"onceshop/app"
	"onceshop/payment"
	"onceshop/providers/stablein"
)

// running starts the whole shop and returns how it is stopped.
func running(w *world) (l app.Listeners, stop context.CancelFunc, ended <-chan error) {
	l = app.Listeners{Public: listener(w.T), Operations: listener(w.T)}
	ctx, stop := context.WithCancel(context.WithoutCancel(w.Context()))
	done := make(chan error, 1)
	go func() { done <- w.app.Run(ctx, l) }()
	w.Cleanup(stop)
	return l, stop, done
}

func wait[T any](t *testing.T, what string, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(5 * time.Minute): // far longer than any of it takes on a machine that has other work
		t.Fatal("waited in vain for " + what)
	}
	return value
}

func TestARequestThatIsBeingHandledGetsItsRealAnswerDuringTheStop(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	w := setup(t, app.Deps{Now: func() time.Time {
		if armed.CompareAndSwap(true, false) { // the webhook asks for the time before it verifies
			close(entered)
			<-release
		}
		return time.Now()
	}})
	l, stop, ended := running(w)
	operations := "http://" + l.Operations.Addr().String()
	if got := get(t, operations+"/readyz"); got.status != http.StatusOK {
		t.Fatalf("before the stop: %d %s", got.status, got.body)
	}

	armed.Store(true)
	answered := make(chan int, 1)
	go func() { answered <- post(t, "http://"+l.Public.Addr().String()+"/webhooks/stablein", "evt-in-flight") }()
	wait(t, "the webhook", entered)
	stop()
	wait(t, "the stop", w.app.Closing())
	if got := get(t, operations+"/readyz"); got.status != http.StatusServiceUnavailable || !strings.Contains(got.body, "shutting down") {
		t.Errorf("during the stop: %d %s", got.status, got.body)
	}
	if got := get(t, operations+"/livez"); got.status != http.StatusOK {
		t.Errorf("livez during the stop: %d", got.status)
	}
	close(release)
	if status := wait(t, "the answer", answered); status != http.StatusOK {
		t.Errorf("the webhook was answered %d", status)
	}
	if err := wait(t, "the end", ended); err != nil {
		t.Error(err)
	}
	event, err := w.app.DB.FindEvent(t.Context(), stablein.Name, "evt-in-flight")
	// A pass that had begun before the stop may still take the event; then it has
	// finished it. Nothing is left half done.
	if err != nil || event.Status != "pending" && event.Status != "done" {
		t.Errorf("the event is %q (%v); want it stored, and waiting or done", event.Status, err)
	}
}

func TestWorkThatRunsIsFinishedDuringTheStop(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	transport := roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet && armed.CompareAndSwap(true, false) {
			close(entered)
			<-release
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	w := setup(t, app.Deps{HTTP: &http.Client{Transport: transport}})
	order, ref := w.order()
	w.act(ref, "pay", "")
	armed.Store(true)
	_, stop, ended := running(w)
	w.deliver() // to the other server of the same shop; its inbox is the running one
	wait(t, "the processor's question", entered)
	stop()
	wait(t, "the stop", w.app.Closing())
	close(release)
	if err := wait(t, "the end", ended); err != nil {
		t.Fatal(err)
	}
	if o := w.now(order.ID); o.PaymentStatus != payment.Paid {
		t.Errorf("the order is %s; the event that was being processed should have been finished", o.PaymentStatus)
	}
}

func TestSignalsCarryAPurchaseFromWebhookToMail(t *testing.T) {
	t.Parallel()
	w := setup(t, app.Deps{})
	_, stop, ended := running(w)
	_, ref := w.order()
	w.act(ref, "pay", "")
	w.deliver()
	for mails := 0; mails == 0; {
		list, err := w.app.DB.ListMails(t.Context(), 10)
		if err != nil {
			t.Fatal(err)
		}
		mails = len(list)
	}
	stop()
	if err := wait(t, "the end", ended); err != nil {
		t.Error(err)
	}
}

func TestAPartThatEndsByItselfStopsTheShop(t *testing.T) {
	t.Parallel()
	w := setup(t, app.Deps{})
	l, _, ended := running(w)
	get(t, "http://"+l.Public.Addr().String()+"/")
	if err := l.Public.Close(); err != nil {
		t.Fatal(err)
	}
	if err := wait(t, "the end", ended); err == nil || !strings.Contains(err.Error(), "serve "+l.Public.Addr().String()) {
		t.Errorf("ended with %v", err)
	}
	// Asking its port could meet another test's server, which got the port since.
	if err := l.Operations.(*net.TCPListener).SetDeadline(time.Time{}); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the operations listener is still open: %v", err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// post sends a correctly signed event about a payment that nobody knows.
func post(t *testing.T, url, id string) int {
	body := []byte(`{"id":"` + id + `","type":"payment.pending","order":{"id":"` + uuid.NewString() + `","paymentStatus":"pending","refundStatus":"none",` +
		`"amount":"1","refundedAmount":"0","currency":"USDC","revision":"1","fulfillmentDecision":"allow",` +
		`"merchantRisk":{"serviceStatus":"enabled","chainEnforcement":"allowed"}}}`)
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(string(body)))
	if err != nil {
		t.Error(err)
		return 0
	}
	now := time.Now().Unix()
	r.Header.Set(stablein.EventIDHeader, id)
	r.Header.Set(stablein.TimestampHeader, strconv.FormatInt(now, 10))
	r.Header.Set(stablein.SignatureHeader, stablein.Sign(webhookSecret, now, body))
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}
