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

func readHome(t *testing.T, dir string) home {
	t.Helper()
	h := home{map[collector.SessionID]*fold.Session{}, map[collector.SessionID]*collector.Accounting{}}
	src := claude.New(sourcetest.Host(t, dir))
	for st, err := range src.Discover(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
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
		h := readHome(t, dir+"/home")
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
