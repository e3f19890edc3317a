//go:build unix && !linux

package mysqld

import "syscall"

func attributes(bool) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
