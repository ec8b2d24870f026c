package copilot

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// marker begins a marker. Without a key of its own the record's id names it.
func (r *record) marker(kind collector.MarkerKind, name string, status collector.MarkerStatus) collector.Event {
	ev := r.event(collector.EventMarker)
	ev.Key = r.id
	ev.Marker = kind
	ev.Name = name
	ev.MarkerStatus = status
	return ev
}

func (d *decoder) mark(r *record, kind collector.MarkerKind, name string, status collector.MarkerStatus, text collector.Text) {
	ev := r.marker(kind, name, status)
	ev.Text = text
	d.add(ev)
}

// failure is an error that the retries did not get over: it ends the turn, unless the CLI is about to change the model.
func (d *decoder) failure(r *record) {
	text := jsonl.Clip(r.data.Get("message"), d.limit)
	d.mark(r, collector.MarkerError, jsonl.Str(r.data, "errorType"), collector.MarkerFailed, text)
	if jsonl.Bool(r.data, "eligibleForAutoSwitch") {
		return
	}
	ev := r.event(collector.EventTurnEnd)
	ev.TurnStatus = collector.TurnFailed
	ev.Error = jsonl.Clip(r.data.Get("message"), errorBytes(d.limit)).Preview
	d.add(ev)
}

// abort ends the turn; calls that ran get no result.
func (d *decoder) abort(r *record) {
	reason := jsonl.Str(r.data, "reason")
	d.mark(r, collector.MarkerAbort, reason, collector.MarkerFailed, collector.Text{})
	ev := r.event(collector.EventTurnEnd)
	ev.TurnStatus = collector.TurnInterrupted
	d.add(ev)
}

// hookStart begins a hook's run. The input repeats prompts, arguments and results, and is left alone, but for what
// nothing else says: which call a hook is for, and that a request to the model failed and is tried again.
func (d *decoder) hookStart(r *record) {
	input := r.data.Get("input")
	ev := r.marker(collector.MarkerHook, jsonl.Str(r.data, "hookType"), collector.MarkerPending)
	ev.Key = hookKey(r)
	if calls := input.GetArray("toolCalls"); len(calls) == 1 {
		ev.Call = jsonl.Str(calls[0], "id")
	}
	failed := ev.Name == "errorOccurred" && jsonl.Str(input, "errorContext") == "model_call"
	if ev.Name == "errorOccurred" {
		ev.Text = jsonl.Clip(input.Get("error", "message"), d.limit)
	}
	d.add(ev)
	if failed {
		e := r.marker(collector.MarkerError, "model_call", collector.MarkerFailed)
		e.Text = ev.Text
		d.add(e)
	}
}

func (d *decoder) hookEnd(r *record) {
	ev := r.marker(collector.MarkerHook, jsonl.Str(r.data, "hookType"), collector.MarkerOK)
	ev.Key = hookKey(r)
	if !jsonl.Bool(r.data, "success") {
		ev.MarkerStatus = collector.MarkerFailed
		ev.Text = firstText(d.limit, r.data.Get("error", "message"), plainError(r.data.Get("error")))
	}
	d.add(ev)
}

func hookKey(r *record) string {
	if id := jsonl.Str(r.data, "hookInvocationId"); id != "" {
		return "hook/" + id
	}
	return r.id
}

// permissionRequested is only written when somebody, or a hook, is asked.
func (d *decoder) permissionRequested(r *record) {
	ask := r.data.Get("permissionRequest")
	ev := r.marker(collector.MarkerPermission, jsonl.Str(ask, "kind"), collector.MarkerPending)
	ev.Key = "permission/" + jsonl.Str(r.data, "requestId")
	ev.Call = jsonl.Str(ask, "toolCallId")
	ev.Text = firstText(d.limit, ask.Get("intention"), ask.Get("fullCommandText"), ask.Get("path"), ask.Get("url"))
	d.add(ev)
}

// permissionCompleted ends the wait, whatever the answer: a call that was denied says so itself.
func (d *decoder) permissionCompleted(r *record) {
	ev := r.marker(collector.MarkerPermission, "", collector.MarkerOK)
	ev.Key = "permission/" + jsonl.Str(r.data, "requestId")
	ev.Call = jsonl.Str(r.data, "toolCallId")
	if answer := jsonl.Str(r.data, "result", "kind"); !strings.HasPrefix(answer, "approved") {
		ev.Text = jsonl.ClipString(answer, d.limit)
	}
	d.add(ev)
}

