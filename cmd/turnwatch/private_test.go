package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// modes returns what others may do with dir and all in it, "" = nothing.
func modes(t *testing.T, dir string) string {
	t.Helper()
	var open strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := e.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if st.IsDir() {
			want = 0o700
		}
		if st.Mode().Perm() != want {
			open.WriteString(e.Name() + " " + st.Mode().String() + "; ")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return open.String()
}

// TestDataDirIsPrivate: only its user looks into the data directory, whatever the umask is and whoever made it.
func TestDataDirIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing")
	}
	for name, c := range map[string]struct {
		umask string
		open  bool // the directory is there, open to all, with files of an earlier run
	}{
		"new, a generous umask": {"0000", false},
		"new, a usual umask":    {"0022", false},
		"new, an odd umask":     {"0177", false}, // takes the right to enter from directories
		"old and open":          {"0022", true},
	} {
		t.Run(name, func(t *testing.T) {
			home, data := t.TempDir(), filepath.Join(t.TempDir(), "deep", "data")
			if c.open {
				for path, text := range map[string]string{"turnwatch.db": "", "turnwatch.lock": "", "prices.json": "{}", "hooks.json": "{}"} {
					if err := os.MkdirAll(data, 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(data, path), []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
					if err := os.Chmod(filepath.Join(data, path), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.Chmod(data, 0o777); err != nil {
					t.Fatal(err)
				}
			} else if err := os.MkdirAll(filepath.Dir(data), 0o755); err != nil {
				t.Fatal(err)
			}
			s := serveWith(t, func(cmd *exec.Cmd) {
				cmd.Args = append([]string{"sh", "-c", `umask ` + c.umask + `; exec "$@"`, "sh", cmd.Path}, cmd.Args[1:]...)
				cmd.Path = "/bin/sh"
			}, home, "--data-dir", data).ready()
			for _, name := range []string{"turnwatch.db", "turnwatch.db-wal", "turnwatch.db-shm", "turnwatch.lock", "instance.json"} {
				if _, err := os.Stat(filepath.Join(data, name)); err != nil {
					t.Error(err)
				}
			}
			if open := modes(t, data); open != "" {
				t.Errorf("while it runs: %s", open)
			}
			s.end(syscall.SIGTERM)
			if open := modes(t, data); open != "" {
				t.Errorf("afterwards: %s", open)
			}
		})
	}
}

// TestDataDirOfOthers: a directory that holds other things is not closed to whoever uses them.
func TestDataDirOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes say nothing")
	}
	shared := t.TempDir()
	if err := os.WriteFile(filepath.Join(shared, "thesis.txt"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	out := refused(t, 1, t.TempDir(), "serve", "--no-browser", "--port", "0", "--data-dir", shared)
	has(t, out, shared, "0755", "--data-dir", "chmod 700")
	st, err := os.Stat(shared)
	if err != nil || st.Mode().Perm() != 0o755 {
		t.Errorf("its mode is now %v, %v", st.Mode(), err)
	}
	if entries, _ := os.ReadDir(shared); len(entries) != 1 {
		t.Errorf("something was made in it: %v", entries)
	}
	if err := os.Chmod(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	serve(t, t.TempDir(), "--data-dir", shared).ready()
}
