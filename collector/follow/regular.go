package follow

import (
	"errors"
	"io/fs"
	"os"
)

// errNoFile says that a name is that of a pipe, a socket or a device.
var errNoFile = errors.New("it is no file")

// openRegular opens a file to read it. To open a pipe would wait for whoever writes it, and nothing else would be read nor the
// program end meanwhile; a device has no end.
func openRegular(path string) (*os.File, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() && !fi.IsDir() { // that of a directory is told by reading
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNoFile}
	}
	return os.Open(path)
}
