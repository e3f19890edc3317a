package testdb

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"onceshop/database"
	"onceshop/testdb/shared"
)

// startWait allows for fetching a server over a slow line.
const startWait = 10 * time.Minute

// server is a process's view of the server all tests share.
type server struct {
	cfg *mysql.Config
	db  *sql.DB // several statements at once, no database chosen
	use *shared.Use

	mu      sync.Mutex
	scripts map[string]string // by hash of the migrations
}

// dsn is the address of one database.
func (s *server) dsn(name string) string {
	cfg := s.cfg.Clone()
	cfg.DBName = name
	return cfg.FormatDSN()
}

// connect finds the shared server or starts it.
func connect(ctx context.Context) (*server, error) {
	s := &server{scripts: map[string]string{}}
	address := os.Getenv("SHOP_TEST_DATABASE_URL")
	if address == "" {
		var err error
		if s.use, address, err = join(ctx); err != nil {
			return nil, err
		}
	}
	var err error
	if s.cfg, err = parse(address); err != nil {
		return nil, err
	}
	admin := s.cfg.Clone()
	admin.DBName = ""
	admin.MultiStatements = true
	connector, err := mysql.NewConnector(admin)
	if err != nil {
		return nil, err
	}
	s.db = sql.OpenDB(connector)
	s.db.SetMaxOpenConns(8)
	if err := s.db.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("no answer from %s: %w", admin.Addr, err)
	}
	return s, nil
}

func parse(address string) (*mysql.Config, error) {
	if strings.HasPrefix(address, "mysql://") {
		return database.Config(address)
	}
	return mysql.ParseDSN(address)
}

// join registers this process as a user of the shared server, until it ends,
// and starts the server if nobody has.
func join(ctx context.Context) (*shared.Use, string, error) {
	place, err := shared.Locate(os.Getenv("DB"))
	if err != nil {
		return nil, "", err
	}
	use, err := place.Join()
	if err != nil {
		return nil, "", err
	}
	if address, ok := place.Address(); ok {
		return use, address, nil
	}
	cmd, output, err := launch(place)
	if err != nil {
		return nil, "", err
	}
	defer os.Remove(output)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // ends with the server, or with this process
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	for {
		if address, ok := place.Address(); ok {
			return use, address, nil
		}
		select {
		case err := <-ended: // nil: another process's server has won the race
			if err != nil {
				text, _ := os.ReadFile(output)
				return nil, "", fmt.Errorf("the test server didn't start: %w\n%s", err, text)
			}
		case <-ctx.Done():
			return nil, "", fmt.Errorf("the test server at %s gives no answer: %w", place.Dir, ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// launch runs the test server as a process that outlives this one. It must not
// hold this one's output, or `go test` would wait for it: it writes to a file.
func launch(place shared.Place) (*exec.Cmd, string, error) {
	output, err := os.CreateTemp(place.Dir, "testserver-*.log")
	if err != nil {
		return nil, "", err
	}
	defer output.Close()
	cmd := exec.Command("go", "run", "onceshop/testdb/cmd/testserver")
	cmd.Stdout, cmd.Stderr = output, output
	shared.Detach(cmd)
	if err := cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("start a test server: %w (or name one in SHOP_TEST_DATABASE_URL)", err)
	}
	return cmd, output.Name(), nil
}
