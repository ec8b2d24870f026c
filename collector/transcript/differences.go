package transcript

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// maxDifferences is how many differences are listed: one cause makes many.
const maxDifferences = 50

// differences says in words where the store and the log disagree.
func differences(stored *collector.Session, turns []*collector.Turn, an *collector.Analysis) []string {
	d := []string{}
	d = differ(d, "session", stored.Totals, an.Session.Totals)
	d = differ(d, "session", map[string]any{"title": stored.Title, "model": stored.Model, "startedAt": stored.StartedAt, "lastAt": stored.LastAt, "topTools": stored.TopTools},
		map[string]any{"title": an.Session.Title, "model": an.Session.Model, "startedAt": an.Session.StartedAt, "lastAt": an.Session.LastAt, "topTools": an.Session.TopTools})
	if len(turns) != len(an.Turns) {
		d = append(d, fmt.Sprintf("%d turns in the store, %d in the log", len(turns), len(an.Turns)))
	}
	for i := range min(len(turns), len(an.Turns)) {
		name := fmt.Sprintf("turn %d", i+1)
		d = differ(d, name, turnFacts(turns[i]), turnFacts(an.Turns[i]))
		d = differ(d, name, turns[i].Totals, an.Turns[i].Totals)
	}
	return d[:min(len(d), maxDifferences)]
}

func turnFacts(t *collector.Turn) map[string]any {
	calls := make([]string, 0, len(t.ToolCalls))
	for _, c := range t.ToolCalls {
		calls = append(calls, fmt.Sprintf("%d %s %d", c.Seq, c.Tool, c.Ref.Offset))
	}
	flags := make([]string, 0, len(t.Flags))
	for _, f := range t.Flags {
		flags = append(flags, fmt.Sprintf("%s %s %d", f.Kind, f.At.Kind, f.At.Seq))
	}
	return map[string]any{
		"key": t.Key, "origin": t.Origin, "status": t.Status, "model": t.Model, "startedAt": t.StartedAt, "endedAt": t.EndedAt,
		"inherited": t.Inherited, "rewound": t.Rewound, "roundTrips": len(t.RoundTrips), "markers": len(t.Markers), "calls": calls, "flags": flags, "prompt": t.Prompt.Bytes,
		"reply": t.Reply.Bytes,
	}
}

// differ compares two values field by field, as they stand in JSON.
func differ(d []string, name string, stored, read any) []string {
	a, b := fields(stored), fields(read)
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if string(a[key]) != string(b[key]) {
			d = append(d, fmt.Sprintf("%s: %s %s in the store, %s in the log", name, key, a[key], b[key]))
		}
		delete(b, key)
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		d = append(d, fmt.Sprintf("%s: no %s in the store, %s in the log", name, key, b[key]))
	}
	return d
}

func fields(v any) map[string]json.RawMessage {
	b, err := json.Marshal(v)
	m := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		panic(err) // plain data always encodes
	}
	return m
}
