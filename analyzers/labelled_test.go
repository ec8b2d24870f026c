package analyzers_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
)

// labelled is one case of testdata/flags; its README explains the fields.
type labelled struct {
	Name  string
	Label string
	Turn  shortTurn
	Want  []string
}

type shortTurn struct {
	Index     int
	Status    collector.TurnStatus
	Error     string
	Inherited bool
	Typed     []shortCall
	Trips     []struct {
		Times                int
		Inherited, Duplicate bool
		Calls                []shortCall
	}
	Markers []struct {
		Kind      collector.MarkerKind
		Name      string
		Text      string
		Status    collector.MarkerStatus
		InFlight  []int
		Inherited bool
	}
}

type shortCall struct {
	Tool, Args, Result, Error, Effect, Within string
	Exit                                      *int
	Status                                    collector.CallStatus
	Category                                  collector.Category
	Background, Inherited                     bool
	From, To                                  int64
}

func (s *shortTurn) turn() *collector.Turn {
	t := &collector.Turn{Index: s.Index, Status: s.Status, Error: s.Error, Inherited: s.Inherited}
	if t.Status == "" {
		t.Status = collector.TurnOK
	}
	for _, c := range s.Typed {
		t.ToolCalls = append(t.ToolCalls, c.call(len(t.ToolCalls), -1, 0))
	}
	for _, trip := range s.Trips {
		for i := range max(1, trip.Times) {
			r := &collector.RoundTrip{Seq: len(t.RoundTrips), Inherited: trip.Inherited, Calls: len(trip.Calls)}
			if trip.Duplicate {
				r.DuplicateOf = "some:other"
			}
			t.RoundTrips = append(t.RoundTrips, r)
			for _, c := range trip.Calls {
				t.ToolCalls = append(t.ToolCalls, c.call(len(t.ToolCalls), r.Seq, i))
			}
		}
	}
	for i, short := range s.Markers {
		m := &collector.Marker{
			Seq: i, Kind: short.Kind, Name: short.Name, Text: collector.Text{Preview: short.Text},
			Status: short.Status, InFlight: short.InFlight, Inherited: short.Inherited,
		}
		if m.Status == "" {
			m.Status = collector.MarkerOK
		}
		t.Markers = append(t.Markers, m)
	}
	return t
}

func (c shortCall) call(seq, trip, n int) *collector.ToolCall {
	numbered := func(s string) string { return strings.ReplaceAll(s, "%d", fmt.Sprint(n)) }
	args, result := numbered(c.Args), numbered(c.Result)
	call := &collector.ToolCall{
		Seq: seq, RoundTrip: trip, Key: fmt.Sprintf("c%d", seq), Within: c.Within, Tool: c.Tool, Category: c.Category,
		Status: c.Status, ExitCode: c.Exit, Error: c.Error, Background: c.Background, Inherited: c.Inherited,
		StartedAt: c.From, EndedAt: c.To,
		Args: collector.Text{Preview: args}, ArgsHash: hash(args),
		Result: collector.Text{Preview: result}, ResultHash: hash(result),
		Effect: map[string]collector.Effect{"edit": collector.EffectEdit, "poll": collector.EffectPoll}[c.Effect],
	}
	if call.Status == "" {
		call.Status = collector.CallOK
	}
	if call.Category == "" {
		call.Category = collector.CategoryOther
	}
	return call
}

func hash(s string) uint64 {
	if s == "" {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// readLabelled returns the labelled turns, by flag.
func readLabelled(t testing.TB) map[collector.FlagKind][]labelled {
	t.Helper()
	files, err := filepath.Glob("../testdata/flags/*.json")
	if err != nil {
		t.Fatal(err)
	}
	sets := map[collector.FlagKind][]labelled{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var cases []labelled
		if err := json.Unmarshal(data, &cases); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		sets[collector.FlagKind(strings.TrimSuffix(filepath.Base(path), ".json"))] = cases
	}
	return sets
}
