package gemini_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/gemini"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// boot is when the made-up machine was started.
var boot = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// proc is a process of the made-up machine.
type proc struct {
	pid, parent int
	started     time.Duration // after boot
	args        string        // with spaces between
	cwd         string
	stdin       string
}

// machine is a home with sessions, and the processes that run.
type machine struct {
	t    *testing.T
	host collector.Host
}

func newMachine(t *testing.T) machine {
	m := machine{t, sourcetest.Host(t, t.TempDir())}
	write(t, filepath.Join(m.host.Proc, "stat"), fmt.Sprintf("cpu 1 2 3\nbtime %d\n", boot.Unix()))
	return m
}

func (m machine) session(project, id string, begun, written time.Duration) {
	m.t.Helper()
	chats := filepath.Join(m.host.Home, ".gemini", "tmp", project, "chats")
	path := filepath.Join(chats, "session-"+boot.Add(begun).Format("2006-01-02T15-04")+"-"+id[:8]+".jsonl")
	write(m.t, path, session(id, 1))
	write(m.t, filepath.Join(chats, "..", ".project_root"), "/home/dev/"+project)
	if err := os.Chtimes(path, boot.Add(written), boot.Add(written)); err != nil {
		m.t.Fatal(err)
	}
}

func (m machine) run(p proc) {
	m.t.Helper()
	dir := filepath.Join(m.host.Proc, strconv.Itoa(p.pid))
	write(m.t, filepath.Join(dir, "cmdline"), strings.ReplaceAll(p.args, " ", "\x00")+"\x00")
	ticks := p.started.Milliseconds() / 10
	write(m.t, filepath.Join(dir, "stat"), fmt.Sprintf("%d (MainThread) S %d %d %d 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 7 0 %d 0 0", p.pid, p.parent, p.pid, p.pid, ticks))
	if p.stdin == "" {
		p.stdin = "/dev/pts/3"
	}
	if err := os.MkdirAll(filepath.Join(dir, "fd"), 0o755); err != nil {
		m.t.Fatal(err)
	}
	for link, target := range map[string]string{"cwd": p.cwd, "fd/0": p.stdin} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			m.t.Fatal(err)
		}
	}
}

// live describes the sessions that are held as "<first digits of the id> <pid> <state>".
func (m machine) live() []string {
	m.t.Helper()
	got := []string{}
	for l, err := range gemini.New(m.host).Live(m.t.Context()) {
		if err != nil {
			m.t.Fatal(err)
		}
		got = append(got, strings.TrimSpace(fmt.Sprint(l.Session.Own()[:2], " ", l.Pid, " ", l.State)))
	}
	return got
}

const (
	idA = "aa000000-0000-4000-8000-000000000001"
	idB = "bb000000-0000-4000-8000-000000000002"
	idC = "cc000000-0000-4000-8000-000000000003"

	cli = "node --no-warnings /usr/lib/node_modules/@google/gemini-cli/bundle/gemini.js"
)

// T28 among them: who is dead holds nothing, whatever the log's age, and a number that another program got says nothing.
func TestLive(t *testing.T) {
	const shop = "/home/dev/shop"
	minutes := func(n int) time.Duration { return time.Duration(n) * time.Minute }
	for name, c := range map[string]struct {
		processes []proc
		want      []string
	}{
		"nobody":                         {nil, []string{}},
		"another program":                {[]proc{{7, 1, minutes(1), "vim gemini.md", shop, ""}, {8, 1, minutes(1), "node server.js gemini", shop, ""}}, []string{}},
		"in a terminal":                  {[]proc{{7, 1, minutes(9), cli, shop, ""}}, []string{"bb 7"}},
		"by its installed name":          {[]proc{{7, 1, minutes(9), "node /usr/bin/gemini -y", shop, ""}}, []string{"bb 7"}},
		"without a terminal":             {[]proc{{7, 1, minutes(9), cli + " -p x", shop, "/dev/null"}}, []string{"bb 7 busy"}},
		"elsewhere":                      {[]proc{{7, 1, minutes(9), cli, "/home/dev/other", ""}}, []string{}},
		"started after the last record":  {[]proc{{7, 1, minutes(50), cli, shop, ""}}, []string{}},
		"started anew with more memory":  {[]proc{{7, 1, minutes(9), cli, shop, ""}, {8, 7, minutes(9), cli, shop, ""}}, []string{"bb 7"}},
		"its outer process is gone":      {[]proc{{8, 1, minutes(9), cli, shop, ""}}, []string{"bb 8"}},
		"with a server beside it":        {[]proc{{7, 1, minutes(9), cli, shop, ""}, {9, 7, minutes(10), "mcp-server", shop, ""}}, []string{"bb 7"}},
		"a command runs":                 {[]proc{{7, 1, minutes(9), cli, shop, ""}, {9, 7, minutes(41), "bash -c make", shop, ""}}, []string{"bb 7 busy"}},
		"a command of a command runs":    {[]proc{{7, 1, minutes(9), cli, shop, ""}, {9, 7, minutes(10), "bash", shop, ""}, {10, 9, minutes(41), "make", shop, ""}}, []string{"bb 7 busy"}},
		"somebody else's command runs":   {[]proc{{7, 1, minutes(9), cli, shop, ""}, {9, 1, minutes(41), "make", shop, ""}}, []string{"bb 7"}},
		"two in one folder":              {[]proc{{7, 1, minutes(9), cli, shop, ""}, {8, 1, minutes(30), cli, shop, ""}}, []string{"bb 8", "aa 7"}},
		"two in two folders":             {[]proc{{7, 1, minutes(9), cli, shop, ""}, {8, 1, minutes(30), cli, "/home/dev/else", ""}}, []string{"cc 8", "bb 7"}},
		"resumed, in the same folder":    {[]proc{{7, 1, minutes(32), cli, shop, ""}, {8, 1, minutes(20), cli, shop, ""}}, []string{"aa 7", "bb 8"}},
		"a third one has no session yet": {[]proc{{7, 1, minutes(9), cli, shop, ""}, {8, 1, minutes(30), cli, shop, ""}, {9, 1, minutes(45), cli, shop, ""}}, []string{"bb 8", "aa 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			m.session("shop", idA, minutes(10), minutes(35)) // begun 10 minutes after boot, last written after 35
			m.session("shop", idB, minutes(30), minutes(40))
			m.session("else", idC, minutes(31), minutes(41))
			for _, p := range c.processes {
				m.run(p)
			}
			if diff := cmp.Diff(c.want, m.live()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestLiveWithoutProcesses: on a system without a list of processes the log's age has to do.
func TestLiveWithoutProcesses(t *testing.T) {
	m := newMachine(t)
	m.host.Proc = filepath.Join(m.host.Proc, "none")
	m.host.Now = func() time.Time { return boot.Add(time.Hour) }
	m.session("shop", idA, 10*time.Minute, 57*time.Minute)
	m.session("shop", idB, 10*time.Minute, 59*time.Minute)
	if diff := cmp.Diff([]string{"bb 0"}, m.live()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
