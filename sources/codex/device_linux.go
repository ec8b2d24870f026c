package codex

import (
	"fmt"
	"io/fs"
	"syscall"
)

// deviceOf returns a file's device as /proc/locks writes it ("08:01"), and its inode.
func deviceOf(fi fs.FileInfo) (device string, inode uint64) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return "", 0
	}
	dev := uint64(st.Dev)
	major := (dev>>8)&0xfff | (dev>>32)&^uint64(0xfff)
	minor := dev&0xff | (dev>>12)&^uint64(0xff)
	return fmt.Sprintf("%02x:%02x", major, minor), st.Ino
}
