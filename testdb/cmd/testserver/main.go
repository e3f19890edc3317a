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
		code = 1
	}
	os.Exit(code)
}

func run(ctx context.Context, idle time.Duration, command []string) (int, error) {
	place, err := shared.Locate(os.Getenv("DB"))
	if err != nil {
		return 1, err
	}
	if len(command) == 0 {
		return 0, place.Serve(ctx, idle)
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	use, err := place.Join()
	if err != nil {
		return 1, err
	}
	served := make(chan error, 1)
	go func() { served <- place.Serve(ctx, 0) }() // ends once we and the tests have left
	for {
		if _, ready := place.Address(); ready {
			break
		}
		select {
		case err := <-served:
			if err != nil {
				return 1, err
			}
			served <- nil // another process serves
		case <-time.After(20 * time.Millisecond):
		}
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	failure := cmd.Run()
	if err := errors.Join(use.Leave(), <-served); err != nil {
		return 1, err
	}
	var exit *exec.ExitError
	if errors.As(failure, &exit) {
		return max(1, exit.ExitCode()), nil
	}
	return 0, failure
}
