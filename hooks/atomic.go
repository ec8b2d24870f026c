package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errMeanwhile says that somebody else wrote a file between our reading and our writing.
var errMeanwhile = errors.New("the file was changed meanwhile")

// unfinished names the files that become others by being renamed.
const unfinished = ".turnwatch-*.tmp"

// sweep removes what we left unfinished when we were killed. Nobody else is writing: it must run inside exclusive.
func (p place) sweep() {
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(p.real), unfinished)) // the pattern is right
	for _, path := range left {
		_ = os.Remove(path)
	}
}

// unchanged looks whether the file is still as it was read.
func (p place) unchanged(before content) error {
	now, err := p.read()
	if err != nil {
		return err
	}
	if !same(now, before) {
		return errMeanwhile
	}
	return nil
}

// replace makes the file what it shall be, if it still is what it was.
func (p place) replace(before, after content) error {
	if !after.exists {
		if err := p.unchanged(before); err != nil {
			return err
		}
		if err := os.Remove(p.real); err != nil {
			return err
		}
		syncFolder(filepath.Dir(p.real))
		return nil
	}
	return writeIf(p.real, after.data, after.mode, func() error { return p.unchanged(before) })
}

func writeAtomic(path string, data []byte, mode fs.FileMode) error {
	return writeIf(path, data, mode, func() error { return nil })
}

// writeIf replaces a file: whoever opens it, also after a crash, finds the old bytes or the new ones.
// It asks right before whether it still may.
func writeIf(path string, data []byte, mode fs.FileMode, may func() error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := may(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// syncFolder makes a rename last; systems that cannot sync a folder do without.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
