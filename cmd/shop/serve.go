package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"onceshop/app"
	"onceshop/config"
)

type serveCommand struct {
	Roles []string `help:"What this instance does: web, inbox, worker, mail, reconcile. Default: SHOP_ROLES." placeholder:"ROLE"`
}

// Run checks everything first, then listens, then says where.
func (cmd *serveCommand) Run(s *session) (err error) {
	c, err := s.config()
	if err != nil {
		return err
	}
	if len(cmd.Roles) > 0 {
		c.Roles = cmd.Roles
	}
	a, err := app.New(s.ctx, c, app.Deps{Log: s.logger(c), Version: version()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	l, err := listen(s.ctx, c)
	if err != nil {
		return err
	}
	if l.Public != nil {
		fmt.Fprintf(s.stdout, "shop on http://%s\n", l.Public.Addr())
	}
	fmt.Fprintf(s.stdout, "operations on http://%s\nroles %s\n", l.Operations.Addr(), strings.Join(c.Roles, ","))
	return a.Run(s.ctx, l)
}

// listen opens both listeners or neither. An instance without pages and webhooks
// has nothing to show to the public.
func listen(ctx context.Context, c *config.Config) (l app.Listeners, err error) {
	if l.Operations, err = listenOn(ctx, c.OperationsListen); err != nil {
		return l, err
	}
	if c.Has(config.RoleWeb) || c.Has(config.RoleInbox) {
		if l.Public, err = listenOn(ctx, c.Listen); err != nil {
			return l, errors.Join(err, l.Operations.Close())
		}
	}
	return l, nil
}

func listenOn(ctx context.Context, address string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("can't listen on %s: %w", address, cause(err))
	}
	return l, nil
}

// cause leaves out what net's errors repeat of the address.
func cause(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Err
	}
	return err
}
