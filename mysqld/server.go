package mysqld

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/go-sql-driver/mysql"
)

// startWait bounds a start whose context has no end; InnoDB's recovery of a
// large crashed folder may need minutes.
const startWait = 5 * time.Minute

// Config says where a server lives and how careful it is.
type Config struct {
	Dir      string   // everything of this server: data, log, socket, lock
	Volatile bool     // for tests: no flushes, no binary log; a crash may lose data
	Args     []string // further options of mysqld
	Binary   Binary   // zero: Find, and the kind that Dir already holds
}

// Server is a running private server.
type Server struct {
	binary  Binary
	folder  *folder
	process *process
	closing func() error // gives the folder back, once
}

// Start starts a server in cfg.Dir and returns when it answers. The folder is
// made and initialised if need be.
func Start(ctx context.Context, cfg Config) (*Server, error) {
	f, err := open(ctx, cfg.Dir)
	if err != nil {
		return nil, err
	}
	s, err := f.start(ctx, cfg)
	if err != nil {
		return nil, errors.Join(err, f.close())
	}
	return s, nil
}

func (f *folder) start(ctx context.Context, cfg Config) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, startWait)
	defer cancel()
	binary := cfg.Binary
	if binary.Path == "" {
		var err error
		if binary, err = f.find(ctx); err != nil {
			return nil, err
		}
	}
	if err := f.initialise(ctx, binary); err != nil {
		return nil, err
	}
	log, err := f.openLog()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	since, _ := log.Seek(0, 2)
	p, err := run(binary.Path, f.args(cfg, binary), cfg.Volatile, nil, f.lock, log)
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", binary.Path, err)
	}
	s := &Server{binary: binary, folder: f, process: p, closing: sync.OnceValue(f.close)}
	if err := errors.Join(f.writeHolder(p.Pid), s.awaitReady(ctx)); err != nil {
		_ = p.Kill()
		<-p.ended
		return nil, fmt.Errorf("start %s %s: %w\n%s", binary.Kind(), binary.Version, err, f.logTail(since))
	}
	return s, nil
}

// find prefers the kind of server whose data the folder already holds.
func (f *folder) find(ctx context.Context) (Binary, error) {
	if kind, _ := contents(f.data()); kind == "MariaDB" {
		if b, err := find(ctx, "mariadb"); err == nil {
			return b, nil
		}
	}
	return Find(ctx)
}

func (f *folder) args(cfg Config, b Binary) []string {
	args := []string{
		"--no-defaults",
		"--datadir=" + f.data(),
		"--socket=" + f.socket,
		"--pid-file=" + f.pid(),
		"--skip-networking",
		"--character-set-server=utf8mb4",
		"--default-time-zone=+00:00",
	}
	args = append(args, f.common()...)
	if !b.MariaDB {
		args = append(args, "--mysqlx=OFF", "--secure-file-priv=NULL")
	}
	if cfg.Volatile {
		args = append(args,
			"--skip-log-bin",
			"--innodb-flush-log-at-trx-commit=0",
			"--innodb-doublewrite=OFF",
			"--sync-binlog=0",
			"--performance-schema=OFF",
		)
	}
	return append(args, cfg.Args...)
}

// awaitReady returns when the server answers, or has ended instead.
func (s *Server) awaitReady(ctx context.Context) error {
	cfg := s.config("")
	cfg.Logger = new(mysql.NopLogger) // that nobody answers yet is no news
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for {
		if err := db.PingContext(ctx); err == nil {
			return nil
		}
		select {
		case <-s.process.ended:
			return fmt.Errorf("the server ended: %w", s.process.err)
		case <-ctx.Done():
			return fmt.Errorf("no answer yet: %w", ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// DSN is the address of a database of this server, in the driver's format.
func (s *Server) DSN(database string) string { return s.config(database).FormatDSN() }

func (s *Server) config(database string) *mysql.Config {
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr, cfg.DBName = "root", "unix", s.folder.socket, database
	return cfg
}

// Create makes the database unless it exists.
func (s *Server) Create(ctx context.Context, database string) error {
	db, err := sql.Open("mysql", s.DSN(""))
	if err != nil {
		return err
	}
	defer db.Close()
	name := "`" + strings.ReplaceAll(database, "`", "``") + "`"
	_, err = db.ExecContext(ctx, "CREATE DATABASE IF NOT EXISTS "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	return err
}

// Socket is the path of the server's Unix socket.
func (s *Server) Socket() string { return s.folder.socket }

// Version tells the server's kind and version: "MySQL 9.7.4".
func (s *Server) Version() string { return s.binary.Kind() + " " + s.binary.Version }

// Ended is closed when the server is gone, whoever ended it.
func (s *Server) Ended() <-chan struct{} { return s.process.ended }

// Stop shuts the server down and waits for it. If ctx ends first, the server is
// killed; it recovers at its next start. A second Stop does nothing.
func (s *Server) Stop(ctx context.Context) error {
	select {
	case <-s.process.ended: // was stopped, or died by itself
	default:
		_ = s.process.Signal(syscall.SIGTERM) // an error means it ended just now
	}
	var err error
	select {
	case <-s.process.ended:
	case <-ctx.Done():
		_ = s.process.Kill()
		<-s.process.ended
		err = fmt.Errorf("the database server had to be killed: %w", ctx.Err())
	}
	return errors.Join(err, s.closing())
}
