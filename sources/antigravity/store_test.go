package antigravity_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources/antigravity"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

const own = "c0ffee00-0000-4000-8000-000000000077"

// fields encodes a message: pairs of a field's number and an int, a string or another message.
func fields(pairs ...any) []byte {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		number := protowire.Number(pairs[i].(int))
		switch v := pairs[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v))
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), v)
		case []byte:
			b = protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
		}
	}
	return b
}

// database makes a database below a home; the connection stays open, so that its write-ahead log does, too.
func database(t *testing.T, home, name, schema string) func(query string, args ...any) {
	t.Helper()
	path := filepath.Join(home, ".gemini/antigravity-cli", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	run := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	run("PRAGMA journal_mode=WAL; PRAGMA user_version=1; " + schema)
	return run
}

const conversationSchema = `CREATE TABLE steps (idx integer PRIMARY KEY, step_type integer NOT NULL, status integer NOT NULL, metadata blob, step_payload blob);
	CREATE TABLE gen_metadata (idx integer PRIMARY KEY, data blob, size integer);
	CREATE TABLE trajectory_metadata_blob (id text PRIMARY KEY, data blob)`

// transcript writes a transcript whose responses have no usage: of a version before 1.2.16.
func transcript(t *testing.T, home, name string, lines ...string) {
	t.Helper()
	path := filepath.Join(home, ".gemini/antigravity-cli/brain", own, ".system_generated/logs", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func step(n int, source, kind, rest string) string {
	return fmt.Sprintf(`{"step_index":%d,"source":%q,"type":%q,"status":"DONE","created_at":"2026-11-28T09:00:%02dZ"%s}`, n, source, kind, n, rest)
}

func withTables(t *testing.T, home string) *antigravity.Source {
	h := sourcetest.Host(t, home)
	h.Tables = sqlite.ReadForeign
	return antigravity.New(h)
}

// reading is what was read of a home so far.
type reading struct {
	src    *antigravity.Source
	points map[collector.StreamID]*collector.Checkpoint
	folds  map[collector.SessionID]*fold.Session
	other  []collector.Event // unknown and malformed ones
}

// on reads every stream from where it stopped.
func (r *reading) on(t *testing.T) {
	t.Helper()
	for st, err := range r.src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if st.Kind == collector.StreamDirectory {
			continue
		}
		if r.points[st.ID] == nil {
			r.points[st.ID] = &collector.Checkpoint{}
		}
		for rec, err := range r.src.Read(t.Context(), st, r.points[st.ID]) {
			if err != nil {
				t.Fatalf("%s: %v", st.ID, err)
			}
			events, err := r.src.Decode(nil, st, rec)
			if err != nil {
				t.Fatal(err)
			}
			for i := range events {
				id := events[i].Session
				if id == "" {
					id = st.Session
				}
				if events[i].Kind <= collector.EventMalformed {
					r.other = append(r.other, events[i])
					continue
				}
				if r.folds[id] == nil {
					r.folds[id] = fold.New(id)
				}
				r.folds[id].Apply(&events[i], rec.Ref)
			}
		}
	}
	for _, s := range r.folds {
		s.Settle(fold.Judges{})
	}
}

func newReading(src *antigravity.Source) *reading {
	return &reading{src: src, points: map[collector.StreamID]*collector.Checkpoint{}, folds: map[collector.SessionID]*fold.Session{}}
}

// TestDatabase: usage, window and place come from the database where the transcript has none; a response that is still
// written counts when it is done, and once.
func TestDatabase(t *testing.T) {
	home := t.TempDir()
	transcript(t, home, "transcript.jsonl",
		step(0, "USER_EXPLICIT", "USER_INPUT", `,"content":"hi"`),
		step(1, "MODEL", "PLANNER_RESPONSE", `,"tool_calls":[{"name":"list_dir","args":{}}]`),
		step(2, "MODEL", "GENERIC", `,"content":"x"`), step(3, "MODEL", "PLANNER_RESPONSE", `,"content":"done"`))
	run := database(t, home, "conversations/"+own+".db", conversationSchema)
	created := fields(1, 1795856400, 2, 500_000_000)
	model := func(in, out, read int) []byte {
		return fields(1, created, 9, fields(2, in, 3, out, 5, read, 7, "resp"))
	}
	run("INSERT INTO steps VALUES (0, 14, 3, ?, NULL), (1, 15, 3, ?, NULL), (2, 132, 3, ?, NULL), (3, 15, 8, ?, NULL)",
		fields(1, created), model(300, 40, 900), fields(1, created, 4, fields(1, "call-1", 2, "list_dir")), fields(1, created))
	run("INSERT INTO gen_metadata VALUES (0, ?, 0)", fields(1, fields(9, fields(10, fields(1, 1200, 4, 256000)), 19, "some-model")))
	run("INSERT INTO trajectory_metadata_blob VALUES ('main', ?)", fields(1, fields(1, "file:///w/a%20b", 2, "file:///w", 3, fields(1, "o/r"), 4, "main")))
	r := newReading(withTables(t, home))
	r.on(t)
	s := r.folds["antigravity:"+own]
	if got := s.Row().Totals.Tokens.Input; got != collector.Partial[int64](300) {
		t.Errorf("input is %v while the second response has no usage, want at least 300", got)
	}
	run("UPDATE steps SET status = 3, metadata = ? WHERE idx = 3", model(100, 5, 0))
	run("INSERT INTO steps VALUES (4, 15, 1, ?, NULL)", fields(1, created)) // begins, and is not in the transcript yet
	r.on(t)
	r.on(t)
	row := s.Row()
	want := collector.ZeroTokens()
	want.Input, want.Output, want.CacheRead, want.Reasoning = collector.Exact[int64](400), collector.Exact[int64](45), collector.Exact[int64](900), collector.Count{}
	if diff := cmp.Diff(want, row.Totals.Tokens); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
	if row.Cwd != "/w/a b" || row.Repo != "o/r" || row.Branch != "main" || row.Context.Window.Value != 256000 {
		t.Errorf("place %q %q %q, window %v", row.Cwd, row.Repo, row.Branch, row.Context.Window)
	}
}

// TestDamagedDatabase: another layout, and blobs that are no messages, say nothing and stop nothing.
func TestDamagedDatabase(t *testing.T) {
	for name, script := range map[string]string{
		"no tables":  "CREATE TABLE other (x)",
		"no columns": "CREATE TABLE steps (idx integer, step_type integer)",
		"no blobs":   conversationSchema + "; INSERT INTO steps VALUES (0, 15, 3, 'text', NULL), (1, 15, 3, NULL, NULL), (2, 15, 3, x'4a0a', NULL), (3, 15, 3, x'ffffffffff', NULL)",
	} {
		home := t.TempDir()
		transcript(t, home, "transcript.jsonl", step(0, "USER_EXPLICIT", "USER_INPUT", `,"content":"hi"`), step(1, "MODEL", "PLANNER_RESPONSE", `,"content":"done"`))
		database(t, home, "conversations/"+own+".db", script)
		r := newReading(withTables(t, home))
		r.on(t)
		if got := r.folds["antigravity:"+own].Row().Totals.Tokens; got.Input.Value != 0 || len(r.other) != 0 {
			t.Errorf("%s: %+v, %+v", name, got, r.other)
		}
	}
}

// TestIndex: the index names titles and places, and whose sub-agent a conversation is.
func TestIndex(t *testing.T) {
	home := t.TempDir()
	run := database(t, home, "conversation_summaries.db",
		"CREATE TABLE conversation_summaries (conversation_id text PRIMARY KEY, title text, workspace_uris text, agent_name text, parent_conversation_id text, raw_summary blob)")
	run(`INSERT INTO conversation_summaries VALUES ('a', 'Fix it', '["file:///w"]', '', NULL, NULL), ('b', '', 'file:///w', 'helper', 'a', NULL)`)
	r := newReading(withTables(t, home))
	r.on(t)
	a, b := r.folds["antigravity:a"].Row(), r.folds["antigravity:b"].Row()
	got := []string{a.Title, a.Cwd, string(a.Parent), b.Cwd, string(b.Parent), b.Role}
	if diff := cmp.Diff([]string{"Fix it", "/w", "", "/w", "antigravity:a", "helper"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
