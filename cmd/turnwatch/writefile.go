package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile makes a file of what write writes, and says how large it became. The file is there as a whole or, whatever goes
// wrong meanwhile, as it was before. What is no regular file, such as a pipe, is written to.
func writeFile(path string, write func(io.Writer) error) (size int64, err error) {
	mode := fs.FileMode(0o600)
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() {
		return writeInto(path, write)
	} else if err == nil {
		mode = st.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return 0, err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".turnwatch-*.tmp")
	if e := (*fs.PathError)(nil); errors.As(err, &e) { // nobody has heard of the file that is to be renamed
		return 0, fmt.Errorf("cannot write into %s: %w", filepath.Dir(path), e.Err)
	}
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if size, err = written(f, write); err != nil {
		return size, err
	}
	if err = errors.Join(f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return size, err
	}
	return size, os.Rename(f.Name(), path)
}

func writeInto(path string, write func(io.Writer) error) (int64, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	size, err := written(f, write)
	return size, errors.Join(err, f.Close())
}

func written(w io.Writer, write func(io.Writer) error) (int64, error) {
	c := &counter{w: w}
	err := write(c)
	return c.n, err
}

// counter counts what is written.
type counter struct {
	w io.Writer
	n int64
}

// Write writes to the writer below.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
