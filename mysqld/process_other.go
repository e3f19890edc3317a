//go:build !unix

package mysqld

import "syscall"

func attributes() *syscall.SysProcAttr { return nil }
