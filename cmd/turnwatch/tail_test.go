package main_test

import (
	"bufio"
	"encoding/json"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// tailed is a running tail.
type tailed struct {
	t     *testing.T
	lines chan string
	end   func() int
}

func tail(t *testing.T, home string, args ...string) *tailed {
	t.Helper()
	cmd := program(t, home, append([]string{"tail", "--live-every", "50ms"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	x := &tailed{t: t, lines: make(chan string, 1000)}
	done := make(chan struct{}, 2)
	for _, from := range []*bufio.Scanner{bufio.NewScanner(out), bufio.NewScanner(errs)} {
		go func() {
			for from.Scan() {
				x.lines <- from.Text()
			}
			done <- struct{}{}
		}()
	}
	x.end = func() int {
		_ = cmd.Process.Signal(syscall.SIGINT)
		<-done
		<-done
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode()
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return x
}

// line waits for a line that holds all of these, and fails on one that holds not.
func (x *tailed) line(not string, wants ...string) string {
	x.t.Helper()
	late := time.After(30 * time.Second)
	var seen []string
next:
	for {
		select {
		case l := <-x.lines:
			seen = append(seen, l)
			if not != "" && strings.Contains(l, not) {
				x.t.Fatalf("it wrote %q", l)
			}
			for _, w := range wants {
				if !strings.Contains(l, w) {
					continue next
				}
			}
			return l
		case <-late:
			x.t.Fatalf("no line with %q among:\n%s", wants, strings.Join(seen, "\n"))
		}
	}
}

// TestTail follows a session that grows, beside a running Turnwatch and without one.
func TestTail(t *testing.T) {
	for _, beside := range []bool{true, false} {
		t.Run(map[bool]string{true: "beside a running Turnwatch", false: "alone"}[beside], func(t *testing.T) {
			home := t.TempDir()
			live, err := corpus.NewLive(home, 1, 3, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			other, err := corpus.NewLive(home, 2, 3, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			if beside {
				serve(t, home).ready()
			}
			own := collector.SessionID(live.Session).Own()
			x := tail(t, home, own[:13])
			x.line("", "▸")
			if err := other.Append(4); err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{2, 2, 2, 3} { // a call and its result; the last time, a prompt before
				if err := live.Append(n); err != nil {
					t.Fatal(err)
				}
				asked := x.line("", "→")
				answered := x.line("", "✓")
				if strings.Contains(asked, own[:8]) || asked == answered {
					t.Errorf("%q, %q", asked, answered)
				}
			}
			if code := x.end(); code != 0 {
				t.Errorf("interrupted, it ended with %d", code)
			}
			if !beside {
				has(t, refused(t, 1, home, "status"), "no Turnwatch runs") // it has left the data directory
			}
		})
	}
}

// TestTailAll follows all agents, sessions that begin later included, and tells them apart.
func TestTailAll(t *testing.T) {
	home := t.TempDir()
	old, err := corpus.NewLive(home, 1, 3, func() time.Time { return time.Now().Add(-time.Hour) })
	if err != nil {
		t.Fatal(err)
	}
	serve(t, home).ready()
	x := tail(t, home)
	x.line("", "following all agents")
	messages := tail(t, home, "--json")
	messages.line("", `"type":"hello"`)
	fresh, err := corpus.NewLive(home, 2, 3, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Append(2); err != nil {
		t.Fatal(err)
	}
	x.line(collector.SessionID(old.Session).Own()[:8], "→", collector.SessionID(fresh.Session).Own()[:8])
	var m collector.Message
	if err := json.Unmarshal([]byte(messages.line("", "session.updated")), &m); err != nil || m.Session == "" {
		t.Errorf("%+v, %v", m, err)
	}
	x.end()
	messages.end()
}

func TestTailRefuses(t *testing.T) {
	home := t.TempDir()
	has(t, refused(t, 2, home, "tail", "--demo"), "do not grow")
	has(t, refused(t, 4, home, "tail", "nobody"), `there is no session "nobody"`)
	has(t, refused(t, 1, home, "tail", "--data-dir", filepath.Join("/proc", "nowhere")), "--data-dir")
}