// skill is a skill that was taken in; its text is left out.
func (d *decoder) skill(r *record) {
	ev := r.marker(collector.MarkerSkill, jsonl.Str(r.data, "name"), collector.MarkerOK)
	ev.Source = jsonl.Str(r.data, "source")
	ev.Text = firstText(d.limit, r.data.Get("description"), r.data.Get("path"))
	d.add(ev)
}

// compactionStart is kept only if its end can be told by the attempt's id (old versions have none).
func (d *decoder) compactionStart(r *record) {
	attempt := jsonl.Str(r.data, "compactionAttemptId")
	if attempt == "" {
		return
	}
	ev := r.marker(collector.MarkerCompaction, jsonl.Str(r.data, "trigger"), collector.MarkerPending)
	ev.Key = "compaction/" + attempt
	ev.PreTokens = count(r.data, "currentTokens")
	d.add(ev)
}

// compactionComplete ends a compaction, which may have run beside round trips and calls. Its own request is in no
// usage_record and in no total of the session.
func (d *decoder) compactionComplete(r *record) {
	ev := r.marker(collector.MarkerCompaction, jsonl.Str(r.data, "trigger"), collector.MarkerOK)
	if attempt := jsonl.Str(r.data, "compactionAttemptId"); attempt != "" {
		ev.Key = "compaction/" + attempt
	}
	ev.PreTokens = count(r.data, "preCompactionTokens")
	ev.PostTokens = count(r.data, "postCompactionTokens")
	ev.Text = jsonl.Clip(r.data.Get("summaryContent"), d.limit)
	if !jsonl.Bool(r.data, "success") {
		ev.MarkerStatus = collector.MarkerFailed
		ev.Text = firstText(d.limit, r.data.Get("error", "message"), plainError(r.data.Get("error")), r.data.Get("failureReason"))
	}
	d.add(ev)
	used := r.data.Get("compactionTokensUsed")
	if !used.Exists("inputTokens") {
		return
	}
	u := r.event(collector.EventUsage)
	u.Key = ev.Key
	u.Model = jsonl.Str(used, "model")
	u.Usage = &collector.Usage{
		Rank:         collector.UsageExact,
		Tokens:       tokens(used),
		Credits:      credits(firstValue(used.Get("copilotUsage", "totalNanoAiu"), used.Get("totalNanoAiu")), jsonl.Str(used, "aiCreditsStatus")),
		Unattributed: true,
		Context:      ev.PostTokens,
		Window:       count(r.data, "tokenLimit"),
	}
	d.add(u)
}

// truncation is what old versions did instead of compacting.
func (d *decoder) truncation(r *record) {
	ev := r.marker(collector.MarkerCompaction, "truncation", collector.MarkerOK)
	ev.PreTokens = count(r.data, "preTruncationTokensInMessages")
	ev.PostTokens = count(r.data, "postTruncationTokensInMessages")
	d.add(ev)
}

// count takes a number that can be negative in old files.
func count(v *fastjson.Value, key string) collector.Count {
	n, ok := jsonl.Int(v, key)
	if !ok {
		return collector.Count{}
	}
	return collector.Exact(max(n, 0))
}

func (d *decoder) planChanged(r *record) {
	d.mark(r, collector.MarkerPlan, jsonl.Str(r.data, "operation"), collector.MarkerOK, collector.Text{})
}

// modeChanged tells of plan mode, and of the others as notices.
func (d *decoder) modeChanged(r *record) {
	from, to := jsonl.Str(r.data, "previousMode"), jsonl.Str(r.data, "newMode")
	kind := collector.MarkerNotice
	if from == "plan" || to == "plan" {
		kind = collector.MarkerPlan
	}
	d.mark(r, kind, "mode "+to, collector.MarkerOK, jsonl.ClipString("was "+from, d.limit))
}

// notice is something that the agent told its user, or itself.
func (d *decoder) notice(r *record) {
	_, name, _ := strings.Cut(r.kind, ".")
	for _, keys := range [][]string{{"warningType"}, {"infoType"}, {"kind", "type"}, {"status"}, {"mode"}, {"outcome"}} {
		if s := jsonl.Str(r.data, keys...); s != "" {
			name = s
			break
		}
	}
	d.mark(r, collector.MarkerNotice, name, collector.MarkerOK,
		firstText(d.limit, r.data.Get("message"), r.data.Get("content"), r.data.Get("summary"), r.data.Get("reason"), r.data.Get("errorMessage")))
}
