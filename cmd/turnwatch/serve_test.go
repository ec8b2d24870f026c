package main_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/testdata"
)

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
	if err := os.WriteFile(file, []byte("no directory"), 0o600); err != nil {
		t.Fatal(err)
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
	s := serveWith(t, func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "TMPDIR="+tmp) }, home, "--demo").ready()
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

// TestPortInUse: who asks for a port that is taken learns who has it, and which one is free.
func TestPortInUse(t *testing.T) {
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
	for tries := 0; ; tries++ {
		out := refused(t, 1, home, "serve", "--no-browser", "--port", port)
		has(t, out, "port "+port+" is taken by "+name(t)+" (pid "+strconv.Itoa(os.Getpid())+")")
		free := regexp.MustCompile(`--port (\d+), which is free`).FindStringSubmatch(out)
		if free == nil {
			t.Fatalf("no free port in %s", out)
		}
		ln, err := net.Listen("tcp", "127.0.0.1:"+free[1])
		if err == nil {
			_ = ln.Close()
			break
		}
		if tries == 5 { // whoever else works on this machine may take one that was free, but not every time
			t.Fatalf("port %s: %v", free[1], err)
		}
	}

	other := serve(t, home, "--data-dir", t.TempDir()).ready()
	_, port, _ = strings.Cut(strings.TrimPrefix(other.url, "http://"), ":")
	out := refused(t, 1, home, "serve", "--no-browser", "--port", port)
	has(t, out, "already runs", "open "+other.url, strconv.Itoa(other.cmd.Process.Pid), other.arg("--data-dir"), "--port")
}

// name is what the system calls this process.
func name(t *testing.T) string {
	t.Helper()
	comm, err := os.ReadFile("/proc/self/comm")
	if err != nil {
		t.Skip("nobody can say who listens: ", err)
	}
	return strings.TrimSpace(string(comm))
}

// TestInterruptedTwice: the first interrupt waits for whoever is still asking, another ends the program at once.
func TestInterruptedTwice(t *testing.T) {
	s := serve(t, t.TempDir(), "--data-dir", t.TempDir()).ready()
	slow, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if _, err := slow.Write([]byte("GET /api/health HT")); err != nil { // a request that does not come to an end
		t.Fatal(err)
	}
	s.get("/api/health", nil) // it is served after the one that came before
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.end(syscall.SIGTERM) // shells have what they start in the background ignore the other one, but for programs that ask for it
	}()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for over := false; !over; { // those that come while it takes the first one are one with it
		select {
		case <-again.C:
			_ = s.cmd.Process.Signal(syscall.SIGTERM)
		case <-ended:
			over = true
		}
	}
	if ws, ok := s.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != syscall.SIGTERM {
		t.Errorf("it ended with %v", s.cmd.ProcessState)
	}
}

// TestStartsAtOnce: of several that start at the same time in one directory, one serves; the others name it.
func TestStartsAtOnce(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	const n = 6
	said := make(chan string, n)
	var all []*exec.Cmd
	for range n {
		cmd := program(t, home, "serve", "--no-browser", "--port", "0", "--data-dir", data)
		var out bytes.Buffer
		cmd.Stderr = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
		go func() {
			_ = cmd.Wait()
			said <- out.String()
		}()
	}
	for range n - 1 {
		has(t, <-said, "pid ", "--data-dir")
	}
	for _, cmd := range all {
		_ = cmd.Process.Signal(os.Interrupt)
	}
	if out := <-said; out != "" {
		t.Errorf("the one that serves says %s", out)
	}
}
