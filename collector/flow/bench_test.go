package flow_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/flow"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

const long = collector.SessionID("acme:long")

// longSession fills a store with a session of 250 turns and 5,000 calls.
func longSession(b *testing.B) *sqlite.DB {
	b.Helper()
	db, err := sqlite.Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	text := collector.Text{Preview: strings.Repeat("a text as it stands in a preview ", 11)[:collector.PreviewBytes], Bytes: 2000}
	change := sqlite.SessionChange{Session: &collector.Session{ID: long, Agent: "acme", Path: "long.jsonl", Totals: collector.ZeroTotals()}, Stream: "acme/log/long", Cursor: []byte("{}")}
	for i := range 250 {
		u := turn(i, int64(i*100+1), collector.TurnOK)
		u.Prompt, u.Reply, u.Totals = text, text, collector.ZeroTotals()
		for j := range 10 {
			r := trip(i*10+j, i, int64(i*100+j*10+2))
			r.Text = text
			u.RoundTrips = append(u.RoundTrips, r)
			for k := range 2 {
				c := call(r.Seq*2+k, i, r.Seq, fmt.Sprintf("call_%d_%d", r.Seq, k), r.Ref.Offset+3, r.Ref.Offset+5)
				c.Args, c.Result = text, collector.Text{Preview: text.Preview, Ref: c.Result.Ref}
				u.ToolCalls = append(u.ToolCalls, c)
			}
		}
		change.Turns = append(change.Turns, u)
		change.RoundTrips = append(change.RoundTrips, u.RoundTrips...)
		change.Calls = append(change.Calls, u.ToolCalls...)
	}
	if _, err := db.Commit(b.Context(), &sqlite.Batch{Sessions: []sqlite.SessionChange{change}}); err != nil {
		b.Fatal(err)
	}
	return db
}

// BenchmarkRibbon answers for a session of 5,000 calls from the store; 30 ms are the limit.
func BenchmarkRibbon(b *testing.B) {
	db := longSession(b)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		turns, total, err := db.SketchTurns(b.Context(), long, 0)
		if err != nil {
			b.Fatal(err)
		}
		r := flow.NewRibbon(turns, total)
		data, err := json.Marshal(r)
		if err != nil || len(r.Calls) != 5000 || len(data) > 300_000 {
			b.Fatal(len(r.Calls), len(data), err)
		}
		size = len(data)
	}
	b.ReportMetric(float64(size), "json-bytes")
}

// BenchmarkTurn answers for the last turn of it, as a page does when the turn grew.
func BenchmarkTurn(b *testing.B) {
	db := longSession(b)
	for b.Loop() {
		turns, total, err := db.WholeTurns(b.Context(), long, 249, 1)
		if err != nil {
			b.Fatal(err)
		}
		if g := flow.Build(turns, nil, total); len(g.Nodes) != 31 {
			b.Fatal(len(g.Nodes))
		}
	}
}

// BenchmarkGraph draws all of it.
func BenchmarkGraph(b *testing.B) {
	db := longSession(b)
	for b.Loop() {
		turns, total, err := db.WholeTurns(b.Context(), long, 0, 0)
		if err != nil {
			b.Fatal(err)
		}
		if g := flow.Build(turns, nil, total); len(g.Nodes) != 7750 {
			b.Fatal(len(g.Nodes))
		}
	}
}
