package grok

import (
	"cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// marker begins a marker, named by its record.
func (r *record) marker(kind collector.MarkerKind, name string, status collector.MarkerStatus) collector.Event {
	ev := r.event(collector.EventMarker)
	ev.Key = string(kind) + "/" + r.key()
	ev.Marker, ev.Name, ev.MarkerStatus = kind, name, status
	return ev
}

// retry is a request to the model that failed: it is made again ("retrying") or given up ("failed", "exhausted").
func (d *decoder) retry(r *record) {
	ev := r.marker(collector.MarkerError, cmp.Or(jsonl.Str(r.update, "error_type"), "model"), collector.MarkerFailed)
	ev.Text = jsonl.Clip(r.update.Get("reason"), d.limit)
	if ev.Text.Bytes == 0 {
		ev.Text = jsonl.Clip(r.update.Get("message"), d.limit)
	}
	d.add(ev)
}

// compacted ends a compaction. A manual one (/compact) is written as an automatic one without a duration.
func (d *decoder) compacted(r *record) {
	status := collector.MarkerOK
	if r.kind != "auto_compact_completed" {
		status = collector.MarkerFailed
	}
	ev := r.marker(collector.MarkerCompaction, "manual", status)
	if ms, known := jsonl.Int(r.update, "elapsed_ms"); known {
		ev.Name, ev.Duration = "auto", collector.Exact(max(ms, 0))
	}
	ev.PreTokens, ev.PostTokens = count(r.update, "tokens_before"), count(r.update, "tokens_after")
	ev.Text = jsonl.Clip(r.update.Get("summary_preview"), d.limit)
	if status == collector.MarkerFailed {
		ev.Text = jsonl.Clip(r.update.Get("error"), d.limit)
	}
	d.add(ev)
	if ev.PostTokens.Quality == collector.QualityExact && status == collector.MarkerOK {
		u := r.event(collector.EventUsage)
		u.Key = ev.Key
		u.Usage = &collector.Usage{Unattributed: true, Context: ev.PostTokens}
		d.add(u)
	}
}

// spawned introduces a sub-agent.
func (d *decoder) spawned(r *record) {
	own := jsonl.Str(r.update, "child_session_id")
	if own == "" {
		return
	}
	ev := r.event(collector.EventFacts)
	ev.Session = d.stream.Session.Root().Child(own)
	ev.Facts = &collector.Facts{
		Parent:    d.stream.Session,
		Role:      jsonl.Str(r.update, "subagent_type"),
		Title:     jsonl.Str(r.update, "description"),
		TitleRank: collector.TitleAuto,
	}
	d.add(ev)
}

// finished is only told of a sub-agent that did not do its work: its own log has the rest.
func (d *decoder) finished(r *record) {
	status := jsonl.Str(r.update, "status")
	if status == "completed" || status == "" {
		return
	}
	ev := r.marker(collector.MarkerNotice, "subagent "+status, collector.MarkerOK)
	ev.Text = jsonl.Clip(r.update.Get("error"), d.limit)
	d.add(ev)
}

// hooks are the runs of the hooks of one event; the record appears as they end.
func (d *decoder) hooks(r *record) {
	ev := r.marker(collector.MarkerHook, jsonl.Str(r.update, "event_name"), collector.MarkerOK)
	var ms int64
	for _, run := range r.update.GetArray("runs") {
		took, _ := jsonl.Int(run, "status", "elapsed_ms")
		ms = max(ms, took)
		if s := jsonl.Str(run, "status", "status"); s != "success" && s != "skipped" && s != "" {
			ev.MarkerStatus = collector.MarkerFailed
			ev.Text = jsonl.ClipString(jsonl.Str(run, "name")+": "+s, d.limit)
		}
	}
	ev.Duration = collector.Exact(max(ms, 0))
	d.add(ev)
}

// modelChanged selects another model. Its fields are not documented: only a name that is there is taken.
func (d *decoder) modelChanged(r *record) {
	to := cmp.Or(jsonl.Str(r.update, "model_id"), jsonl.Str(r.update, "model"), jsonl.Str(r.update, "modelId"))
	d.add(r.marker(collector.MarkerModel, to, collector.MarkerOK))
}

// rewound says that the conversation goes on from an earlier prompt. What was done since then was done, and is shown.
func (d *decoder) rewound(r *record) {
	d.add(r.marker(collector.MarkerNotice, "rewind", collector.MarkerOK))
}
