package follow

import (
	"fmt"
	"io"
)

// Head appends the first limit bytes of the uncompressed file at path to dst; fewer if it is shorter.
func Head(dst []byte, path string, limit int) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return dst, fmt.Errorf("read head: %w", err)
	}
	defer f.Close()
	src, stop, err := open(f, int64(limit))
	if err != nil {
		return dst, fmt.Errorf("read head of %s: %w", path, err)
	}
	defer stop()
	from := len(dst)
	dst = append(dst, make([]byte, limit)...)
	n, err := io.ReadFull(src.r, dst[from:])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("read head of %s: %w", path, err)
	}
	return dst[:from+n], err
}
