package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
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

// program returns a run of the program that looks at home only. Of the environment it has what it cannot do without:
// TURNWATCH_… and the agents' own variables would lead it elsewhere.
func program(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.Getenv("TMPDIR")}
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
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	stderr bytes.Buffer             // to be read after end
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
	_, err = s.ask("/api/health", &h)
	return h, err
}

// ask gets a path and decodes the answer into to, if that is not nil.
func (s *server) ask(path string, to any) (status int, err error) {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if to != nil {
		err = json.NewDecoder(resp.Body).Decode(to)
	}
	return resp.StatusCode, err
}

func (s *server) get(path string, to any) (status int) {
	s.t.Helper()
	status, err := s.ask(path, to)
	if err != nil {
		s.t.Fatal(err)
	}
	return status
}

// arg returns the value of one of its flags.
func (s *server) arg(name string) string { return s.cmd.Args[slices.Index(s.cmd.Args, name)+1] }

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
