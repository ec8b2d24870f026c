package main_test

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/turnwatch/turnwatch/testdata"
)

var updateScripts = flag.Bool("update-scripts", false, "rewrite what the scripts compare with")

// TestScripts runs testdata/script: the program as it is typed, in a home of its own.
func TestScripts(t *testing.T) {
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *updateScripts, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("PATH", filepath.Dir(path)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", home)
			env.Setenv("DATA", filepath.Join(home, ".local", "share", "turnwatch"))
			env.Setenv("CONFIG", filepath.Join(home, ".config", "turnwatch", "config.toml"))
			env.Setenv("TZ", "Europe/Berlin")
			env.Setenv("COLUMNS", "110")
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"recordings": recordings, "daemon": daemon, "json": jsonField},
	})
}

// recordings lays out the bundled recordings in $HOME.
func recordings(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(testdata.WriteDemo(ts.Getenv("HOME")))
}

// daemon runs turnwatch in the background until history is in: «daemon [flag…]»; or ends it: «daemon stop», «daemon kill».
func daemon(ts *testscript.TestScript, _ bool, args []string) {
	note := filepath.Join(ts.Getenv("DATA"), "instance.json")
	if len(args) == 1 && (args[0] == "stop" || args[0] == "kill") {
		p, err := os.FindProcess(instanceOf(ts, note).Pid)
		ts.Check(err)
		sig := syscall.SIGTERM
		if args[0] == "kill" {
			sig = syscall.SIGKILL
		}
		ts.Check(p.Signal(sig))
		await(ts, "the daemon ends", func() bool { return p.Signal(syscall.Signal(0)) != nil })
		return
	}
	path, err := binary()
	ts.Check(err)
	cmd := exec.Command(path, append([]string{"serve", "--no-browser", "--port", "0"}, args...)...) //nolint:noctx // ended by Defer
	cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "PATH=" + ts.Getenv("PATH"), "TZ=" + ts.Getenv("TZ")}
	ts.Check(cmd.Start())
	go func() { _ = cmd.Wait() }()
	ts.Defer(func() { _ = cmd.Process.Kill() })
	await(ts, "the daemon has read history", func() bool {
		in := instanceOf(ts, note)
		req, err := http.NewRequest(http.MethodGet, in.URL+"/api/health", nil) //nolint:noctx // a test on this machine
		if err != nil {
			return false
		}
		req.Header.Set("Authorization", "Bearer "+scriptToken) // one that asks for none does not mind
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		var h health
		return json.NewDecoder(resp.Body).Decode(&h) == nil && h.Ready && in.Pid == cmd.Process.Pid
	})
}

// scriptToken is that of a daemon that asks for one.
const scriptToken = "0123456789abcdef"

type note struct {
	Pid int
	URL string
}

func instanceOf(_ *testscript.TestScript, path string) (in note) {
	if b, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(b, &in) // it may be half written
	}
	return in
}

func await(ts *testscript.TestScript, what string, done func() bool) {
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-again.C {
		if done() {
			return
		}
	}
	ts.Fatalf("%s: not within 30 s", what)
}

// jsonField checks that stdout is JSON and holds a field: «json sessions.0.agent [value]».
func jsonField(ts *testscript.TestScript, neg bool, args []string) {
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &doc))
	for _, key := range strings.Split(args[0], ".") {
		switch at := doc.(type) {
		case map[string]any:
			doc = at[key]
		case []any:
			if len(at) == 0 {
				ts.Fatalf("%s: an empty list", args[0])
			}
			doc = at[0]
		default:
			doc = nil
		}
	}
	got, err := json.Marshal(doc)
	ts.Check(err)
	same := doc != nil && (len(args) < 2 || strings.Trim(string(got), `"`) == args[1])
	if same == neg {
		ts.Fatalf("%s is %s", args[0], got)
	}
}
