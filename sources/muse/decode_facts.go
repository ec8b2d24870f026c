package muse

import (
	"cmp"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

func (d *decoder) facts(r *record, f collector.Facts) {
	if f != (collector.Facts{}) {
		ev := r.of(collector.EventFacts)
		ev.Facts = &f
		d.add(ev)
	}
}

// parent returns whose sub-agent the log's session is, "" if it is a session of its own: its directory says so.
func (d *decoder) parent() collector.SessionID {
	id := string(d.stream.Session)
	return collector.SessionID(id[:max(strings.LastIndexByte(id, '~'), 0)])
}

func (d *decoder) metadata(r *record) {
	d.facts(r, collector.Facts{
		Cwd:     jsonl.Str(r.fact, "workspace_root"),
		Model:   jsonl.Str(r.fact, "model_id"),
		Version: jsonl.Str(r.fact, "build", "semver"),
		Parent:  d.parent(),
	})
}

func (d *decoder) route(r *record) {
	if cwd := jsonl.Str(r.fact, "cwd"); cwd != "" {
		d.facts(r, collector.Facts{Cwd: cwd, Fallback: true})
	}
}

func (d *decoder) branch(r *record) {
	if jsonl.Str(r.fact, "reference", "kind") == "branch" {
		d.facts(r, collector.Facts{Branch: jsonl.Str(r.fact, "reference", "name")})
	}
}

func (d *decoder) runModel(r *record) {
	d.facts(r, collector.Facts{Model: jsonl.Str(r.fact, "model_id")})
}

func (d *decoder) modelChange(r *record) {
	to, from := jsonl.Str(r.fact, "effective", "model_id"), jsonl.Str(r.fact, "previous", "model_id")
	d.facts(r, collector.Facts{Model: to})
	if to != "" && from != "" && from != to {
		d.mark(r, collector.MarkerModel, to, collector.MarkerOK, jsonl.ClipString("was "+from, d.limit))
	}
}

// renamed takes the name that the user gave. Those that the program makes up are two words without a meaning.
func (d *decoder) renamed(r *record) {
	if jsonl.Str(r.fact, "source") == "user" {
		d.facts(r, collector.Facts{Title: jsonl.Str(r.fact, "new_name"), TitleRank: collector.TitleUser})
	}
}

func (d *decoder) resumed(r *record) { d.facts(r, collector.Facts{Resumed: true}) }

// linked takes that the harness started a sub-agent by itself; its own log says the rest.
func (d *decoder) linked(r *record) {
	d.child(r, jsonl.Str(r.event, "child_session_id"), collector.Facts{Role: jsonl.Str(r.event, "reminder_agent_id")})
}

// spawned takes that a call started a sub-agent (from names in the program's binary; not seen).
func (d *decoder) spawned(r *record) {
	own := cmp.Or(jsonl.Str(r.fact, "subagent_session_id"), jsonl.Str(r.fact, "child_session_id"))
	d.child(r, own, collector.Facts{
		Role: jsonl.Str(r.fact, "agent_path"), ParentCall: jsonl.Str(r.fact, "dispatched_via_tool_call_id"),
	})
}

func (d *decoder) child(r *record, own string, f collector.Facts) {
	if own == "" || own == d.stream.Session.Own() {
		return
	}
	f.Parent = d.stream.Session
	ev := r.of(collector.EventFacts)
	ev.Session, ev.Facts = d.stream.Session.Child(own), &f
	d.add(ev)
}

// mark adds a marker that is named by its record.
func (d *decoder) mark(r *record, kind collector.MarkerKind, name string, status collector.MarkerStatus, text collector.Text) {
	ev := r.of(collector.EventMarker)
	ev.Turn, ev.Key, ev.Marker, ev.Name, ev.MarkerStatus, ev.Text = r.run, r.id, kind, name, status, text
	d.add(ev)
}
