package follow

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/turnwatch/turnwatch/collector"
)

// Stat returns the attributes of the file at path by which a change is seen: size, modification time in unix ns, and
// inode (0 where the system has none).
func Stat(path string) (size, mtimeNs int64, inode uint64, err error) {
	fi, err := os.Stat(path)
	if err != nil {
		return 0, 0, 0, err
	}
	return fi.Size(), fi.ModTime().UnixNano(), inodeOf(fi), nil
}

// Fill sets the attributes of s from the file at its path.
func Fill(s *collector.Stream) error {
	size, mtime, inode, err := Stat(s.Path)
	if err != nil {
		return fmt.Errorf("stat stream: %w", err)
	}
	s.Size, s.ModTime, s.Inode = size, mtime, inode
	return nil
}

// FillTable sets the attributes of a database: those of its file and of its write-ahead log together, since programs commit to
// the latter.
func FillTable(s *collector.Stream) error {
	if err := Fill(s); err != nil {
		return err
	}
	if size, mtime, _, err := Stat(s.Path + "-wal"); err == nil {
		s.Size += size
		s.ModTime = max(s.ModTime, mtime)
	}
	return nil
}

// setAttributes notes in cp what fi says.
func setAttributes(cp *collector.Checkpoint, fi fs.FileInfo) {
	cp.Size, cp.ModTime, cp.Inode = fi.Size(), fi.ModTime().UnixNano(), inodeOf(fi)
}
