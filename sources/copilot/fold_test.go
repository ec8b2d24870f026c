package copilot_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/copilot"
)

// recordings holds one case per recorded session.
const recordings = "../../testdata/copilot"

// decoded is an event with the place of its record. Its Session is filled in.
type decoded struct {
	collector.Event
	ref collector.Ref
}

// decodeAll reads all streams of the source from their beginnings.
func decodeAll(t testing.TB, src collector.Source) []decoded {
	t.Helper()
	var out []decoded
	for st, err := range src.Discover(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		var cp collector.Checkpoint
		out = append(out, readOn(t, src, st, &cp)...)
	}
	return out
}

// readOn reads a stream on from cp.
func readOn(t testing.TB, src collector.Source, st collector.Stream, cp *collector.Checkpoint) []decoded {
	t.Helper()
	var out []decoded
	for r, err := range src.Read(t.Context(), st, cp) {
		if err != nil {
			t.Fatalf("%s: %v", st.ID, err)
		}
		r.TextLimit = collector.PreviewBytes
		events, err := src.Decode(nil, st, r)
		if err != nil {
			t.Fatalf("%s: %v", st.ID, err)
		}
		for _, ev := range events {
			ev.Session = cmp.Or(ev.Session, st.Session)
			out = append(out, decoded{ev, r.Ref})
		}
	}
	return out
}

// foldAll folds the events, session by session.
func foldAll(events []decoded) map[collector.SessionID]*fold.Session {
	out := map[collector.SessionID]*fold.Session{}
	for i := range events {
		ev := events[i]
		s := out[ev.Session]
		if s == nil {
			s = fold.New(ev.Session)
			out[ev.Session] = s
		}
		s.Apply(&ev.Event, ev.ref)
	}
	for _, s := range out {
		s.Settle(fold.Judges{})
	}
	return out
}

// host is a machine with nothing but a home.
func host(t testing.TB, home string) collector.Host {
	t.Helper()
	return collector.Host{Home: home, Getenv: func(string) string { return "" }, Proc: t.TempDir()}
}

// cases returns the names of the recorded sessions.
func cases(t testing.TB) []string {
	t.Helper()
	homes, err := filepath.Glob(filepath.Join(recordings, "*/home"))
	if err != nil || len(homes) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for i, home := range homes {
		homes[i] = filepath.Base(filepath.Dir(home))
	}
	return homes
}

// recorded opens the home of a case.
func recorded(t testing.TB, name string) *copilot.Source {
	t.Helper()
	return copilot.New(host(t, filepath.Join(recordings, name, "home")))
}

// usage is a total as the log writes it: input with what was read from the cache and written to it.
type usage struct{ Requests, Input, Output, CacheRead, CacheWrite int64 }

// shutdownUsage adds up the modelMetrics of a recording's shutdowns: of the last one if they are cumulative, else of all.
func shutdownUsage(t *testing.T, name string, cumulative bool) usage {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(recordings, name, "home/.copilot/session-state/*/events.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v, %v", name, files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var sum usage
	for line := range strings.Lines(string(data)) {
		var rec struct {
			Type string
			Data struct {
				ModelMetrics map[string]struct {
					Requests struct{ Count int64 }
					Usage    struct{ InputTokens, OutputTokens, CacheReadTokens, CacheWriteTokens int64 }
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatal(err)
		}
		if rec.Type != "session.shutdown" {
			continue
		}
		if cumulative {
			sum = usage{}
		}
		for _, m := range rec.Data.ModelMetrics {
			sum.Requests += m.Requests.Count
			sum.Input += m.Usage.InputTokens
			sum.Output += m.Usage.OutputTokens
			sum.CacheRead += m.Usage.CacheReadTokens
			sum.CacheWrite += m.Usage.CacheWriteTokens
		}
	}
	return sum
}

// TestTotalsEqualShutdown compares what is folded from the records with what the CLI itself says at the end, over the
// session and its sub-agents. A compaction's request is in our totals and not in the CLI's.
func TestTotalsEqualShutdown(t *testing.T) {
	for _, name := range cases(t) {
		t.Run(name, func(t *testing.T) {
			version, _, _ := strings.Cut(name, "-")
			want := shutdownUsage(t, name, version != "1.0.20" && version != "1.0.65")
			if strings.Contains(name, "compact") {
				want.Input += 1400
				want.Output += 42
				want.CacheRead += 500
			}
			var got usage
			for _, s := range foldAll(decodeAll(t, recorded(t, name))) {
				n := s.Row().Totals
				got.Requests += int64(n.RoundTrips)
				got.Input += n.Tokens.Context().Value
				got.Output += n.Tokens.Output.Value
				got.CacheRead += n.Tokens.CacheRead.Value
				got.CacheWrite += n.Tokens.CacheWrite5m.Value
				if q := n.Tokens.Output.Quality; q != collector.QualityExact {
					t.Errorf("%s: output tokens are %v, want exact", s.Row().ID, q)
				}
				if n := s.Orphans(); n != 0 {
					t.Errorf("%s: %d results answer no call", s.Row().ID, n)
				}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("totals (-shutdown +folded):\n%s", diff)
			}
		})
	}
}

// TestNothingUnknown: every record of every recording is known.
func TestNothingUnknown(t *testing.T) {
	for _, name := range cases(t) {
		for _, ev := range decodeAll(t, recorded(t, name)) {
			if ev.Kind == collector.EventUnknown || ev.Kind == collector.EventMalformed {
				t.Errorf("%s, line %d: %s %s", name, ev.ref.Line, ev.Name, ev.Text.Preview)
			}
		}
	}
}
