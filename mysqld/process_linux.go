package mysqld

import "syscall"

// attributes puts the server into a process group of its own, out of reach of
// the terminal's Ctrl-C, and has the kernel end it when the thread that started
// it ends: see process.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
