package operations_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
	"onceshop/operations"
	"onceshop/store"
)

// weather decides whether the database can be reached.
type weather struct {
	driver.Connector
	away    atomic.Bool  // refuses at once
	hanging atomic.Bool  // never answers
	given   atomic.Int64 // how long it could have taken to answer when it didn't
}

func (w *weather) Connect(ctx context.Context) (driver.Conn, error) {
	if w.hanging.Load() {
		deadline, _ := ctx.Deadline()
		w.given.Store(int64(time.Until(deadline)))
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if w.away.Load() {
		return nil, errors.New("connect: refused")
	}
	return w.Connector.Connect(ctx)
}

// bundle is an instance's operations listener on a database with weather.
type bundle struct {
	*testing.T
	*weather
	pool  *sql.DB
	ready *operations.Readiness
	url   string
}

func setup(t *testing.T, dsn string, now func() time.Time, warnings ...operations.Warning) *bundle {
	t.Helper()
	cfg, err := database.Config(dsn)
	if err != nil {
		t.Fatal(err)
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{T: t, weather: &weather{Connector: connector}}
	if b.pool, err = database.OpenWith(t.Context(), b.weather); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.pool.Close() })
	b.pool.SetMaxIdleConns(-1) // every question connects anew and meets the weather
	db := store.New(b.pool)
	b.ready = operations.NewReadiness(db, now, warnings...)
	server := httptest.NewServer(operations.Handler(b.ready, operations.NewRegistry(db, slog.New(slog.DiscardHandler))))
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

func (b *bundle) get(path string) (int, string) {
	b.Helper()
	res, err := http.Get(b.url + path)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// shows checks that a scrape has these lines.
func (b *bundle) shows(lines ...string) {
	b.Helper()
	_, text := b.get("/metrics")
	for _, line := range lines {
		if !strings.Contains(text, line+"\n") {
			b.Errorf("no line %s", line)
		}
	}
}

// readyz returns the report, and holds the status to it.
func (b *bundle) readyz() operations.Report {
	b.Helper()
	status, body := b.get("/readyz")
	var report operations.Report
	if err := json.Unmarshal([]byte(body), &report); err != nil {
		b.Fatalf("%s: %v", body, err)
	}
	if report.Ready != (status == http.StatusOK) || report.Ready != (len(report.Reasons) == 0) {
		b.Fatalf("status %d with %s", status, body)
	}
	return report
}

func (b *bundle) exec(query string, args ...any) {
	b.Helper()
	if _, err := b.pool.ExecContext(b.Context(), query, args...); err != nil {
		b.Fatal(err)
	}
}
