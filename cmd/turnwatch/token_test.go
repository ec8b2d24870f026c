package main_test

import (
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestTokenIsPrintedOnce: beyond this machine the page's address has the token, and nothing else that is written has it.
func TestTokenIsPrintedOnce(t *testing.T) {
	const token = "s3same-0p3n-th3-d00r"
	data := t.TempDir()
	withToken := func(cmd *exec.Cmd) { cmd.Env = append(cmd.Env, "TURNWATCH_TOKEN="+token) }
	s := serveWith(t, withToken, t.TempDir(), "--host", "0.0.0.0", "--data-dir", data, "--verbose")
	at, query, _ := strings.Cut(s.url, "/?")
	if query != "token="+token || !strings.HasPrefix(at, "http://127.0.0.1:") {
		t.Fatalf("it prints %s", s.url)
	}
	for path, want := range map[string]int{"/api/health": http.StatusUnauthorized, "/api/health?token=" + token: http.StatusOK, "/api/nothing?token=" + token: http.StatusNotFound} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, resp.StatusCode, want)
		}
	}
	args, err := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/cmdline")
	if err == nil && strings.Contains(string(args), token) {
		t.Error("it stands among the arguments")
	}
	s.end(syscall.SIGTERM)
	if said := s.stderr.String(); strings.Contains(said, token) {
		t.Errorf("it stands in the log: %s", said)
	}
}

func TestTokenThatCanBeGuessed(t *testing.T) {
	has(t, refused(t, 2, t.TempDir(), "serve", "--no-browser", "--port", "0", "--host", "0.0.0.0", "--token", "abc"), "16 characters")
	has(t, refused(t, 2, t.TempDir(), "serve", "--no-browser", "--port", "0", "--public-url", "turn.example.org"), "--public-url", "https://")
}
