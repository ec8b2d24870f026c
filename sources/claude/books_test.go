package claude_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/claude"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// home is what a whole home folds to, and what the sessions' cost-states say.
type home struct {
	sessions map[collector.SessionID]*fold.Session
	booked   map[collector.SessionID]*collector.Accounting
}

// readHome reads the streams in the order of discovery, or the other way round.
func readHome(t *testing.T, dir string, backwards bool) home {
	t.Helper()
	h := home{map[collector.SessionID]*fold.Session{}, map[collector.SessionID]*collector.Accounting{}}
	src := claude.New(sourcetest.Host(t, dir))
	var streams []collector.Stream
	for st, err := range src.Discover(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, st)
	}
	if backwards {
		slices.Reverse(streams)
	}
	for _, st := range streams {
		var cp collector.Checkpoint
		for r, err := range src.Read(context.Background(), st, &cp) {
			if err != nil {
				t.Fatal(err)
			}
			evs, err := src.Decode(nil, st, r)
			if err != nil {
				t.Fatal(err)
			}
			for i := range evs {
				id := evs[i].Session
				if id == "" {
					id = st.Session
				}
				if f := evs[i].Facts; f != nil && f.Accounting != nil {
					h.booked[id] = f.Accounting
				}
				if h.sessions[id] == nil {
					h.sessions[id] = fold.New(id)
				}
				h.sessions[id].Apply(&evs[i], r.Ref)
			}
		}
	}
	for _, f := range h.sessions {
		f.Settle(fold.Judges{})
	}
	return h
}

// The CLI's own books, of the session with its sub-agents, must agree with the sum of the round trips to the token.
func TestTokensAgreeWithCostState(t *testing.T) {
	n := collector.Exact[int64]
	// The request that wrote a compaction's summary stands in no transcript.
	summary := collector.Tokens{Input: n(7), CacheRead: n(15893), CacheWrite5m: n(200), CacheWrite1h: n(1000), Output: n(40), Reasoning: n(0)}
	unbooked := map[string]collector.Tokens{"cccccccc-0001-4ccc-8ccc-cccccccccccc": summary}
	skipped := []string{
		"11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", // one recorded id stands for two responses
		"aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", // a fork: its books begin with its parent's total
	}
	checked := 0
	for _, dir := range recordings(t) {
		h := readHome(t, dir+"/home", false)
		for id, books := range h.booked {
			if slices.Contains(skipped, id.Own()) {
				continue
			}
			sum := collector.ZeroTokens()
			for child, f := range h.sessions {
				if child.Root() == id {
					sum = sum.Plus(f.Row().Totals.Tokens)
				}
			}
			if extra, ok := unbooked[id.Own()]; ok {
				sum = sum.Plus(extra)
			}
			want := books.Tokens
			if len(h.sessions[id].Row().Model) == 0 {
				want = collector.ZeroTokens() // no request was answered: the books are empty
			}
			if d := cmp.Diff(want, sum); d != "" {
				t.Errorf("%s (-cost-state +round trips):\n%s", id, d)
			}
			checked++
		}
	}
	if checked < 20 {
		t.Errorf("only %d sessions had books", checked)
	}
}

// No record of the recordings is of a kind that the source does not know.
func TestRecordingsAreKnown(t *testing.T) {
	for _, dir := range recordings(t) {
		if filepath.Base(dir) == "made" {
			continue // it has a row of the future
		}
		src := claude.New(sourcetest.Host(t, dir+"/home"))
		for st, err := range src.Discover(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			var cp collector.Checkpoint
			for r, err := range src.Read(context.Background(), st, &cp) {
				if err != nil {
					t.Fatal(err)
				}
				evs, _ := src.Decode(nil, st, r)
				for _, ev := range evs {
					if ev.Kind == collector.EventUnknown || ev.Kind == collector.EventMalformed {
						t.Errorf("%s line %d: %s", strings.TrimPrefix(st.Path, dir), r.Line, sketch(ev))
					}
				}
			}
		}
	}
}

// What a home says does not depend on the order in which its files are read.
func TestOrderOfFiles(t *testing.T) {
	for _, dir := range recordings(t) {
		there, back := readHome(t, dir+"/home", false), readHome(t, dir+"/home", true)
		for id, f := range there.sessions {
			if d := cmp.Diff(f.Row(), back.sessions[id].Row()); d != "" {
				t.Errorf("%s (-forwards +backwards):\n%s", id, d)
			}
		}
	}
}

// T4: sub-agents are children with their own models; their journal and meta files add nothing.
func TestT4Children(t *testing.T) {
	answer := func(id, model string, out int) string {
		line := assistantLine("u"+id, "10:00:01", id, "end_turn", say("done"), tokens(1, 0, 0, out))
		return userLine("p"+id, "10:00:00", `"go"`) + "\n" + strings.Replace(line, "claude-x", model, 1) + "\n"
	}
	p := ".claude/projects/-w/" + sid
	dir := tree(t, t.TempDir(), map[string]string{
		p + ".jsonl":                               answer("m1", "big", 5),
		p + "/subagents/agent-a.jsonl":             answer("m2", "small", 7),
		p + "/subagents/agent-a.meta.json":         `{"agentType":"Explore","toolUseId":"c1","totalTokens":900}`,
		p + "/subagents/workflows/w/agent-b.jsonl": answer("m3", "tiny", 11),
		p + "/subagents/workflows/w/journal.jsonl": `{"type":"result","agentId":"b","usage":{"output_tokens":900}}` + "\n",
	})
	got := map[string]int64{}
	for id, f := range readHome(t, dir, false).sessions {
		got[strings.TrimPrefix(string(id), "claude:"+sid)+" "+f.Row().Model+" "+f.Row().Role] = f.Row().Totals.Tokens.Output.Value
	}
	if d := cmp.Diff(map[string]int64{" big ": 5, "~a small Explore": 7, "~b tiny ": 11}, got); d != "" {
		t.Errorf("output tokens (-want +got):\n%s", d)
	}
}
