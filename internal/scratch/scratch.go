// Package scratch knows where data goes that nobody needs after the test.
package scratch

import "os"

// memory is where Linux keeps files in memory.
const memory = "/dev/shm"

// Dir is a folder for temporary files, in memory where there is room for
// servers' data: it is written, read once and dropped, so that a disk would only
// be in the way.
func Dir() string {
	if roomy(memory) {
		return memory
	}
	return os.TempDir()
}
