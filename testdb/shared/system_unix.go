//go:build unix

package shared

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Detach lets cmd outlive this process and its terminal's signals.
func Detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// checkOwner refuses a folder that somebody else prepared in a place where all
// may write.
func checkOwner(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || int(stat.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is not a private folder of ours; remove it", dir)
	}
	return nil
}
