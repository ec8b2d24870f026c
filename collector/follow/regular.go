package follow

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// errNoFile says that a name is that of a pipe, a socket or a device.
var errNoFile = errors.New("it is no file")

// Open opens a file to read it. To open a pipe would wait for whoever writes it, and nothing else would be read nor the
// program end meanwhile; a device has no end.
func Open(path string) (*os.File, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() && !fi.IsDir() { // that of a directory is told by reading
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	return os.Open(path)
}

// ReadFile returns the contents of a small file, such as one in which an agent notes what it runs; of a larger one than a
// document may be, the beginning.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxDocument))
}
