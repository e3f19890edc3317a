package scratch

import "syscall"

// roomy reports whether dir exists and has room for a server's data; containers
// often give /dev/shm no more than 64 MB.
func roomy(dir string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(dir, &s) == nil && s.Bavail*uint64(s.Bsize) > 2<<30
}
