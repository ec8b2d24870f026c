package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

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
	if got { // whatever note is there is of one that was killed
		if err := l.announce(""); err != nil {
			return nil, errors.Join(err, l.lock.Unlock())
		}
		return l, nil
	}
	const own = "give this one its own --data-dir and --port"
	in, err := readInstance(dir)
	for range 50 { // it may have taken the lock only just now
		if err != nil || in.Pid != 0 {
			break
		}
		time.Sleep(20 * time.Millisecond)
		in, err = readInstance(dir)
	}
	msg := fmt.Sprintf("another Turnwatch, which cannot be asked, uses %s; %s", dir, own)
	switch {
	case err != nil:
	case in.URL != "":
		msg = fmt.Sprintf("Turnwatch already runs (pid %d) with this data directory: open %s, or %s", in.Pid, in.URL, own)
	case in.Pid != 0:
		msg = fmt.Sprintf("Turnwatch (pid %d) is just starting with this data directory: wait a moment for its page, or %s", in.Pid, own)
	}
	return nil, &collector.Error{Code: collector.CodeConflict, Message: msg}
}

func notePath(dir string) string { return filepath.Join(dir, "instance.json") }

// announce notes where this instance can be reached; "" = not yet.
func (l *dirLock) announce(url string) error {
	b, err := json.Marshal(instance{Pid: os.Getpid(), URL: url})
	if err != nil {
		return err
	}
	err = os.WriteFile(l.note+".new", b, 0o600)
	if err == nil {
		err = os.Rename(l.note+".new", l.note)
	}
	if err != nil {
		return fmt.Errorf("data directory: %w; make room in it or name another with --data-dir", err)
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
