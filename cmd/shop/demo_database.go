package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"onceshop/config"
	"onceshop/database"
	"onceshop/mysqld"
)

// databaseServer is what a demo keeps its records in: a private server, or one that
// somebody else runs.
type databaseServer struct {
	name    string // for people
	shop    string // address of the shop's database
	sandbox string
	ended   <-chan struct{} // nil: not ours to watch
	stop    func() error
}

// database starts a private server below the data folder, unless SHOP_DATABASE_URL
// names one. The sandbox's records are kept apart, as somebody else's would be.
func (cmd *demoCommand) database(s *session) (databaseServer, error) {
	c, err := config.Load(s.environ)
	if err != nil {
		return databaseServer{}, err
	}
	if c.DatabaseURL != "" {
		return given(c)
	}
	private, err := mysqld.Start(s.ctx, mysqld.Config{Dir: filepath.Join(cmd.Data, "mysql")})
	if err != nil {
		return databaseServer{}, err
	}
	return databaseServer{
		name: private.Version() + ", private, in " + filepath.Join(cmd.Data, "mysql"),
		shop: private.DSN("shop"), sandbox: private.DSN("practice"), ended: private.Ended(),
		stop: func() error {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), stopDatabaseWithin)
			defer cancel()
			return private.Stop(ctx)
		},
	}, nil
}

// given is a server that the environment names. The sandbox's database lies beside
// the shop's. Its name is another one than before the sandbox stood in for several
// providers: what it keeps has another shape since, and the shop's orders are kept.
func given(c *config.Config) (databaseServer, error) {
	cfg, err := database.Config(c.DatabaseURL.Reveal())
	if err != nil {
		return databaseServer{}, err
	}
	if cfg.DBName == "" {
		cfg.DBName = "shop"
	}
	server := databaseServer{name: "the server that SHOP_DATABASE_URL names", shop: cfg.FormatDSN(), stop: func() error { return nil }}
	cfg.DBName += "_practice"
	server.sandbox = cfg.FormatDSN()
	if c.SandboxDatabaseURL != "" {
		server.sandbox = c.SandboxDatabaseURL.Reveal()
	}
	return server, nil
}

// forget removes what an earlier demo has kept. The databases of a server that
// isn't ours are for its owner to drop.
func (cmd *demoCommand) forget(s *session) error {
	c, err := config.Load(s.environ)
	if err != nil {
		return err
	}
	if c.DatabaseURL != "" {
		return errors.New("--reset doesn't drop databases of the server that SHOP_DATABASE_URL names; drop the shop's and the sandbox's there")
	}
	for _, name := range []string{"mysql", envName} {
		if err := os.RemoveAll(filepath.Join(cmd.Data, name)); err != nil {
			return fmt.Errorf("start over: %w", err)
		}
	}
	return nil
}
