package hooks_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

// patience bounds what must end by itself: the bridge after a second, Send after one and a half. A busy machine is slower.
const patience = 20 * time.Second

// shells are those that agents may start a command with; fish and others that are not POSIX because one starts the
// user's login shell.
var shells = [][]string{{"sh", "-c"}, {"dash", "-c"}, {"bash", "-c"}, {"zsh", "-c"}, {"busybox", "sh", "-c"}, {"fish", "-c"}, {"bash", "-lc"}}

// received is a request that a collector got.
type received struct {
	path, token, kind string
	body              []byte
}

// listener answers hooks with status, and hands over what it got.
func listener(t *testing.T, status int) (string, chan received) {
	t.Helper()
	got := make(chan received, 64)
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- received{r.URL.Path, r.Header.Get("X-Turnwatch-Token"), r.Header.Get("Content-Type"), body}
		rw.WriteHeader(status)
		_, _ = io.WriteString(rw, `{"decision":"block"}`)
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

// command returns the shell command that an agent finds in its file.
func (w *world) command(agent collector.Agent, event string) string {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join(w.repo, files[agent].repo))
	must(w.t, err)
	var doc struct {
		Hooks map[string][]struct {
			Bash  string
			Hooks []struct{ Command string }
		}
	}
	must(w.t, json.Unmarshal(raw, &doc))
	list := doc.Hooks[event]
	if len(list) == 0 {
		w.t.Fatalf("no %s in %s", event, raw)
	}
	if list[0].Bash != "" {
		return list[0].Bash
	}
	return list[0].Hooks[0].Command
}

// patient lets the bridge wait for a busy machine, which may not take an event within the second that an agent is kept.
func (w *world) patient() {
	contacts, err := filepath.Glob(filepath.Join(w.home, ".local/share/turnwatch/hook/*"))
	must(w.t, err)
	for _, path := range contacts {
		raw, err := os.ReadFile(path)
		must(w.t, err)
		longer := strings.Replace(string(raw), "\nmax-time = 1\n", "\nmax-time = 60\n", 1)
		if longer == string(raw) {
			w.t.Fatalf("an agent is kept for longer than a second: %s", raw)
		}
		write(w.t, path, longer)
	}
}

// run starts a command as an agent does, and checks what must hold whatever happens.
func (w *world) run(shell []string, command string, in []byte, env ...string) {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), shell[0], append(shell[1:len(shell):len(shell)], command)...)
	cmd.Env = append([]string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "http_proxy=http://127.0.0.1:1", "ALL_PROXY=http://127.0.0.1:1"}, env...)
	cmd.Dir = w.repo
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	begun := time.Now()
	err := cmd.Run() // it fails too if not all of the input could be written
	if took := time.Since(begun); took > patience {
		w.t.Errorf("it took %v", took)
	}
	if err != nil || out.Len() > 0 || errs.Len() > 0 {
		w.t.Errorf("%v, stdout %q, stderr %q", err, out.Bytes(), errs.Bytes())
	}
}

func eachShell(t *testing.T, test func(t *testing.T, shell []string)) {
	t.Helper()
	for _, shell := range shells {
		t.Run(strings.Join(shell, " "), func(t *testing.T) {
			if _, err := exec.LookPath(shell[0]); err != nil {
				t.Skip(err)
			}
			test(t, shell)
		})
	}
}

func TestBridgeDelivers(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	for _, status := range []int{204, 200, 500} {
		url, got := listener(t, status)
		w := newWorld(t)
		w.url = url
		w.install(hooks.Request{Cwd: w.repo})
		w.patient()
		eachShell(t, func(t *testing.T, shell []string) {
			for agent, event := range events {
				body := []byte("{\"tool\":\"ü \\u0000 'quoted' $HOME `x`\",\n\"n\": 1}\n")
				w.run(shell, w.command(agent, event), body)
				r := <-got
				if r.path != "/hook/"+string(agent)+"/"+event || !bytes.Equal(r.body, body) || r.kind != "application/json" {
					t.Errorf("received %+v", r)
				}
				if !w.hooks.Registry().Verify(string(agent), r.token) {
					t.Errorf("%s: the token %q is not right", agent, r.token)
				}
			}
		})
	}
}

// TestBridgeWithBigInput: a whole tool result arrives in full; with nobody to take it, it is read all the same.
func TestBridgeWithBigInput(t *testing.T) {
	big := append(bytes.Repeat([]byte("0123456789abcdef"), 10<<16), '\n')
	url, got := listener(t, 204)
	w := newWorld(t)
	w.url = url
	w.install(hooks.Request{Cwd: w.repo})
	w.patient()
	eachShell(t, func(t *testing.T, shell []string) {
		w.run(shell, w.command("claude", "PostToolUse"), big)
		if r := <-got; !bytes.Equal(r.body, big) {
			t.Errorf("received %d bytes of %d", len(r.body), len(big))
		}
	})
	must(t, w.hooks.Withdraw())
	eachShell(t, func(_ *testing.T, shell []string) { w.run(shell, w.command("claude", "PostToolUse"), big) })
}

