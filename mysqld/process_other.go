//go:build !unix

package mysqld

import "syscall"

func attributes(bool) *syscall.SysProcAttr { return nil }
