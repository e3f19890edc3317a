package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os/user"
	"strings"

	"onceshop/config"
	"onceshop/database"
	"onceshop/store"
	"onceshop/store/db"
)

// session is what a command works with.
type session struct {
	ctx            context.Context
	environ        []string
	stdout, stderr io.Writer
}

// config reads the settings; whether they are enough is for the command to ask.
func (s *session) config() (*config.Config, error) { return config.Load(s.environ) }

// open reads the settings and connects to the shop's database. The caller closes
// the pool.
func (s *session) open() (*config.Config, *store.DB, error) {
	c, err := s.config()
	if err != nil {
		return nil, nil, err
	}
	if err := c.CheckDatabase(); err != nil {
		return nil, nil, err
	}
	pool, err := database.Open(s.ctx, c.DatabaseURL.Reveal())
	if err != nil {
		return nil, nil, err
	}
	return c, store.New(pool), nil
}

// withDB runs a command that needs nothing but the database.
func (s *session) withDB(do func(c *config.Config, d *store.DB) error) error {
	c, d, err := s.open()
	if err != nil {
		return err
	}
	return errors.Join(do(c, d), d.Pool().Close())
}

// findOrder turns the number that people use into the order.
func (s *session) findOrder(d *store.DB, number string) (db.Order, error) {
	o, err := d.FindOrderByNumber(s.ctx, strings.ToUpper(strings.TrimSpace(number)))
	if store.IsNotFound(err) {
		return o, fmt.Errorf("there is no order %s", number)
	}
	return o, err
}

// orderID is findOrder for a filter: no number, no id.
func (s *session) orderID(d *store.DB, number string) (string, error) {
	if number == "" {
		return "", nil
	}
	o, err := s.findOrder(d, number)
	return o.ID, err
}

// logger writes to standard error, where it doesn't mix with a command's answer.
func (s *session) logger(c *config.Config) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(s.stderr, options))
	}
	return slog.New(slog.NewTextHandler(s.stderr, options))
}

// actor is the flag of every command that changes something: the audit log wants
// a name.
type actor struct {
	As string `help:"Who does this, for the audit log. Default: the user of this machine." placeholder:"NAME"`
}

func (a actor) name() string {
	if a.As != "" {
		return a.As
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}
