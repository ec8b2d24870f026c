package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/gofrs/flock"
	"github.com/pkg/browser"

	"github.com/turnwatch/turnwatch/collector"
)

// defaultDataDir is where the system keeps a user's application data.
func defaultDataDir() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "turnwatch"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("your home directory is unknown (%w); name a place with --data-dir", err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "turnwatch"), nil
	case "windows":
		return filepath.Join(home, "AppData", "Local", "turnwatch"), nil
	}
	return filepath.Join(home, ".local", "share", "turnwatch"), nil
}

// instance is the running Turnwatch of a data directory.
type instance struct {
	Pid int    `json:"pid"`
	URL string `json:"url"`
}

// dirLock makes sure that one Turnwatch writes a data directory.
type dirLock struct {
	lock *flock.Flock
	note string
}

// lockDataDir takes the data directory, or says who has it.
func lockDataDir(dir string) (*dirLock, error) {
	if err := makePrivate(dir); err != nil {
		return nil, err
	}
	l := &dirLock{lock: flock.New(filepath.Join(dir, "turnwatch.lock"), flock.SetPermissions(0o600)), note: notePath(dir)}
	got, err := l.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w; name a data directory that can be written with --data-dir", dir, err)
	}
	if got {
		_ = os.Remove(l.note) // of one that was killed
		return l, nil
	}
	msg := "another Turnwatch uses " + dir
	if in, err := readInstance(dir); err == nil && in.URL != "" {
		msg = fmt.Sprintf("Turnwatch already runs (pid %d) with this data directory: open %s, or give this one its own --data-dir and --port", in.Pid, in.URL)
	}
	return nil, &collector.Error{Code: collector.CodeConflict, Message: msg}
}

func notePath(dir string) string { return filepath.Join(dir, "instance.json") }

// announce notes where this instance can be reached.
func (l *dirLock) announce(url string) error {
	b, err := json.Marshal(instance{Pid: os.Getpid(), URL: url})
	if err != nil {
		return err
	}
	if err := os.WriteFile(l.note, b, 0o600); err != nil {
		return fmt.Errorf("announce: %w", err)
	}
	return nil
}

func (l *dirLock) release() {
	_ = os.Remove(l.note)
	_ = l.lock.Unlock()
}

func readInstance(dir string) (instance, error) {
	var in instance
	b, err := os.ReadFile(notePath(dir))
	if errors.Is(err, os.ErrNotExist) {
		return in, nil
	}
	if err != nil {
		return in, err
	}
	return in, json.Unmarshal(b, &in)
}

// openBrowser opens the page where there is a screen to show it on.
func openBrowser(url string) {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return
	}
	browser.Stdout, browser.Stderr = nil, nil
	_ = browser.OpenURL(url) // the URL stands on the terminal too
}

func dataDirHelp() string {
	dir, err := defaultDataDir()
	if err != nil {
		return "none: your home directory is unknown"
	}
	return dir
}
