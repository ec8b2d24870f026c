//go:build unix

package follow

import (
	"os"
	"runtime"
	"syscall"
)

func defaultWatches() int {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &r); err != nil {
		return maxWatches
	}
	return int(max(min(uint64(r.Cur)/2, maxWatches), 1))
}

// watchCost returns how many descriptors a watch of dir takes, at least one.
func watchCost(dir string) int {
	if runtime.GOOS == "linux" {
		return 1
	}
	// kqueue opens every file of a directory to see it being written.
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 1
	}
	return 1 + len(entries)
}
