package flow

import (
	"cmp"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

// previewBytes is what a node shows of a text; the rest is a click away.
const previewBytes = 160

func clip(s string) string {
	if len(s) <= previewBytes {
		return s
	}
	n := previewBytes
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func promptNode(t *collector.Turn) Node {
	label := "Prompt"
	switch t.Origin {
	case collector.PromptAgent:
		label = "Task"
	case collector.PromptAuto:
		label = "Woken"
	}
	n := Node{
		ID: "t" + strconv.Itoa(t.Index), Kind: KindPrompt, Turn: t.Index, Seq: t.Index, Label: label, State: string(t.Status),
		Status: StatusFail, Preview: clip(t.Prompt.Preview), Result: clip(t.Error), StartedAt: t.StartedAt, EndedAt: t.EndedAt,
		DurationMs: span(t.StartedAt, t.EndedAt), Inherited: t.Inherited, Ref: t.Ref,
	}
	switch t.Status {
	case collector.TurnOpen:
		n.Status = StatusPending
	case collector.TurnOK:
		n.Status = StatusOK
	}
	return n
}

func span(start, end int64) collector.Count {
	if start == 0 || end < start {
		return collector.Count{}
	}
	return collector.Exact(end - start)
}

func tripNode(r *collector.RoundTrip, running bool) Node {
	n := Node{
		ID: "r" + strconv.Itoa(r.Seq), Kind: KindAssistant, Turn: r.Turn, Seq: r.Seq, Label: cmp.Or(r.Model, "Response"), Status: StatusOK,
		State: cmp.Or(r.StopReason, "ok"), Preview: clip(cmp.Or(r.Text.Preview, r.Thinking.Preview)), StartedAt: r.StartedAt, EndedAt: r.EndedAt,
		DurationMs: span(r.StartedAt, r.EndedAt), Inherited: !r.Counts(), Ref: r.Ref,
	}
	if running {
		n.Status, n.State = StatusPending, string(StatusPending)
	}
	if r.Tokens.Known() {
		total := r.Tokens.Total()
		n.Tokens = &total
	}
	return n
}

func callNode(c *collector.ToolCall) Node {
	n := Node{
		ID: "c" + strconv.Itoa(c.Seq), Kind: KindTool, Turn: c.Turn, Seq: c.Seq, Label: c.Tool, Status: StatusFail, State: string(c.Status),
		Category: c.Category, Preview: clip(c.Args.Preview), Result: clip(cmp.Or(c.Error, c.Result.Preview)), StartedAt: c.StartedAt,
		EndedAt: c.EndedAt, DurationMs: c.DurationMs, WaitMs: c.WaitMs, ExitCode: c.ExitCode, Background: c.Background,
		Inherited: c.Inherited, Child: c.Child, Ref: c.Ref,
	}
	switch c.Status {
	case collector.CallPending:
		n.Status = StatusPending
	case collector.CallOK:
		n.Status = StatusOK
	}
	return n
}

// markerKinds are the markers that are nodes. Permission waits are part of their call, skills and notices are no steps.
var markerKinds = map[collector.MarkerKind]struct {
	kind  Kind
	label string
}{
	collector.MarkerHook:       {KindHook, "Hook"},
	collector.MarkerCompaction: {KindCompaction, "Compaction"},
	collector.MarkerPlan:       {KindPlanChange, "Plan changed"},
	collector.MarkerModel:      {KindModelChange, "Model changed"},
	collector.MarkerAbort:      {KindAbort, "Interrupted"},
	collector.MarkerError:      {KindError, "Error"},
}

func markerNode(m *collector.Marker) Node {
	k := markerKinds[m.Kind]
	n := Node{
		ID: "m" + strconv.Itoa(m.Seq), Kind: k.kind, Turn: m.Turn, Seq: m.Seq, Label: k.label, Status: StatusOK, State: string(m.Status),
		Preview: clip(m.Text.Preview), StartedAt: m.At, EndedAt: m.At, DurationMs: m.DurationMs, Inherited: m.Inherited, Ref: m.Ref,
	}
	if m.Name != "" && m.Kind != collector.MarkerCompaction {
		n.Label = clip(m.Name)
	}
	if m.At > 0 {
		n.EndedAt = m.At + m.DurationMs.Value
	}
	if n.Preview == "" && m.PreTokens.Quality != collector.QualityUnknown {
		n.Preview = fmt.Sprintf("%d → %s tokens", m.PreTokens.Value, after(m.PostTokens))
	}
	switch {
	case m.Kind == collector.MarkerAbort || m.Kind == collector.MarkerError || m.Status == collector.MarkerFailed:
		n.Status = StatusFail
	case m.Status == collector.MarkerPending:
		n.Status = StatusPending
	}
	return n
}

func after(c collector.Count) string {
	if c.Quality == collector.QualityUnknown {
		return "?"
	}
	return strconv.FormatInt(c.Value, 10)
}

// laneID prefixes an id with its lane.
func laneID(lane collector.SessionID, id string) string {
	if lane == "" {
		return id
	}
	return string(lane) + "/" + id
}
