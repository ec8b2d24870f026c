package muse_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources/muse"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

const own = "01a0f000-0000-7000-8000-000000000099"

// home makes a home with an empty log, and returns the source for it and the log's stream.
func home(t testing.TB, data string) (*muse.Source, collector.Stream) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, ".local/share/muse/sessions/2026/11/30", own, "session.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	src := muse.New(sourcetest.Host(t, dir))
	st := collector.Stream{ID: "muse/log/" + own, Agent: "muse", Kind: collector.StreamLog, Session: "muse:" + own, Path: path}
	if err := follow.Fill(&st); err != nil {
		t.Fatal(err)
	}
	return src, st
}

// line is an envelope of a run's event.
func line(stream string, seq int, event string) string {
	return fmt.Sprintf(`{"schema_version":1,"id":"r%d","stream":{"kind":"session","id":%q},"sequence":%d,"recorded_at":1795856400000000,"payload_type":"runtime.session","payload":{"event":%s,"kind":"run","run_id":"run-1"}}`+"\n",
		seq, stream, seq, event)
}

// read reads st on and returns its events.
func read(t testing.TB, src collector.Source, st collector.Stream, cp *collector.Checkpoint) (events []collector.Event, records int) {
	t.Helper()
	for r, err := range src.Read(t.Context(), st, cp) {
		if err != nil {
			t.Fatal(err)
		}
		records++
		if events, err = src.Decode(events, st, r); err != nil {
			t.Fatal(err)
		}
	}
	return events, records
}

func add(t testing.TB, path, data string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(data); err != nil {
		t.Fatal(err)
	}
}

// TestLostRecords: numbers are compared within one reading and from one to the next; other streams count by themselves, and
// a mirrored record loses nothing.
func TestLostRecords(t *testing.T) {
	const said = `{"kind":"assistant_message_committed","message_id":"m","text":"x"}`
	marker := fmt.Sprintf(`{"retained_marker":"omitted_live_only","schema_version":1,"stream":{"kind":"session","id":%q},"position":{"id":"p","sequence":3}}`+"\n", own)
	for _, tt := range []struct {
		name          string
		before, after string
		want          int
	}{
		{"none", line(own, 1, said) + line(own, 2, said), line(own, 3, said), 0},
		{"one line", line(own, 1, said), line(own, 3, said), 1},
		{"within one reading", line(own, 1, said) + line(own, 5, said), line(own, 6, said), 3},
		{"a place holder", line(own, 1, said) + line(own, 2, said) + marker, line(own, 4, said), 0},
		{"another stream", line(own, 1, said), line("else", 40, said) + line(own, 2, said), 0},
		{"a record written twice", line(own, 1, said) + line(own, 2, said), line(own, 1, said) + line(own, 3, said), 0},
		{"more than can be counted", line(own, 1, said), line(own, 1_000_000, said), 1000},
	} {
		src, st := home(t, tt.before)
		var cp collector.Checkpoint
		first, _ := read(t, src, st, &cp)
		add(t, st.Path, tt.after)
		second, _ := read(t, src, st, &cp)
		got := 0
		for _, ev := range append(first, second...) {
			if ev.Kind == collector.EventUnknown && ev.Name == "lost record" {
				got++
			}
		}
		if got != tt.want {
			t.Errorf("%s: %d lost, want %d", tt.name, got, tt.want)
		}
	}
}

// configured is a line with a system prompt of that many bytes.
func configured(seq, size int) string {
	return line(own, seq, `{"base_instructions":"`+strings.Repeat(`Be brief.\n `, size/12)+`","kind":"model_request_configured"}`)
}

// TestFollowReadsWhatIsNew: a log with 33 MB of system prompts costs what is appended to it, no more.
func TestFollowReadsWhatIsNew(t *testing.T) {
	const lines = 170
	var day bytes.Buffer
	for i := range lines {
		day.WriteString(configured(i+1, 200_000))
	}
	src, st := home(t, day.String())
	var cp collector.Checkpoint
	events, records := read(t, src, st, &cp)
	if len(events) != 0 || records != lines || cp.Offset != int64(day.Len()) {
		t.Fatalf("%d records with %d events up to %d, want %d with none up to %d", records, len(events), cp.Offset, lines, day.Len())
	}
	const times = 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		add(t, st.Path, line(own, lines+1, `{"kind":"terminal","terminal":"completed"}`))
		if _, n := read(t, src, st, &cp); n != 1 {
			t.Fatalf("%d records after one line was appended", n)
		}
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / times; each > 1<<20 {
		t.Errorf("reading one line on took %d bytes of memory", each)
	}
}

func BenchmarkFollow(b *testing.B) {
	src, st := home(b, "")
	data := []byte(strings.TrimSuffix(configured(1, 200_000), "\n"))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if events, err := src.Decode(nil, st, collector.Record{Data: data, TextLimit: 4096}); err != nil || len(events) != 0 {
			b.Fatal(events, err)
		}
	}
}

// TestIndex: the index fills in what the log does not say; NULL says nothing, a row that changed comes again, and one of a
// time that has not come does not hide it.
func TestIndex(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, ".local/share/muse")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(root, "session-index.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run := func(script string) {
		t.Helper()
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
	}
	run(`PRAGMA journal_mode=WAL; CREATE TABLE sessions(session_id TEXT, session_dir TEXT, session_log_path TEXT, workspace_root TEXT, model_id TEXT,
		git_branch TEXT, title TEXT, session_name TEXT, created_at_us INTEGER, updated_at_us INTEGER);
		INSERT INTO sessions(session_id, workspace_root, title, created_at_us, updated_at_us) VALUES('a', '/w', 'run the build', 1795856400000000, 1795856401000000);
		INSERT INTO sessions(session_id) VALUES('b'); INSERT INTO sessions(session_id, updated_at_us) VALUES('c', 9999999999999999)`)
	h := sourcetest.Host(t, dir)
	h.Tables = sqlite.ReadForeign
	src := muse.New(h)
	var st collector.Stream
	for s, err := range src.Discover(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if s.Kind == collector.StreamFacts {
			st = s
		}
	}
	var cp collector.Checkpoint
	events, _ := read(t, src, st, &cp)
	want := map[collector.SessionID]collector.Facts{
		"muse:a": {Title: "run the build", Cwd: "/w", StartedAt: 1795856400000, Fallback: true},
		"muse:b": {Fallback: true}, "muse:c": {Fallback: true},
	}
	got := map[collector.SessionID]collector.Facts{}
	for _, ev := range events {
		got[ev.Session] = *ev.Facts
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	run(`UPDATE sessions SET git_branch = 'main', updated_at_us = 1795856402000000 WHERE session_id = 'a'`)
	events, _ = read(t, src, st, &cp)
	branch := ""
	for _, ev := range events {
		if ev.Session == "muse:a" {
			branch = ev.Facts.Branch
		}
	}
	if branch != "main" {
		t.Errorf("branch is %q after the row changed", branch)
	}
}
