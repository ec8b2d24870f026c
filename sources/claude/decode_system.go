package claude

import (
	"fmt"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// system decodes a line of the harness's own.
func (d *decoder) system() {
	switch sub := word(d.subtype); string(sub) {
	case "compact_boundary":
		d.compacted()
	case "microcompact_boundary":
		d.microcompacted()
	case "turn_duration":
		ev := d.add(collector.EventTurnEnd)
		ev.TurnStatus = collector.TurnOK
		ev.Duration = count(d.value, "durationMs")
	case "stop_hook_summary":
		// A hook that objects makes the model go on, and its words are among the errors.
		if len(d.value.GetArray("hookErrors")) == 0 && len(d.value.GetArray("hookAdditionalContext")) == 0 {
			d.add(collector.EventTurnEnd).TurnStatus = collector.TurnOK
		}
	case "api_error":
		d.retried()
	case "model_fallback", "model_refusal_fallback":
		ev := d.notice(collector.MarkerModel)
		ev.Name = string(sub)
	case "informational", "notification", "agents_killed", "permission_retry", "scheduled_task_fire":
		d.notice(collector.MarkerNotice).Name = string(sub)
	case "local_command":
		d.modelSet(d.content.GetStringBytes())
	case "away_summary", "memory_saved", "bridge_status", "file_snapshot", "thinking":
	default:
		d.unknown("system/" + string(sub))
	}
}

func (d *decoder) notice(kind collector.MarkerKind) *collector.Event {
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.MarkerStatus = kind, collector.MarkerOK
	ev.Text = jsonl.Clip(d.content, d.limit)
	return ev
}

// retried decodes a failed request that will be tried again. It is a notice: only if the last attempt fails too has
// the turn failed, and then a synthetic message says so.
func (d *decoder) retried() {
	ev := d.add(collector.EventMarker)
	ev.Marker, ev.MarkerStatus, ev.Name = collector.MarkerNotice, collector.MarkerOK, "api_retry"
	why := jsonl.Str(d.value, "error", "formatted")
	for _, path := range [][]string{{"error", "error", "error", "message"}, {"error", "message"}} {
		if why == "" {
			why = jsonl.Str(d.value, path...)
		}
	}
	attempt, _ := jsonl.Int(d.value, "retryAttempt")
	most, _ := jsonl.Int(d.value, "maxRetries")
	wait, _ := jsonl.Int(d.value, "retryInMs")
	ev.Text = jsonl.ClipString(fmt.Sprintf("%s (attempt %d of %d, again in %d ms)", why, attempt, most, wait), d.limit)
}

func (d *decoder) compacted() {
	m := d.value.Get("compactMetadata")
	ev := d.notice(collector.MarkerCompaction)
	ev.Name = jsonl.Str(m, "trigger")
	ev.PreTokens = count(m, "preTokens")
	ev.PostTokens = count(m, "postTokens")
	ev.Duration = count(m, "durationMs")
}

// microcompacted decodes the removal of old tool results from the context, which needs no summary.
func (d *decoder) microcompacted() {
	m := d.value.Get("microcompactMetadata")
	ev := d.notice(collector.MarkerCompaction)
	ev.Name = "micro"
	ev.PreTokens = count(m, "preTokens")
	if saved := count(m, "tokensSaved"); saved.Quality == collector.QualityExact && ev.PreTokens.Quality == collector.QualityExact {
		ev.PostTokens = collector.Exact(max(0, ev.PreTokens.Value-saved.Value))
	}
}
