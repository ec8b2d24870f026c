package grok_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/grok"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// logs returns the sessions of the logs that are discovered, by the name of their directory.
func logs(t *testing.T, host collector.Host) map[string]collector.SessionID {
	t.Helper()
	out := map[string]collector.SessionID{}
	for st, err := range grok.New(host).Discover(t.Context()) {
		must(t, err)
		if st.Kind == collector.StreamLog {
			out[filepath.Base(filepath.Dir(st.Path))] = st.Session
		}
	}
	return out
}

// TestSubagentWaitsForItsParent: the log of a sub-agent may be there before the session that spawned it says so. It is
// never taken for a session of its own, unless whoever spawned it is gone.
func TestSubagentWaitsForItsParent(t *testing.T) {
	const root, child = "11111112-2222-4333-8444-555555555555", "01a22dc0-4be7-7f42-bd6e-3bb53c6e19ff"
	m := newMachine(t, "1.0.41-subagent-polled")
	both := map[string]collector.SessionID{root: "grok:" + root, child: collector.SessionID("grok:" + root).Child(child)}
	host := sourcetest.Host(t, m.home)
	host.Now = time.Now
	if diff := cmp.Diff(both, logs(t, host)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	must(t, os.RemoveAll(m.path(root, "subagents")))
	if diff := cmp.Diff(map[string]collector.SessionID{root: "grok:" + root}, logs(t, host)); diff != "" {
		t.Errorf("before its parent names it (-want +got):\n%s", diff)
	}
	host.Now = func() time.Time { return time.Now().Add(time.Hour) }
	if diff := cmp.Diff(map[string]collector.SessionID{root: "grok:" + root, child: "grok:" + child}, logs(t, host)); diff != "" {
		t.Errorf("an hour later (-want +got):\n%s", diff)
	}
}

// TestHomes: sessions of all homes that GROK_HOME lists and of the default one, each once (cases: T34).
func TestHomes(t *testing.T) {
	m, other := newMachine(t, "1.0.41-killed"), t.TempDir()
	must(t, os.CopyFS(other, os.DirFS(filepath.Join(testdata, "1.0.41-not-approved/home/.grok"))))
	must(t, os.CopyFS(other, os.DirFS(filepath.Join(m.home, ".grok"))))
	host := sourcetest.Host(t, m.home)
	host.Getenv = func(k string) string { return map[string]string{"GROK_HOME": other}[k] }
	const denied = "eeeeeeee-2222-4333-8444-555555555555"
	want := map[string]collector.SessionID{slow: "grok:" + slow, denied: "grok:" + denied}
	if diff := cmp.Diff(want, logs(t, host)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCopies: a session that lies under two working directories is the one with the longest log, whatever they are called.
func TestCopies(t *testing.T) {
	m := newMachine(t, "1.0.41-killed")
	path := m.path(slow, "updates.jsonl")
	log, err := os.ReadFile(path)
	must(t, err)
	for _, group := range []string{"%2Fa", "%2Fz"} {
		dir := filepath.Join(m.home, ".grok/sessions", group, slow)
		must(t, os.MkdirAll(dir, 0o700))
		for name, part := range map[string][]byte{"without a log": nil, "shorter": log[:len(log)/2], "longer": append(log, log...)} {
			must(t, os.RemoveAll(filepath.Join(dir, "updates.jsonl")))
			want := path
			if part != nil {
				must(t, os.WriteFile(filepath.Join(dir, "updates.jsonl"), part, 0o600))
			}
			if name == "longer" {
				want = filepath.Join(dir, "updates.jsonl")
			}
			var got []string
			for st, err := range grok.New(sourcetest.Host(t, m.home)).Discover(t.Context()) {
				must(t, err)
				if st.Kind == collector.StreamLog {
					got = append(got, st.Path)
				}
			}
			if diff := cmp.Diff([]string{want}, got); diff != "" {
				t.Errorf("%s in %s (-want +got):\n%s", name, group, diff)
			}
		}
		must(t, os.RemoveAll(filepath.Dir(dir)))
	}
}
