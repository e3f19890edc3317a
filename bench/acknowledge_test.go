package bench

import (
	"bytes"
	"crypto/rand"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"onceshop/providers/stablein"
	"onceshop/shoptest"
)

// The two sides take turns, so that a noisy moment of the machine meets both.
const (
	turn  = 1500 * time.Millisecond
	turns = 6
)

func BenchmarkAcknowledge(b *testing.B) {
	pool, scripts := durable(b)
	_, err := pool.Exec(`CREATE TABLE plain (id VARBINARY(255) NOT NULL PRIMARY KEY, hash BINARY(32) NOT NULL, body MEDIUMBLOB NOT NULL) ENGINE = InnoDB`)
	if err != nil {
		b.Fatal(err)
	}
	s := shoptest.New(b, shoptest.Options{Pool: pool, Scripts: scripts})
	for _, senders := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("senders=%d", senders), func(b *testing.B) {
			client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}
			defer client.CloseIdleConnections()
			// As many connections as senders, on both sides.
			pool.SetMaxOpenConns(senders + 4)
			pool.SetMaxIdleConns(senders + 4)
			var acks, inserts float64
			for b.Loop() {
				for range turns {
					acks += perSecond(b, senders, func() error { return acknowledge(client, s.URL()) })
					inserts += perSecond(b, senders, func() error { return insert(pool) })
				}
			}
			runs := float64(turns * b.N)
			b.ReportMetric(acks/runs, "acks/s")
			b.ReportMetric(inserts/runs, "inserts/s")
			b.ReportMetric(acks/inserts, "ratio")
			b.ReportMetric(0, "ns/op") // the turns' length: says nothing
		})
	}
}

// perSecond runs f from n goroutines for one turn.
func perSecond(b *testing.B, n int, f func() error) float64 {
	var done atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for range n {
		wg.Go(func() {
			for time.Since(start) < turn {
				if err := f(); err != nil {
					b.Error(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return float64(done.Load()) / time.Since(start).Seconds()
}

// event is a notification as providers send it, of some 400 bytes.
func event() (id string, body []byte) {
	e := shoptest.Event{Type: "payment.paid", Order: shoptest.Order{ID: uuid.NewString(), Revision: "2", PaymentStatus: "paid"}}
	body = e.Encode()
	return e.ID, body
}

func acknowledge(client *http.Client, url string) error {
	id, body := event()
	resp, err := client.Do(shoptest.Signed(url, id, shoptest.Secret, body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %d", stablein.Name, resp.StatusCode)
	}
	return nil
}

func insert(pool *sql.DB) error {
	id, body := event()
	hash := make([]byte, 32)
	_, _ = rand.Read(hash) // never fails
	_, err := pool.Exec("INSERT INTO plain (id, hash, body) VALUES (?, ?, ?)", id, hash, bytes.Clone(body))
	return err
}
