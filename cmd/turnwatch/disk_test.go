//go:build linux

package main_test

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/testdata"
)

// TestFullDisk runs the program with a small disk of its own for the database: it says in health and on the
// terminal that it is full; when there is room it goes on by itself, and nothing is missing.
//
// It needs a name space of its own to mount that disk; the pipeline's test of the same name needs none.
func TestFullDisk(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	if err := testdata.WriteDemo(home); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "unshare", "-Urm", "mount", "-t", "tmpfs", "tmpfs", data).CombinedOutput(); err != nil {
		t.Skipf("no name space with a disk of its own is to be had here: %s", out)
	}
	want := serve(t, home, "--data-dir", t.TempDir()).ready().sessions()

	s := serveWith(t, func(cmd *exec.Cmd) {
		script := `mount -t tmpfs -o size=400k tmpfs "$DATA" && exec "$@"`
		cmd.Args = append([]string{"unshare", "-Urm", "sh", "-c", script, "sh", cmd.Path}, cmd.Args[1:]...)
		cmd.Env = append(cmd.Env, "DATA="+data)
		cmd.Path, cmd.Err = exec.LookPath("unshare")
	}, home, "--data-dir", data)
	w := s.warned("store")
	has(t, w.Message, "full", "room", "goes on")
	if h, err := s.health(); err != nil || h.OK {
		t.Errorf("ok %t, %v", h.OK, err)
	}
	grow := exec.CommandContext(t.Context(), "nsenter", "-t", strconv.Itoa(s.cmd.Process.Pid), "-U", "-m", "--preserve-credentials", "mount", "-o", "remount,size=64m", data)
	if out, err := grow.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(time.Minute); ; <-again.C {
		if h, err := s.health(); err == nil && h.OK && h.Ready {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it does not go on")
		}
	}
	if got := s.sessions(); len(got) != len(want) {
		t.Errorf("%d sessions, want %d", len(got), len(want))
	}
	if code := s.end(syscall.SIGTERM); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	if out := s.stderr.String(); strings.Count(out, "full") < 1 || !strings.Contains(out, "no longer") {
		t.Errorf("on the terminal it says %s", out)
	}
}
