package mysqld

import (
	"io"
	"os"
	"os/exec"
	"runtime"
)

// process is a running child that holds the folder's lock.
type process struct {
	*os.Process
	ended chan struct{} // closed when the child is gone and err is set
	err   error
}

// run starts the program. Linux ends the child when the *thread* that started
// it ends, so the child's own goroutine keeps that thread until it has waited.
func run(program string, args []string, disposable bool, input io.Reader, lock *os.File, output io.Writer) (*process, error) {
	cmd := exec.Command(program, args...)
	cmd.Stdin = input
	cmd.Stdout, cmd.Stderr = output, output
	cmd.ExtraFiles = []*os.File{lock}
	cmd.SysProcAttr = attributes(disposable)
	p := &process{ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = cmd.Wait()
			close(p.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	p.Process = cmd.Process
	return p, nil
}
