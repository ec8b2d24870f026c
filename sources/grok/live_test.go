package grok_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/grok"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// machine is a home with a copy of a recording, and a list of processes.
type machine struct {
	t          *testing.T
	home, proc string
}

const boot = 1_796_000_000 // unix s

func newMachine(t *testing.T, recording string) *machine {
	m := &machine{t, t.TempDir(), t.TempDir()}
	must(t, os.CopyFS(m.home, os.DirFS(filepath.Join(testdata, recording, "home"))))
	must(t, os.WriteFile(filepath.Join(m.proc, "stat"), []byte("cpu 1\nbtime "+strconv.Itoa(boot)+"\n"), 0o600))
	return m
}

func (m *machine) path(own, name string) string {
	return filepath.Join(m.home, ".grok/sessions/%2Fhome%2Fdev%2Fproject", own, name)
}

// runs starts a process so many seconds after boot, with some files open.
func (m *machine) runs(pid int, exe string, after int, open ...string) {
	dir := filepath.Join(m.proc, strconv.Itoa(pid))
	must(m.t, os.MkdirAll(filepath.Join(dir, "fd"), 0o700))
	must(m.t, os.Symlink(exe, filepath.Join(dir, "exe")))
	fields := append([]string{"S"}, slices.Repeat([]string{"0"}, 18)...)
	stat := fmt.Sprintf("%d (a ) b) %s %d 0\n", pid, strings.Join(fields, " "), after*100)
	must(m.t, os.WriteFile(filepath.Join(dir, "stat"), []byte(stat), 0o600))
	for i, path := range open {
		must(m.t, os.Symlink(path, filepath.Join(dir, "fd", strconv.Itoa(10+i))))
	}
}

func (m *machine) lists(own string, pid, openedAfter int) {
	entry := fmt.Sprintf(`[{"session_id":%q,"pid":%d,"cwd":"/x","opened_at":%q}]`, own, pid, fmt.Sprint(boot+openedAfter))
	entry = strings.Replace(entry, fmt.Sprintf("%q", fmt.Sprint(boot+openedAfter)), strconv.Itoa((boot+openedAfter)*1000), 1)
	must(m.t, os.WriteFile(filepath.Join(m.home, ".grok", "active_sessions.json"), []byte(entry), 0o600))
}

func (m *machine) live() []collector.LiveSession {
	host := sourcetest.Host(m.t, m.home)
	host.Proc = m.proc
	var out []collector.LiveSession
	for l, err := range grok.New(host).Live(m.t.Context()) {
		must(m.t, err)
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b collector.LiveSession) int { return strings.Compare(string(a.Session), string(b.Session)) })
	return out
}

func (m *machine) want(name string, want ...collector.LiveSession) {
	m.t.Helper()
	if diff := cmp.Diff(want, m.live()); diff != "" {
		m.t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

const slow, asked = "dddddddd-2222-4333-8444-555555555555", "22222222-2222-4333-8444-555555555555"

func TestLiveByOpenFiles(t *testing.T) {
	m := newMachine(t, "1.0.41-killed")
	m.want("no process")
	m.runs(7, "/usr/bin/editor", 1, m.path(slow, "events.jsonl"))
	m.runs(8, "/home/dev/.grok/bin/grok-1.0.41 (deleted)", 1, "/dev/null", m.path(slow, "updates.jsonl"))
	m.want("nobody of ours has the events open")
	m.runs(9, "/home/dev/.grok/bin/grok", 1, m.path(slow, "events.jsonl"), m.path("not-there", "events.jsonl"))
	m.want("a headless one in a turn", collector.LiveSession{Session: "grok:" + slow, Pid: 9, State: collector.SessionBusy})
}

func TestLiveByTheList(t *testing.T) {
	m := newMachine(t, "1.0.41-permission")
	m.runs(9, "/home/dev/.grok/bin/grok", 1000)
	m.lists(asked, 9, 1001)
	m.want("listed", collector.LiveSession{Session: "grok:" + asked, Pid: 9, State: collector.SessionIdle})
	m.lists(asked, 9, 100)
	m.want("its pid was given to a later process")
	m.lists(asked, 10, 1001)
	m.want("its process is gone")
}

// TestLiveSubagent: a sub-agent's log is open in the process of whoever spawned it.
func TestLiveSubagent(t *testing.T) {
	const root, child = "11111112-2222-4333-8444-555555555555", "01a22dc0-4be7-7f42-bd6e-3bb53c6e19ff"
	m := newMachine(t, "1.0.41-subagent-polled")
	m.runs(9, "/usr/local/bin/grok", 1, m.path(root, "events.jsonl"), m.path(child, "events.jsonl"))
	m.want("both",
		collector.LiveSession{Session: "grok:" + root, Pid: 9, State: collector.SessionIdle},
		collector.LiveSession{Session: collector.SessionID("grok:" + root).Child(child), Pid: 9, State: collector.SessionIdle})
}

func TestLiveState(t *testing.T) {
	for name, c := range map[string]struct {
		events  string
		state   collector.SessionState
		waiting string
	}{
		"nothing yet": {"", collector.SessionIdle, ""},
		"in a turn":   {`{"type":"turn_started"}` + "\n" + `{"type":"phase_changed","phase":"waiting_for_model"}` + "\n", collector.SessionBusy, ""},
		"a human is asked": {`{"type":"turn_started"}` + "\n" + `{"type":"permission_requested","tool_name":"write"}` + "\n" +
			`{"type":"phase_chan`, collector.SessionWaiting, "write"},
		"answered":           {`{"type":"permission_requested","tool_name":"write"}` + "\n" + `{"type":"permission_resolved"}` + "\n", collector.SessionBusy, ""},
		"cancelled at that":  {`{"type":"permission_requested","tool_name":"write"}` + "\n" + `{"type":"turn_ended"}` + "\n", collector.SessionIdle, ""},
		"deep in a long one": {strings.Repeat(`{"type":"first_token"}`+"\n", 3000), collector.SessionBusy, ""},
	} {
		m := newMachine(t, "1.0.41-permission")
		must(t, os.WriteFile(m.path(asked, "events.jsonl"), []byte(c.events), 0o600))
		m.runs(9, "/usr/local/bin/grok", 1, m.path(asked, "events.jsonl"))
		m.want(name, collector.LiveSession{Session: "grok:" + asked, Pid: 9, State: c.state, WaitingFor: c.waiting})
	}
}

// TestPipesAreNotOpened: what is no file is no reason to wait.
func TestPipesAreNotOpened(t *testing.T) {
	const own = "dddddddd-2222-4333-8444-555555555555"
	m := newMachine(t, "1.0.41-killed")
	must(t, os.Remove(m.path(own, "events.jsonl")))
	for _, pipe := range []string{m.path(own, "events.jsonl"), filepath.Join(m.home, ".grok", "active_sessions.json")} {
		if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
			t.Skip("no pipe: ", err)
		}
	}
	m.runs(7, "/usr/bin/grok", 10, m.path(own, "events.jsonl"))
	m.want("a pipe instead of the log", collector.LiveSession{Session: "grok:" + own, Pid: 7, State: collector.SessionIdle})
}
