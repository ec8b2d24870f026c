package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// makePrivate makes the data directory if needed, and keeps its contents from everybody but its user, whatever the umask
// is and whoever made it. It changes no directory that holds other things too: such a one is refused.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("data directory: %w; name one that can be written with --data-dir", err)
	}
	if runtime.GOOS == "windows" { // a profile's folders are private by inheritance, and modes say nothing
		return nil
	}
	st, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("data directory: %w; name one that can be read with --data-dir", err)
	}
	if st.Mode().Perm() != 0o700 {
		if st.Mode().Perm()&0o077 != 0 && !onlyOurs(entries) {
			return &collector.Error{
				Code: collector.CodeForbidden,
				Message: fmt.Sprintf("data directory %s: others can look into it (mode %04o), and it holds more than Turnwatch's files; "+
					"name a directory of its own with --data-dir, or close it with: chmod 700 %s", dir, st.Mode().Perm(), dir),
				Details: map[string]string{"dir": dir, "setting": "--data-dir"},
			}
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("data directory: others can look into it: %w; name one of your own with --data-dir", err)
		}
	}
	for _, e := range entries {
		if err := makeFilePrivate(dir, e); err != nil {
			return err
		}
	}
	return nil
}

func makeFilePrivate(dir string, e fs.DirEntry) error {
	if !e.Type().IsRegular() { // a link leads to what is somebody else's affair
		return nil
	}
	st, err := e.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("data directory: %w", err)
	}
	if st.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(filepath.Join(dir, e.Name()), 0o600); err != nil {
		return fmt.Errorf("data directory: others can read a file in it: %w; name a directory of your own with --data-dir", err)
	}
	return nil
}

// onlyOurs reports whether a directory holds nothing but what a data directory holds.
func onlyOurs(entries []fs.DirEntry) bool {
	return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name := strings.TrimPrefix(e.Name(), ".") // what is being replaced
		return !slices.ContainsFunc([]string{"turnwatch.", "instance.json", "hooks.json", priceFile}, func(ours string) bool { return strings.HasPrefix(name, ours) })
	})
}