// TestBridgeInTrouble: the agent never notices.
func TestBridgeInTrouble(t *testing.T) {
	hang, err := net.Listen("tcp", "127.0.0.1:0") // takes connections, never answers
	must(t, err)
	defer hang.Close()
	nonsense, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer nonsense.Close()
	go func() {
		for {
			c, err := nonsense.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("SSH-2.0-OpenSSH_9.2\r\n\x00\xff"))
			_ = c.Close()
		}
	}()
	for name, url := range map[string]string{
		"a collector that hangs": "http://" + hang.Addr().String(), "another program's port": "http://" + nonsense.Addr().String(),
		"nobody listens": "http://127.0.0.1:1", "no address": "http://", "nobody runs": "",
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.url = url
			w.install(hooks.Request{Cwd: w.repo})
			eachShell(t, func(t *testing.T, shell []string) {
				w.run(shell, w.command("copilot", "preToolUse"), []byte(`{"toolName":"x"}`))
			})
		})
	}
	w := newWorld(t)
	w.install(hooks.Request{Cwd: w.repo})
	command := w.command("codex", "Stop")
	eachShell(t, func(_ *testing.T, shell []string) {
		if shell[0] != "fish" { // which wants a home itself
			w.run(shell, command, []byte("{}"), "HOME=")
			w.run(shell, command, []byte("{}"), "HOME=/nowhere at all")
		}
		w.run(shell, command, nil)
	})
}

// TestBridgeWithoutCurl falls back on the program itself, and on nothing.
func TestBridgeWithoutCurl(t *testing.T) {
	url, _ := listener(t, 204)
	w := newWorld(t)
	w.url = url
	w.install(hooks.Request{Cwd: w.repo})
	bin := filepath.Join(w.dir, "bin")
	for _, name := range []string{"sh", "cat"} {
		path, err := exec.LookPath(name)
		must(t, err)
		must(t, os.MkdirAll(bin, 0o755))
		must(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	big := bytes.Repeat([]byte("x"), 1<<20)
	shell := []string{filepath.Join(bin, "sh"), "-c"}
	w.run(shell, w.command("codex", "Stop"), big, "PATH="+bin)
	write(t, filepath.Join(bin, "turnwatch"), "#!/bin/sh\n{ echo \"$@\"; cat; } > \"$HOME/said\"\necho noise\n")
	must(t, os.Chmod(filepath.Join(bin, "turnwatch"), 0o755))
	w.run(shell, w.command("codex", "Stop"), big, "PATH="+bin)
	said, err := os.ReadFile(filepath.Join(w.home, "said"))
	must(t, err)
	if want := "hook codex Stop\n" + string(big); string(said) != want {
		t.Errorf("turnwatch was given %.60q", said)
	}
}

// TestBridgeStartedByAnother: Copilot and Grok run Claude Code's hooks too, which would tell of every call twice.
func TestBridgeStartedByAnother(t *testing.T) {
	url, got := listener(t, 204)
	w := newWorld(t)
	w.url = url
	w.install(hooks.Request{Cwd: w.repo})
	w.patient()
	in := bytes.Repeat([]byte("x"), 1<<20)
	w.run(shells[0], w.command("claude", "PreToolUse"), in, "COPILOT_PROJECT_DIR=/x")
	w.run(shells[0], w.command("copilot", "preToolUse"), in, "COPILOT_PROJECT_DIR=/x")
	if r := <-got; r.path != "/hook/copilot/preToolUse" || len(got) > 0 {
		t.Errorf("received %s, and %d more", r.path, len(got))
	}
	w.run(shells[0], w.command("claude", "Stop"), in, "COPILOT_PROJECT_DIR=/x", "CLAUDE_CODE_SESSION_ID=y")
	if r := <-got; r.path != "/hook/claude/Stop" {
		t.Errorf("Claude Code in Copilot's shell: %s", r.path)
	}
	w.run(shells[0], w.command("claude", "PreToolUse"), in, "GROK_SESSION_ID=x")
	w.run(shells[0], w.command("grok", "PreToolUse"), in, "GROK_SESSION_ID=x")
	if r := <-got; r.path != "/hook/grok/PreToolUse" || len(got) > 0 {
		t.Errorf("received %s, and %d more", r.path, len(got))
	}
}
