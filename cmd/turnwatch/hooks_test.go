package main_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/turnwatch/turnwatch/hooks"
)

// run runs the program in dir, which must succeed, and returns what it wrote.
func run(t *testing.T, home, dir string, args ...string) string {
	t.Helper()
	cmd := program(t, home, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %v: %s", args, err, errs.String())
	}
	return out.String()
}

func repository(t *testing.T) string {
	t.Helper()
	repo := t.TempDir()
	if err := os.Mkdir(filepath.Join(repo, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return repo
}

// contacts counts the files that tell the hooks where to report.
func contacts(t *testing.T, home string) int {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(home, ".local", "share", "turnwatch", "hook"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return len(entries)
}

func TestHooksCommand(t *testing.T) {
	home, repo := t.TempDir(), repository(t)
	has(t, run(t, home, repo, "hooks"), "not installed", repo)
	has(t, run(t, home, repo, "hooks", "install", "--dry-run"), "would change", "+++ b/", "turnwatch-hook")
	has(t, run(t, home, repo, "hooks", "status"), "not installed")
	has(t, run(t, home, repo, "hooks", "install"), "installed", "changed", "No Turnwatch takes the hooks now")
	var report hooks.Report
	if err := json.Unmarshal([]byte(run(t, home, t.TempDir(), "hooks", "--json", repo)), &report); err != nil {
		t.Fatal(err)
	}
	for _, a := range report.Agents {
		if a.State != hooks.StateInstalled {
			t.Errorf("%+v", a)
		}
		one := run(t, home, repo, "hooks", "-a", string(a.Agent))
		has(t, one, a.Path)
		if strings.Count(one, "  installed  ") != 1 {
			t.Errorf("one agent's hooks: %s", one)
		}
	}
	if n := contacts(t, home); n != 0 {
		t.Errorf("%d hooks report, but nothing runs", n)
	}
	s := serve(t, home)
	if n := contacts(t, home); n != len(report.Agents) {
		t.Errorf("%d of %d hooks report to the running program", n, len(report.Agents))
	}
	if out := run(t, home, repo, "hooks"); strings.Contains(out, "No Turnwatch takes") {
		t.Errorf("with a running program: %s", out)
	}
	if s.end(syscall.SIGTERM) != 0 {
		t.Error("it did not end well")
	}
	if n := contacts(t, home); n != 0 {
		t.Errorf("%d hooks still report", n)
	}
	has(t, run(t, home, repo, "hooks", "uninstall"), "not installed")
	left, err := filepath.Glob(filepath.Join(repo, ".*"))
	if err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
	has(t, refused(t, 2, home, "hooks", "/"), "no git repository", "--user")
	has(t, refused(t, 2, home, "hooks", "install", "--agent", "brand", repo), "brand", "are known")
	has(t, refused(t, 1, home, "--demo", "hooks", "install", repo), "the demo changes no files")
}

// TestHooksWhileServing: what the command line installs reports at once, and so does what the API installs.
func TestHooksWhileServing(t *testing.T) {
	home, repo := t.TempDir(), repository(t)
	s := serve(t, home)
	run(t, home, repo, "hooks", "install")
	n := contacts(t, home)
	if n == 0 {
		t.Error("the hooks do not report")
	}
	run(t, home, repo, "hooks", "uninstall")
	if n := contacts(t, home); n != 0 {
		t.Errorf("%d hooks still report", n)
	}
	body := strings.NewReader(`{"cwd":"` + repo + `"}`)
	resp, err := http.Post(s.url+"/api/hooks/install", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := contacts(t, home); resp.StatusCode != http.StatusOK || got != n {
		t.Errorf("status %d; %d hooks report, want %d", resp.StatusCode, got, n)
	}
	err = filepath.WalkDir(filepath.Join(home, ".local"), func(path string, d fs.DirEntry, err error) error {
		if info, ierr := d.Info(); ierr == nil && !d.IsDir() && info.Mode().Perm()&0o077 != 0 && strings.Contains(path, "hook") {
			t.Errorf("others may look at %s: %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestHookSaysNothing, whatever it is given.
func TestHookSaysNothing(t *testing.T) {
	for _, args := range [][]string{{"hook"}, {"hook", "--help"}, {"hook", "brand", "Stop"}, {"hook", "brand", "../x"}, {"hook", "a", "b", "c"}} {
		cmd := program(t, t.TempDir(), args...)
		cmd.Stdin = strings.NewReader("{}")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	if help, err := exec.Command(program(t, t.TempDir()).Path, "--help").Output(); err != nil || strings.Contains(string(help), "  hook ") {
		t.Errorf("the help lists it: %v\n%s", err, help)
	}
}
