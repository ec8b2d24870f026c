package pipeline_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/testdata/corpus"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// age gives the files below home random ages: the newest is read first.
func age(t *testing.T, home string, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 2))
	old := time.Now().Add(-48 * time.Hour)
	must(t, filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		at := old.Add(time.Duration(r.IntN(1_000_000)) * time.Millisecond)
		return os.Chtimes(path, at, at)
	}))
}

// recordedHomes lays out every recording. Recordings that would share a file stand in different homes.
func recordedHomes(t *testing.T) []string {
	t.Helper()
	cases, err := filepath.Glob("../../testdata/*/*/home")
	must(t, err)
	if len(cases) < 40 {
		t.Fatalf("only %d recordings", len(cases))
	}
	var all []string
	for _, c := range cases {
		files := map[string][]byte{}
		must(t, filepath.WalkDir(c, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(c, path)
			files[rel] = read(t, path)
			return err
		}))
		home := freeHome(&all, files, t.TempDir)
		for rel, data := range files {
			must(t, homes.Write(filepath.Join(home, rel), data))
		}
	}
	return all
}

// freeHome returns the first home that has none of the files.
func freeHome(all *[]string, files map[string][]byte, another func() string) string {
next:
	for _, home := range *all {
		for rel := range files {
			if _, err := os.Stat(filepath.Join(home, rel)); err == nil {
				continue next
			}
		}
		return home
	}
	*all = append(*all, another())
	return (*all)[len(*all)-1]
}

func TestRecordingsInAnyOrderAndPieces(t *testing.T) {
	seeds := uint64(scale(4, 1))
	for i, home := range recordedHomes(t) {
		want := ingest(t, home, pipeline.Config{})
		for seed := range seeds {
			age(t, home, seed)
			if got := ingest(t, home, pipeline.Config{BatchRecords: 1 + int(seed)*9}); got != want {
				t.Errorf("home %d, order %d: %s", i, seed, firstDifference(got, want))
			}
		}
	}
}

// TestStoreKeepsEverything goes on from the stored rows after every record: what fold needs is in them.
func TestStoreKeepsEverything(t *testing.T) {
	for i, home := range recordedHomes(t) {
		want := ingest(t, home, pipeline.Config{})
		for _, n := range []int{25, 1}[:scale(2, 1)] {
			if got := ingest(t, home, pipeline.Config{BatchRecords: n, KeepNone: true}); got != want {
				t.Errorf("home %d, after every %d records: %s", i, n, firstDifference(got, want))
			}
		}
	}
}

// TestCorpusIsCountedExactly compares the store's totals with what the generator says that it wrote, to the token.
func TestCorpusIsCountedExactly(t *testing.T) {
	home := t.TempDir()
	m, err := corpus.Generate(home, corpus.Options{MB: scale(12, 4), Sessions: scale(60, 20), Seed: 3})
	must(t, err)
	var want string
	for seed := range uint64(2) {
		age(t, home, seed)
		p := run(t, options{home: home, cfg: pipeline.Config{BatchRecords: 300 + int(seed)*5000}}).ready()
		p.stop()
		for agent, c := range m.Agents {
			got := counts(t, p, collector.Agent(agent))
			if want := manifestCounts(c); got != want {
				t.Errorf("%s:\n got %+v\nwant %+v", agent, got, want)
			}
		}
		if got := p.dump(); seed == 0 {
			want = got
		} else if got != want {
			t.Error(firstDifference(got, want))
		}
	}
}

// counted is what both a manifest and the store count.
type counted struct {
	Sessions, Children, Turns, RoundTrips, Calls, Compactions int
	Input, Output, CacheRead, CacheWrite                      int64
}

func manifestCounts(c *corpus.Counts) counted {
	return counted{c.Sessions, c.SubAgents, c.UserPrompts, c.RoundTrips, c.ToolCalls, c.Compactions, c.InputTokens, c.OutputTokens, c.CacheRead, c.CacheWrite}
}

func counts(t *testing.T, p *running, agent collector.Agent) (n counted) {
	t.Helper()
	page, err := p.db.Sessions(t.Context(), collector.SessionQuery{Agent: agent, Limit: 500})
	must(t, err)
	n.Sessions = len(page.Sessions)
	for _, s := range page.Sessions {
		n.Children += len(s.Children)
		tree := s.TreeTotals
		n.Turns += tree.Turns
		n.RoundTrips += tree.RoundTrips
		n.Calls += tree.Calls
		n.Compactions += tree.Compactions
		n.Input += tree.Tokens.Input.Value
		n.Output += tree.Tokens.Output.Value
		n.CacheRead += tree.Tokens.CacheRead.Value
		n.CacheWrite += tree.Tokens.CacheWrite5m.Value + tree.Tokens.CacheWrite1h.Value
	}
	return n
}

