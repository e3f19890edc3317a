package crashtest_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
	"onceshop/payment"
	"onceshop/providers/stablein"
	"onceshop/shoptest"
	"onceshop/store"
	"onceshop/webhooks"
)

// paidEvent is the event of a payment, as bytes that can be sent again and again.
func paidEvent(s *shoptest.Shop, ref string) (send func() shoptest.Answer) {
	s.Helper()
	e := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(shoptest.Order{ID: ref, Revision: "2", PaymentStatus: "paid"})}
	body := e.Encode()
	return func() shoptest.Answer { return s.Do(shoptest.Signed(s.URL(), e.ID, shoptest.Secret, body)) }
}

// sold demands that an order was paid and delivered once.
func sold(s *shoptest.Shop, orderID string) {
	s.Helper()
	o, licenses := s.Order(orderID), s.Licenses(orderID)
	if o.PaymentStatus != payment.Paid || o.FulfillmentStatus != store.DeliveryDone || len(licenses) != 1 || o.Revision != 3 {
		s.Errorf("order is %s, %s with %d licenses at revision %d", o.PaymentStatus, o.FulfillmentStatus, len(licenses), o.Revision)
	}
}

func nothingStored(s *shoptest.Shop) {
	s.Helper()
	if n := s.Count("SELECT (SELECT COUNT(*) FROM shop_events) + (SELECT COUNT(*) FROM shop_event_payloads)"); n != 0 {
		s.Errorf("%d rows of an event that was refused", n)
	}
}

func TestAReadOnlyDatabaseAcknowledgesNothing(t *testing.T) {
	t.Parallel()
	server := newPrivateServer(t)
	server.start()
	dsn := server.migrated("shop")
	root, err := database.Open(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	admin := func(statement string) {
		t.Helper()
		if _, err := root.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	// A user like a shop's own: a server's root may write to a read-only one.
	admin("CREATE USER shop@localhost IDENTIFIED BY 'practice'")
	admin("GRANT ALL ON shop.* TO shop@localhost")
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		t.Fatal(err)
	}
	cfg.User, cfg.Passwd = "shop", "practice"

	s := shoptest.New(t, shoptest.Options{Pool: shoptest.NewFaulty(t, cfg.FormatDSN()).Open(t)})
	order, ref := s.Buy(1)
	send := paidEvent(s, ref)
	admin("SET GLOBAL read_only = ON")
	refusedForNow(t, send)
	nothingStored(s)
	admin("SET GLOBAL read_only = OFF")
	acknowledged(t, send())
	s.Settle()
	sold(s, order.ID)
}

func TestALockedRowIsAnsweredInTime(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	send := paidEvent(s, ref)
	acknowledged(t, send())
	before := dump(t, s.DB.Pool())

	locker, err := s.DB.Pool().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = locker.Rollback() }()
	if _, err := locker.ExecContext(t.Context(), "SELECT * FROM shop_events FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	refusedForNow(t, send)
	same(t, before, dump(t, s.DB.Pool()))
	if err := locker.Rollback(); err != nil {
		t.Fatal(err)
	}
	acknowledged(t, send())
	s.Settle()
	sold(s, order.ID)
}

func TestAServerThatRefusesToWriteIsAskedAgainLater(t *testing.T) {
	t.Parallel()
	clean := &schemas{owner: t}
	for number, what := range map[uint16]string{
		1021: "disk full", 1026: "write error", 1040: "too many connections", 1047: "node not in the cluster",
		1053: "shutting down", 1114: "table full", 1205: "lock wait", 1290: "read-only", 1317: "query killed", 1836: "read-only node", 3101: "certification",
	} {
		t.Run(fmt.Sprintf("%d %s", number, what), func(t *testing.T) {
			t.Parallel()
			faulty := shoptest.NewFaulty(t, clean.lend(t))
			s := shoptest.New(t, shoptest.Options{Pool: faulty.Open(t)})
			order, ref := s.Buy(1)
			send := paidEvent(s, ref)
			faulty.Watch(func(st shoptest.Statement) {
				if st.Text == "begin" { // each attempt of the transaction, however many
					faulty.Arm(shoptest.Fault{At: 2, How: shoptest.Refused, Number: number})
				}
			})
			refusedForNow(t, send)
			faulty.Watch(nil)
			faulty.Mend()
			nothingStored(s)
			acknowledged(t, send())
			s.Settle()
			sold(s, order.ID)
		})
	}
}

func TestAnInboxThatIsFullAsksForLater(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t, shoptest.Options{NoInbox: true}) // nobody empties it
	order, ref := s.Buy(1)
	send := paidEvent(s, ref)
	gone, hangUp := context.WithCancel(t.Context())
	hangUp()
	waiting := 0
	for ; ; waiting++ {
		_, err := s.Inbox.Store(gone, []store.Received{{Event: payment.Event{Provider: stablein.Name, ID: fmt.Sprint("event-", waiting)}, Body: []byte("{}"), Copies: 1}})
		if errors.Is(err, webhooks.ErrFull) {
			break
		}
		if !errors.Is(err, context.Canceled) || waiting > 1<<20 {
			t.Fatalf("after %d: %v", waiting, err)
		}
	}
	if waiting < 100 {
		t.Errorf("full with %d events", waiting)
	}
	began := time.Now()
	refusedForNow(t, send)
	if took := time.Since(began); took > 7*time.Second { // a request that waits does so for 8 s
		t.Errorf("refused after %v; there is nothing to wait for", took)
	}
	nothingStored(s)

	// Whoever hung up while waiting is stored all the same once somebody writes; an
	// inbox that was told to stop still empties what it holds.
	s.Inbox.Run(gone)
	if n := s.Count("SELECT COUNT(*) FROM shop_events"); n != waiting {
		t.Errorf("%d events, want %d", n, waiting)
	}
	s.Exec("UPDATE shop_events SET status = 'done', verdict = 'ignored'")
	running, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); s.Inbox.Run(running) }()
	t.Cleanup(func() { stop(); <-ended })
	acknowledged(t, send())
	s.Settle()
	sold(s, order.ID)
}

func TestAPanicIsNoAcknowledgementAndTheNextRequestIsFine(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t)
	order, ref := s.Buy(1)
	send := paidEvent(s, ref)
	s.Handler.Providers[stablein.Name] = &panicsOnce{Verifier: s.Adapter}
	if a := send(); a.Status != http.StatusInternalServerError {
		t.Errorf("answer %d %s, want 500", a.Status, a.Body)
	}
	nothingStored(s)
	acknowledged(t, send())
	s.Settle()
	sold(s, order.ID)
}

// panicsOnce has a fault that shows in the first request.
type panicsOnce struct {
	payment.Verifier
	panicked atomic.Bool
}

func (p *panicsOnce) Verify(h http.Header, raw []byte, now time.Time) (string, error) {
	if p.panicked.CompareAndSwap(false, true) {
		panic("verifier: " + string(raw[:4]))
	}
	return p.Verifier.Verify(h, raw, now)
}
