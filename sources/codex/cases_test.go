package codex_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/codex"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// folded folds a case's home and returns its sessions in the order of their threads.
func folded(t *testing.T, name string) []*fold.Session {
	t.Helper()
	all := sessions(t, codex.New(host(filepath.Join(testdata, name, "home"))))
	var out []*fold.Session
	for _, id := range sortedKeys(all) {
		if all[id].Row().Path != "" {
			out = append(out, all[id])
		}
	}
	return out
}

// gist is what the cases of users' reports are about.
type gist struct {
	Title, Cwd       string
	Prompts, Replies []string
	RoundTrips       int
	Input, CacheRead int64 // uncached, and read from the cache
	Output           int64
	Total            int64
}

func gistOf(f *fold.Session) gist {
	row := f.Row()
	n := row.Totals.Tokens
	g := gist{
		Title: row.Title, Cwd: row.Cwd, RoundTrips: row.Totals.RoundTrips,
		Input: n.Input.Value, CacheRead: n.CacheRead.Value, Output: n.Output.Value, Total: n.Total().Value,
	}
	for _, turn := range f.Turns() {
		if !turn.Inherited {
			g.Prompts = append(g.Prompts, turn.Prompt.Preview)
			g.Replies = append(g.Replies, turn.Reply.Preview)
		}
	}
	return g
}

// cwd is where the made-up threads work.
const cwd = "/home/dev/ws/repo1"

// replay is a parent and the child that copied its history: only what is its own counts.
var replay = []gist{
	{
		Title: "delegate", Cwd: cwd, Prompts: []string{"delegate"}, Replies: []string{"answered"},
		RoundTrips: 3, Input: 13000, CacheRead: 19000, Output: 300, Total: 32300,
	},
	{
		Title: "read the note", Cwd: cwd, Prompts: []string{"read the note"}, Replies: []string{"the note says hi"},
		RoundTrips: 1, Input: 1000, CacheRead: 3000, Output: 40, Total: 4040,
	},
}

