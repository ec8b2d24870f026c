//go:build !linux

package codex

import "io/fs"

// deviceOf returns nothing: only Linux lists file locks.
func deviceOf(fs.FileInfo) (device string, inode uint64) { return "", 0 }
