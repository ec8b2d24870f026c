package opencode_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/opencode"
)

// boot is when the made-up machine started, in unix s.
const boot = 1796060000

// processOf adds a process of the program to a made-up /proc; startedMs is unix ms.
func processOf(t testing.TB, h collector.Host, pid int, startedMs int64, cwd string, args ...string) {
	t.Helper()
	dir := filepath.Join(h.Proc, strconv.Itoa(pid))
	put := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(h.Proc, "stat"), fmt.Sprintf("cpu 1 2 3\nbtime %d\n", boot))
	ticks := max(0, (startedMs-boot*1000)/10)
	put(filepath.Join(dir, "stat"), fmt.Sprintf("%d (open code) S 1%s %d 0\n", pid, strings.Repeat(" 0", 17), ticks))
	put(filepath.Join(dir, "cmdline"), strings.Join(append([]string{"opencode"}, args...), "\x00")+"\x00")
	link(t, "/opt/opencode-linux-x64/bin/opencode", filepath.Join(dir, "exe"))
	link(t, cwd, filepath.Join(dir, "cwd"))
}

// openIn lets the process have a file open.
func openIn(t testing.TB, proc string, pid int, path string) {
	t.Helper()
	fd := filepath.Join(proc, strconv.Itoa(pid), "fd")
	if err := os.MkdirAll(fd, 0o700); err != nil {
		t.Fatal(err)
	}
	link(t, path, filepath.Join(fd, "15"))
}

func link(t testing.TB, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func live(t testing.TB, h collector.Host) []string {
	t.Helper()
	var all []string
	for l, err := range opencode.New(h).Live(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%d %s", l.Pid, strings.ReplaceAll(string(l.Session), "opencode:ses_dd23f", "")))
	}
	slices.Sort(all)
	return all
}

// TestLive: the recorded tree began at …914843, ended at …927349, and its first child at …926632.
func TestLive(t *testing.T) {
	const before, root, first, second = 1796063900000, "94a5ffegwQFU3S7w8dDcz", "94a5ffegwQFU3S7w8dDcz~ses_dd23f7defffe0aYqqkYdk9M0jp", "94a5ffegwQFU3S7w8dDcz~ses_dd23f7d5cffe6gs0tfg1Vb2Nox"
	const unfinish = `UPDATE message SET data = json_remove(data, '$.time.completed', '$.finish') WHERE id = `
	tests := []struct {
		name, change string
		started      int64
		cwd          string
		args         []string
		closed       bool // it does not have the database open
		want         []string
	}{
		{name: "at its end, a terminal still shows it", started: before, cwd: "/home/dev/work", want: []string{"7 " + root}},
		{name: "a process that began later", started: 1796063990000, cwd: "/home/dev/work"},
		{name: "a process that began as it ended", started: 1796063926900, cwd: "/home/dev/work"},
		{name: "another directory", started: before, cwd: "/home/dev/other"},
		{name: "another database", started: before, cwd: "/home/dev/work", closed: true},
		{name: "a server shows none", started: before, cwd: "/", args: []string{"serve"}},
		{
			name: "a child at work", started: before, cwd: "/home/dev/work", change: unfinish + "'msg_22dc09680001M7aVBd46B3dz4C'",
			want: []string{"7 " + root, "7 " + second},
		},
		{
			name: "a server at work", started: before, cwd: "/", args: []string{"serve", "--port", "0"},
			change: unfinish + "'msg_22dc0962b001sdaVsekJZgI8Wj'", want: []string{"7 " + first},
		},
		{
			name: "a response that failed is no work", started: before, cwd: "/", args: []string{"web"},
			change: "UPDATE message SET data = json_set(json_remove(data, '$.time.completed'), '$.error.name', 'APIError') WHERE id = 'msg_22dc0962b001sdaVsekJZgI8Wj'",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, db := home(t, "subagent")
			if tt.change != "" {
				exec(t, db, tt.change)
			}
			h := host(t, dir)
			processOf(t, h, 7, tt.started, tt.cwd, tt.args...)
			if !tt.closed {
				openIn(t, h.Proc, 7, database(dir))
			}
			if got := live(t, h); !slices.Equal(got, tt.want) {
				t.Errorf("live %q, want %q", got, tt.want)
			}
		})
	}
}

// TestLiveTwo: of two programs in one directory, each holds the session that it began.
func TestLiveTwo(t *testing.T) {
	dir, db := home(t, "subagent")
	exec(t, db, `INSERT INTO session SELECT 'ses_dd23f0', project_id, NULL, NULL, slug, directory, path, 'Another', version, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, agent, model,
		time_created + 60000, time_updated + 60000, NULL, NULL FROM session WHERE parent_id IS NULL;
		UPDATE session SET time_updated = time_updated + 90000 WHERE id = 'ses_dd23f94a5ffegwQFU3S7w8dDcz'`)
	h := host(t, dir)
	processOf(t, h, 7, 1796063900000, "/home/dev/work")
	processOf(t, h, 8, 1796063970000, "/home/dev/work")
	openIn(t, h.Proc, 7, database(dir))
	openIn(t, h.Proc, 8, database(dir))
	if got, want := live(t, h), []string{"7 94a5ffegwQFU3S7w8dDcz", "8 0"}; !slices.Equal(got, want) {
		t.Errorf("live %q, want %q", got, want)
	}
}
