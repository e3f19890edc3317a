package mysqld

import "syscall"

// attributes puts the server into a process group of its own, out of reach of
// the terminal's Ctrl-C, and has the kernel end it when the thread that started
// it ends: see process. What is disposable is killed: it could find its folder swept
// away while it shuts down, and InnoDB then complains for ever.
func attributes(disposable bool) *syscall.SysProcAttr {
	end := syscall.SIGTERM
	if disposable {
		end = syscall.SIGKILL
	}
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: end}
}
