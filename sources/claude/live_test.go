package claude_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/claude"
)

// stat is a line of /proc/<pid>/stat of a process that started at the tick start. Its name tries to confuse.
func stat(pid int, start string) string {
	return fmt.Sprintf("%d (a) (claude b) S 1 %d %d 0 -1 4194304 100 0 0 0 1 2 0 0 20 0 1 0 %s 1000 200 18446744073709551615\n", pid, pid, pid, start)
}

func registration(pid int, sid, start, status, extra string) string {
	return fmt.Sprintf(`{"pid":%d,"sessionId":%q,"procStart":%q,"status":%q,"updatedAt":%d%s}`, pid, sid, start, status, 1_796_000_000_000+int64(pid), extra)
}

func live(t *testing.T, home string, now time.Time) []string {
	t.Helper()
	src := claude.New(collector.Host{
		Home: home, Getenv: func(string) string { return "" }, Proc: filepath.Join(home, "proc"), Now: func() time.Time { return now },
	})
	var out []string
	for l, err := range src.Live(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.TrimSpace(fmt.Sprint(l.Session, " ", l.Pid, " ", l.State, " ", l.WaitingFor)))
	}
	return out
}

// T28: a killed process leaves its file behind; its number may be another's by now.
func TestLiveRegistry(t *testing.T) {
	home := tree(t, t.TempDir(), map[string]string{
		"proc/10/stat": stat(10, "500"), "proc/11/stat": stat(11, "600"), "proc/12/stat": stat(12, "700"),
		"proc/13/stat": stat(13, "800"), "proc/14/stat": stat(14, "900"), "proc/15/stat": stat(15, "950"), "proc/16/stat": stat(16, "960"),

		".claude/sessions/10.json":     registration(10, "busy", "500", "busy", ""),
		".claude/sessions/11.json":     registration(11, "waiting", "600", "waiting", `,"waitingFor":"permission prompt"`),
		".claude/sessions/12.json":     registration(12, "reused", "1", "busy", ""),
		".claude/sessions/13.json":     registration(13, "shell", "800", "shell", ""),
		".claude/sessions/14.json":     `{"pid":14,"sessionId":"number","procStart":900,"status":"idle"}`,
		".claude/sessions/15.json":     registration(15, "twice", "950", "idle", ""),
		".claude/sessions/16.json":     registration(16, "twice", "960", "busy", ""),
		".claude/sessions/99.json":     registration(99, "killed", "1", "busy", ""),
		".claude/sessions/pid-10.json": registration(10, "legacy", "500", "busy", ""),
		".claude/sessions/10.abc.key":  registration(10, "secret", "500", "busy", ""),
		".claude/sessions/17.json":     `{"pid":`,
	})
	want := []string{"claude:busy 10 busy", "claude:number 14 idle", "claude:shell 13 busy", "claude:twice 16 busy", "claude:waiting 11 waiting permission prompt"}
	if d := cmp.Diff(want, live(t, home, time.Now())); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := os.RemoveAll(filepath.Join(home, "proc", "10")); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want[1:], live(t, home, time.Now())); d != "" {
		t.Errorf("after the process died (-want +got):\n%s", d)
	}
}

// A process of another container has a number that means nothing here: only a fresh file counts.
func TestLiveInContainer(t *testing.T) {
	home := tree(t, t.TempDir(), map[string]string{
		"proc/10/stat":             stat(10, "1"),
		".claude/sessions/10.json": registration(10, "there", "500", "busy", `,"pidDomain":"linux:x:pid:[99]"`),
		".claude/sessions/11.json": registration(11, "here", "500", "busy", `,"pidDomain":"linux:x:pid:[1]"`),
		"proc/11/stat":             stat(11, "500"),
		"proc/self/ns/.keep":       "",
	})
	if err := os.Symlink("pid:[1]", filepath.Join(home, "proc/self/ns/pid")); err != nil {
		t.Fatal(err)
	}
	written := time.UnixMilli(1_796_000_000_010)
	if d := cmp.Diff([]string{"claude:here 11 busy", "claude:there 10 busy"}, live(t, home, written.Add(time.Minute))); d != "" {
		t.Errorf("a minute later (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"claude:here 11 busy"}, live(t, home, written.Add(time.Hour))); d != "" {
		t.Errorf("an hour later (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"claude:here 11 busy"}, live(t, home, written.Add(-time.Hour))); d != "" {
		t.Errorf("the clock was set back by an hour (-want +got):\n%s", d)
	}
}

// Before 2.1.139 there is no registry: a transcript that grows while the program runs.
func TestLiveWithoutRegistry(t *testing.T) {
	home := tree(t, t.TempDir(), map[string]string{
		".claude/projects/-w/fresh.jsonl":   "{}\n",
		".claude/projects/-w/old.jsonl":     "{}\n",
		".claude/projects/-w/agent-a.jsonl": "{}\n",
		"proc/1/comm":                       "init\n",
		"proc/7/comm":                       "node\n",
		"proc/7/cmdline":                    "node\x00/usr/bin/claude\x00",
	})
	now := time.Now()
	if err := os.Chtimes(filepath.Join(home, ".claude/projects/-w/old.jsonl"), now, now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"claude:fresh 0"}, live(t, home, now)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := live(t, home, now.Add(-3*time.Hour)); len(got) != 0 {
		t.Errorf("the clock was set back: got %q", got)
	}
	if err := os.RemoveAll(filepath.Join(home, "proc", "7")); err != nil {
		t.Fatal(err)
	}
	if got := live(t, home, now); len(got) != 0 {
		t.Errorf("no process runs: got %q", got)
	}
}
