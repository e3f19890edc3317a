package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// stopWithin is when a program that was asked to stop ends whatever holds it: later
// than every orderly stop takes, earlier than platforms lose patience.
const stopWithin = 50 * time.Second

func main() {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		stop()
		select {
		case <-signals: // somebody insists
		case <-time.After(stopWithin):
		}
		os.Exit(1)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}
