package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata"
)

// binary builds the program once.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "turnwatch-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "turnwatch")
	out, err := exec.CommandContext(context.Background(), "go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// program returns a run of the program that looks at home only.
func program(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME=", "DISPLAY=", "WAYLAND_DISPLAY=")
	return cmd
}

// refused runs the program, which is to end by itself with that code, and returns what it said.
func refused(t *testing.T, code int, home string, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	cmd := program(t, home, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	_ = cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("%v ended with %d, want %d: %s", args, got, code, out.String())
	}
	return out.String()
}

func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in: %s", w, text)
		}
	}
}

// server is a running program.
type server struct {
	t   *testing.T
	cmd *exec.Cmd
	url string

	stderr bytes.Buffer
	end    func(syscall.Signal) int // sends the signal and returns the exit code
}

var page = regexp.MustCompile(`page\s+(http://\S+)`)

func serve(t *testing.T, home string, args ...string) *server {
	t.Helper()
	return serveWith(t, func(*exec.Cmd) {}, home, args...)
}

// serveWith serves with a changed command.
func serveWith(t *testing.T, change func(*exec.Cmd), home string, args ...string) *server {
	t.Helper()
	s := &server{t: t, cmd: program(t, home, append([]string{"serve", "--no-browser", "--port", "0", "--live-every", "50ms"}, args...)...)}
	change(s.cmd)
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = &s.stderr
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	code := 0
	s.end = func(sig syscall.Signal) int {
		once.Do(func() {
			_ = s.cmd.Process.Signal(sig)
			_ = s.cmd.Wait()
			code = s.cmd.ProcessState.ExitCode()
		})
		return code
	}
	t.Cleanup(func() { s.end(syscall.SIGKILL) })
	lines := bufio.NewScanner(out)
	for s.url == "" && lines.Scan() {
		if m := page.FindStringSubmatch(lines.Text()); m != nil {
			s.url = m[1]
		}
	}
	if s.url == "" {
		s.end(syscall.SIGKILL)
		t.Fatalf("it does not serve: %s", s.stderr.String())
	}
	return s
}

type health struct {
	OK       bool
	Ready    bool
	Warnings []collector.Warning
}

func (s *server) health() (h health, err error) {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+"/api/health", nil)
	if err != nil {
		return h, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return h, err
	}
	defer resp.Body.Close()
	return h, json.NewDecoder(resp.Body).Decode(&h)
}

// ready waits until history is in.
func (s *server) ready() *server {
	s.t.Helper()
	var h health
	var err error
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-again.C {
		if h, err = s.health(); err == nil && h.OK && h.Ready {
			return s
		}
	}
	s.t.Fatalf("not ready: %+v, %v", h, err)
	return nil
}

func TestOneInstancePerDataDirectory(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	if err := testdata.WriteDemo(home); err != nil {
		t.Fatal(err)
	}
	first := serve(t, home, "--data-dir", data).ready()
	has(t, refused(t, 3, home, "serve", "--no-browser", "--port", "0", "--data-dir", data), first.url, strconv.Itoa(first.cmd.Process.Pid), "--data-dir")
	has(t, refused(t, 0, home, "status", "--data-dir", data), first.url)
	first.ready() // the second did it no harm

	first.end(syscall.SIGKILL)
	has(t, refused(t, 1, home, "status", "--data-dir", data), "does not answer")
	second := serve(t, home, "--data-dir", data).ready() // what the first left behind blocks nobody
	has(t, refused(t, 3, home, "serve", "--no-browser", "--port", "0", "--data-dir", data), second.url)
	if code := second.end(syscall.SIGTERM); code != 0 {
		t.Errorf("it ended with %d when asked to", code)
	}
	has(t, refused(t, 1, home, "status", "--data-dir", data), "no Turnwatch runs")
	for _, name := range []string{"turnwatch.db-wal", "turnwatch.db-shm", "instance.json"} {
		if _, err := os.Stat(filepath.Join(data, name)); err == nil {
			t.Errorf("%s was left behind", name)
		}
	}
}

func TestRefusals(t *testing.T) {
	home := t.TempDir()
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	_, port, err := net.SplitHostPort(busy.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "file")
	broken := filepath.Join(home, "broken")
	for path, text := range map[string]string{file: "no directory", filepath.Join(broken, "turnwatch.db"): strings.Repeat("no database ", 500)} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		args []string
		says []string
	}{
		"a port in use":                {[]string{"--port", port}, []string{port, "--port"}},
		"a port in use, with the demo": {[]string{"--demo", "--port", port}, []string{port, "--port"}},
		"every address, no token":      {[]string{"--host", "0.0.0.0", "--port", "0"}, []string{"0.0.0.0", "--token"}},
		"every address, IPv6":          {[]string{"--host", "::", "--port", "0"}, []string{"--token"}},
		"a proxy, no token":            {[]string{"--public-url", "https://turn.example.org", "--port", "0"}, []string{"turn.example.org", "--token"}},
		"a data directory that is none": {
			[]string{"--data-dir", file, "--port", "0"}, []string{file, "--data-dir"}},
		"a data directory nobody can write": {
			[]string{"--data-dir", "/proc/turnwatch", "--port", "0"}, []string{"/proc/turnwatch", "--data-dir"}},
		"a database that is none": {
			[]string{"--data-dir", broken, "--port", "0"}, []string{"damaged", "delete", filepath.Join(broken, "turnwatch.db")}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			out := refused(t, 1, home, append([]string{"serve", "--no-browser"}, test.args...)...)
			has(t, out, test.says...)
			if n := strings.Count(strings.TrimSpace(out), "\n"); n > 1 {
				t.Errorf("it says it in %d lines: %s", n+1, out)
			}
		})
	}
}

// TestDemoLeavesNothing: the demo shows its recordings, touches neither the user's home nor a database, and cleans up.
func TestDemoLeavesNothing(t *testing.T) {
	home, tmp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", tmp)
	s := serve(t, home, "--demo").ready()
	if h, err := s.health(); err != nil || len(h.Warnings) > 0 {
		t.Errorf("%+v, %v", h, err)
	}
	if code := s.end(syscall.SIGINT); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	for _, dir := range []string{home, tmp} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			t.Errorf("%s was left in %s", e.Name(), dir)
		}
	}
}