func TestReportedCases(t *testing.T) {
	for _, c := range []struct {
		name string
		want []gist
	}{
		{"T6", []gist{{
			Title: "count me once", Cwd: cwd, Prompts: []string{"count me once"}, Replies: []string{"counted"},
			RoundTrips: 1, Input: 750, CacheRead: 250, Output: 200, Total: 1200,
		}}},
		{"T8", []gist{{
			Title: "cache and reasoning", Cwd: cwd, Prompts: []string{"cache and reasoning"}, Replies: []string{"done"},
			RoundTrips: 1, Input: 27174, CacheRead: 96128, Output: 1944, Total: 125246,
		}}},
		{"T9", replay},
		{"T9-other-ids", replay},
		{"T9-no-turns", replay},
		{"mixed", []gist{{
			Title: "old turn", Cwd: cwd, Prompts: []string{"old turn", "new turn"}, Replies: []string{"old", "new"},
			RoundTrips: 3, Input: 1750, CacheRead: 2750, Output: 270, Total: 4770,
		}}},
		{"T12", []gist{{
			Title: "items only", Cwd: cwd, Prompts: []string{"items only"}, Replies: []string{"seen"}, RoundTrips: 1,
		}}},
		{"T12c", []gist{
			{Title: "the real prompt", Cwd: cwd, Prompts: []string{"the real prompt"}, Replies: []string{"ok"}, RoundTrips: 1},
			{Title: "the real bare prompt", Cwd: cwd, Prompts: []string{"the real bare prompt"}, Replies: []string{"ok"}, RoundTrips: 1},
		}},
		{"T24", []gist{{
			Title: "where am I", Cwd: `D:\Code\n8n - KIT`, Prompts: []string{"where am I"}, Replies: []string{"here"}, RoundTrips: 1,
		}}},
		{"g0-document", []gist{{
			Title: "first prompt", Prompts: []string{"first prompt", "second prompt"}, Replies: []string{"one file", "ok"},
			RoundTrips: 2, // one per turn: all items of a document stand at the same place
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []gist
			for _, f := range folded(t, c.name) {
				got = append(got, gistOf(f))
			}
			if diff := cmp.Diff(got, c.want); diff != "" {
				t.Errorf("got (-) and want (+):\n%s", diff)
			}
		})
	}
}

// T9 again: whatever the cut, the replay and the child's own part give the same.
func TestReplayInTwoAppends(t *testing.T) {
	for _, name := range []string{"T9", "T9-other-ids", "T9-no-turns"} {
		t.Run(name, func(t *testing.T) { replayInTwoAppends(t, folded(t, name)[1]) })
	}
}

func replayInTwoAppends(t *testing.T, whole *fold.Session) {
	path := whole.Row().Path
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	grown := filepath.Join(home, ".codex", "sessions", filepath.Base(path))
	if err := os.MkdirAll(filepath.Dir(grown), 0o755); err != nil {
		t.Fatal(err)
	}
	src := codex.New(host(home))
	for cut := range strings.Count(string(data), "\n") {
		head := strings.Join(strings.SplitAfter(string(data), "\n")[:cut+1], "")
		folds := sourcetest.Folds{}
		var cp collector.Checkpoint
		for _, content := range []string{head, string(data)} {
			if err := os.WriteFile(grown, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			folds.Read(t, src, onlyLog(t, src), &cp)
		}
		f := folds[whole.Row().ID]
		f.Settle(fold.Judges{})
		if diff := cmp.Diff(gistOf(f), gistOf(whole)); diff != "" {
			t.Errorf("cut after line %d: got (-) and want (+):\n%s", cut+1, diff)
		}
	}
}

// T22: a line counts when it is complete; a shorter file is another one.
func TestGrowingAndReplacedRollout(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, ".codex", "sessions", "2026", "11", "30", "rollout-2026-11-30T09-00-00-01a22bae-b680-7016-8000-000000000016.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	src := codex.New(host(home))
	var cp collector.Checkpoint
	read := func(content string) (kinds []string, replaced bool) {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		st := onlyLog(t, src)
		for r, err := range src.Read(t.Context(), st, &cp) {
			if err != nil {
				return kinds, true
			}
			events, _ := src.Decode(nil, st, r)
			for _, e := range events {
				kinds = append(kinds, e.Name)
			}
		}
		return kinds, false
	}
	a, b := `{"type":"a","payload":{}}`+"\n", `{"type":"b","payload":{}}`+"\n"
	steps := []struct {
		content  string
		want     []string
		replaced bool
	}{
		{a + b[:9], []string{"a"}, false},
		{a + b, []string{"b"}, false},
		{b, nil, true},
	}
	for i, s := range steps {
		got, replaced := read(s.content)
		if diff := cmp.Diff(got, s.want); diff != "" || replaced != s.replaced {
			t.Fatalf("step %d: replaced %v, got (-) and want (+):\n%s", i, replaced, diff)
		}
	}
	cp = collector.Checkpoint{Generation: 1}
	if got, _ := read(b); !cmp.Equal(got, []string{"b"}) {
		t.Errorf("from the start: got %v", got)
	}
}

// T29: what makes four calls a loop is that they are alike and nothing was edited between them.
func TestLoopsAreAlikeAndEditsShow(t *testing.T) {
	turns := folded(t, "T29")[0].Turns()
	alike := func(calls []*collector.ToolCall) (args, results map[uint64]bool, edits int) {
		args, results = map[uint64]bool{}, map[uint64]bool{}
		for _, c := range calls {
			if c.Effect == collector.EffectEdit {
				edits++
				continue
			}
			args[c.ArgsHash], results[c.ResultHash] = true, true
		}
		return args, results, edits
	}
	for i, wantEdits := range []int{0, 4} {
		args, results, edits := alike(turns[i].ToolCalls)
		if len(args) != 1 || len(results) != 1 || edits != wantEdits {
			t.Errorf("turn %d: %d different arguments, %d different results, %d edits; want 1, 1, %d", i, len(args), len(results), edits, wantEdits)
		}
	}
}

// T34: homes listed in the environment and the default one; a thread that lies in two of them counts once.
func TestHomes(t *testing.T) {
	home, err := filepath.Abs(filepath.Join(testdata, "T34", "home"))
	if err != nil {
		t.Fatal(err)
	}
	h := host(home)
	h.Getenv = func(key string) string {
		if key != "CODEX_HOME" {
			return ""
		}
		return filepath.Join(home, "work-a") + string(os.PathListSeparator) + "~/work-b/," + filepath.Join(home, ".codex")
	}
	var titles []string
	all := sessions(t, codex.New(h))
	for _, id := range sortedKeys(all) {
		titles = append(titles, all[id].Row().Title)
	}
	if want := []string{"home 0", "my name for it", "home 2"}; !cmp.Equal(titles, want) {
		t.Errorf("titles %q, want %q", titles, want)
	}
}