// TestForksCountOnce: a response that several sessions show counts in one of them, whichever file comes first, however it
// is cut, and also after the session that owned it was rewritten without it.
func TestForksCountOnce(t *testing.T) {
	ids := []string{"aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002", "cccccccc-0000-4000-8000-000000000003"}
	history := homes.Lines(ids[0], "orig", 3, 0)
	home := t.TempDir()
	fork := func(own string) [][]byte { // as forks are written: the history copied under the new session's id
		var copied [][]byte
		for _, l := range history {
			copied = append(copied, []byte(strings.ReplaceAll(string(l), ids[0], own)))
		}
		return append(copied, homes.Lines(own, own[:4], 1, 100)...)
	}
	must(t, homes.Write(homes.Transcript(home, ids[0]), history...))
	must(t, homes.Write(homes.Transcript(home, ids[1]), fork(ids[1])...))
	must(t, homes.Write(homes.Transcript(home, ids[2]), fork(ids[2])...))
	const distinct = 3*2 + 2 + 2
	var want string
	for seed := range uint64(scale(8, 4)) {
		age(t, home, seed)
		p := run(t, options{home: home, cfg: pipeline.Config{BatchRecords: 1 + int(seed%4)*6}}).ready()
		if n := counts(t, p, ""); n.RoundTrips != distinct {
			t.Errorf("order %d: %d responses, want %d", seed, n.RoundTrips, distinct)
		}
		got := p.dump()
		p.stop()
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("order %d: %s", seed, firstDifference(got, want))
		}
	}
	p := run(t, options{home: home}).ready()
	must(t, homes.Write(homes.Transcript(home, ids[0]), homes.Lines(ids[0], "else", 1, 300)...))
	p.equals("the owner was rewritten")
	if n := counts(t, p, ""); n.RoundTrips != distinct+2 {
		t.Errorf("%d responses after the owner was rewritten, want %d", n.RoundTrips, distinct+2)
	}
}

// TestOwnerShowsItNoMore: a session that began before all others owns nothing that its log does not show any more.
func TestOwnerShowsItNoMore(t *testing.T) {
	ids := []string{"aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"}
	home := t.TempDir()
	must(t, homes.Write(homes.Transcript(home, ids[0]), homes.Lines(ids[0], "orig", 3, 0)...))
	must(t, homes.Write(homes.Transcript(home, ids[1]), homes.Lines(ids[1], "orig", 3, 100)...))
	p := run(t, options{home: home}).ready()
	if n := counts(t, p, ""); n.RoundTrips != 6 {
		t.Fatalf("%d responses, want 6", n.RoundTrips)
	}
	must(t, homes.Write(homes.Transcript(home, ids[0]), homes.Lines(ids[0], "else", 3, 0)...)) // it still began first
	p.session(homes.Session(ids[1]), "it owns what it alone shows", func(s *collector.Session) bool { return s.Totals.RoundTrips == 6 })
	p.equals("the owner was rewritten")
}

// TestEverySessionOfEveryHome: homes that variables name count beside the default ones, and a session in two of them once.
func TestEverySessionOfEveryHome(t *testing.T) {
	home, second := demoHome(t), t.TempDir()
	before := strings.Count(ingest(t, home, pipeline.Config{}), "\n")
	const own = "dddddddd-0000-4000-8000-00000000000d"
	must(t, homes.Write(homes.Transcript(second, own), homes.Lines(own, "x", 1, 0)...))
	all, err := homes.Dated(home)
	must(t, err)
	must(t, homes.Write(homes.AtMidnight(second, all[0]), read(t, all[0]))) // it is there twice
	a, b, c := homes.Own(second)
	d, _, _ := homes.Own(home)
	vars := homes.Env(a+","+d, b, c)
	h := host(home)
	h.Getenv = func(key string) string { return vars[key] }
	p := run(t, options{home: home, host: &h}).ready()
	after := strings.Count(p.dump(), "\n")
	if want := before + 1 + 1 + 2 + 1 + 1; after != want { // a session, its turn, two responses, a call, a stream
		t.Errorf("%d rows with the second home, want %d", after, want)
	}
	p.session(homes.Session(own), "of the second home", func(s *collector.Session) bool { return s.Totals.Turns == 1 })
}
