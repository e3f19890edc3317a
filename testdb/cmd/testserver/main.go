// Command testserver runs the database server that all tests share.
//
//	testserver [-idle 60s]           until nobody has used it for that long
//	testserver -- go test ./...      for as long as the command runs; its exit code is the command's
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"onceshop/testdb/shared"
)

func main() {
	idle := flag.Duration("idle", time.Minute, "stop after this long without users")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code, err := run(ctx, *idle, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testserver:", err)
	}
	os.Exit(code)
}

func run(ctx context.Context, idle time.Duration, command []string) (code int, err error) {
	if len(command) > 0 && os.Getenv("SHOP_TEST_DATABASE_URL") != "" {
		return execute(ctx, command) // the tests have a server already
	}
	place, err := shared.Locate(os.Getenv("DB"))
	if err != nil {
		return 1, err
	}
	if len(command) > 0 {
		return around(ctx, place, command)
	}
	if err := place.Serve(ctx, idle); err != nil {
		return 1, err
	}
	return 0, nil
}

// around runs the command while the place's server runs, and stops the server
// after it unless somebody else still uses it.
func around(ctx context.Context, place shared.Place, command []string) (code int, err error) {
	use, err := place.Join()
	if err != nil {
		return 1, err
	}
	served := make(chan error, 1)
	go func() { served <- place.Serve(ctx, 0) }()
	serving, err := awaitReady(place, served)
	if err != nil {
		return 1, errors.Join(err, use.Leave())
	}
	code, err = execute(ctx, command)
	err = errors.Join(err, use.Leave())
	if serving {
		err = errors.Join(err, <-served)
	}
	if err != nil {
		return max(1, code), err
	}
	return code, nil
}

// awaitReady returns when the server answers: ours, or one that another process
// serves, for then ours returns at once.
func awaitReady(place shared.Place, served <-chan error) (ours bool, err error) {
	for {
		if _, ready := place.Address(); ready {
			return true, nil
		}
		select {
		case err := <-served:
			return false, err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// execute runs the command and returns its exit code.
func execute(ctx context.Context, command []string) (int, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit):
		return max(1, exit.ExitCode()), nil // a signal has no exit code
	default:
		return 1, err
	}
}
