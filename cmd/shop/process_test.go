package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a program may take to do what a test waits for: far more than
// it takes, on a machine that has other work.
const patience = 5 * time.Minute

// process is the program in a process of its own.
type process struct {
	*exec.Cmd
	stdout, stderr output
	ended          chan struct{}
}

// start runs the program; it is killed when the test ends before it does.
func start(t *testing.T, environ []string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...), ended: make(chan struct{})}
	p.Env = append(append(inherited(), asProgram+"=1"), environ...)
	p.Stdout, p.Stderr = &p.stdout, &p.stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(p.ended)
		_ = p.Wait() // ProcessState has it all
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		<-p.ended
	})
	return p
}

// inherited is what a child needs of our environment, without settings of a shop.
func inherited() []string {
	var kept []string
	for _, line := range os.Environ() {
		if !strings.HasPrefix(line, "SHOP_") {
			kept = append(kept, line)
		}
	}
	return kept
}

// says waits until the program has printed a line that begins so, and returns the
// rest of it.
func (p *process) says(t *testing.T, prefix string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		text, changed := p.stdout.read()
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), prefix); ok && strings.HasSuffix(line, "\n") {
				return strings.TrimSpace(rest)
			}
		}
		select {
		case <-changed:
		case <-p.ended:
			if now, _ := p.stdout.read(); now == text {
				t.Fatalf("ended without %q: %s\n%s", prefix, text, p.stderr.String())
			}
		case <-ctx.Done():
			t.Fatalf("waited in vain for %q: %s\n%s", prefix, text, p.stderr.String())
		}
	}
}

// logs waits until the program's log has a word.
func (p *process) logs(t *testing.T, word string) {
	t.Helper()
	for {
		text, changed := p.stderr.read()
		if strings.Contains(text, word) {
			return
		}
		select {
		case <-changed:
		case <-p.ended:
			if p.stderr.String() == text {
				t.Fatalf("ended without %q: %s", word, text)
			}
		}
	}
}

// exits waits for the end and returns the exit code.
func (p *process) exits(t *testing.T) int {
	t.Helper()
	select {
	case <-p.ended:
		return p.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatalf("still running\n%s%s", p.stdout.String(), p.stderr.String())
		return 0
	}
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// output collects what a process prints and tells of every change.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
	return o.text.Write(b)
}

func (o *output) read() (string, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changed == nil {
		o.changed = make(chan struct{})
	}
	return o.text.String(), o.changed
}

func (o *output) String() string {
	text, _ := o.read()
	return text
}
