//go:build unix

package flock

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
)

// Exclusive takes the lock for one holder alone, or reports false at once.
func Exclusive(file *os.File) (bool, error) { return try(file, syscall.LOCK_EX|syscall.LOCK_NB) }

// Shared takes the lock beside other sharers, or reports false at once.
func Shared(file *os.File) (bool, error) { return try(file, syscall.LOCK_SH|syscall.LOCK_NB) }

// Free gives the lock back before the file is closed.
func Free(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

func try(file *os.File, how int) (bool, error) {
	err := syscall.Flock(int(file.Fd()), how)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// Alive reports whether a process of that number is running. One that has ended
// and only waits for its parent to look isn't.
func Alive(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && !defunct(pid)
}

// defunct asks where Linux tells; elsewhere the answer is no.
func defunct(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := bytes.Cut(stat, []byte(") ")) // the name before it may hold anything
	return len(state) > 0 && state[0] == 'Z'
}
