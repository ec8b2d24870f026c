package claude

import (
	"strings"

	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

// Decode says what a line of a transcript, or a document beside it, says.
func (s *Source) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	d := decoder{dst: dst, stream: st, limit: r.TextLimit, session: st.Session}
	if r.Data == nil {
		d.add(collector.EventMalformed).Text = jsonl.ClipString("line too long to be read", 0)
		return d.dst, nil
	}
	bad := jsonl.Each(r.Data, func(v *fastjson.Value) {
		if st.Kind == collector.StreamFacts {
			d.document(v)
			return
		}
		d.record(v)
	})
	d.key, d.at, d.copied, d.session = "", 0, false, st.Session
	for _, reason := range bad {
		d.add(collector.EventMalformed).Text = jsonl.ClipString(reason, 0)
	}
	return d.dst, nil
}

// record decodes one line of a transcript.
func (d *decoder) record(v *fastjson.Value) {
	d.key, d.at, d.copied, d.session = "", 0, false, d.stream.Session
	if v.GetObject() == nil {
		d.add(collector.EventMalformed).Text = jsonl.ClipString("not an object", 0)
		return
	}
	d.pick(v)
	typ := word(d.typ)
	if isStateRow(typ) || string(typ) == "progress" {
		return
	}
	if !d.place() {
		d.unknown(string(typ) + " without session")
		return
	}
	d.key = text(d.uuid)
	d.at = jsonl.Time(v, "timestamp")
	d.inheritance()
	switch string(typ) {
	case "assistant":
		d.assistant()
	case "user":
		d.user()
	case "system":
		d.system()
	case "attachment":
		d.attached()
	case "queue-operation":
		d.queued()
	case "api-request":
		// Moments before the response; a failed attempt has one too, and then the next attempt's counts.
		d.add(collector.EventRoundTripStart)
	default:
		d.stateRow(string(typ))
	}
}

// inheritance notes whether the line says that it was copied from another session by a fork.
func (d *decoder) inheritance() {
	from := text(d.requestSession)
	if d.forkedFrom != nil {
		from = jsonl.Str(d.forkedFrom, "sessionId")
		d.copied = true
	}
	if from == "" || from == d.rootOwn() {
		return
	}
	d.copied = true
	d.facts(collector.Facts{ForkedFrom: collector.NewSessionID(agent, from)})
}

// envelope states what every line of a conversation repeats. Callers pick the lines that do: a turn's first and last.
//
// The directory in which the session began is its cwd; a shell's cd moves that of later lines, which therefore
// only stand in where no first line has one. Branch and version are the latest.
func (d *decoder) envelope() {
	cwd, branch := text(d.cwd), text(d.branch)
	if branch == "HEAD" { // no branch: detached, or no repository
		branch = ""
	}
	f := collector.Facts{Branch: branch, Version: text(d.version), Role: text(d.role)}
	atRoot := d.parent != nil && d.parent.Type() == fastjson.TypeNull
	if atRoot {
		f.Cwd = cwd
	}
	d.facts(f)
	if cwd != "" && !atRoot {
		d.facts(collector.Facts{Cwd: cwd, Fallback: true})
	}
	if d.isChild() && atRoot {
		// A nested sub-agent's meta.json knows better; all depths lie flat beside each other.
		d.facts(collector.Facts{Parent: d.session.Root(), Fallback: true})
	}
}

// stateRow decodes the types that state one fact about the session, and counts the rest.
func (d *decoder) stateRow(typ string) {
	v := d.value
	switch typ {
	case "custom-title":
		d.facts(collector.Facts{Title: jsonl.Str(v, "customTitle"), TitleRank: collector.TitleUser})
	case "ai-title":
		title := jsonl.Str(v, "aiTitle")
		if title == "" {
			title = jsonl.Str(v, "title")
		}
		d.facts(collector.Facts{Title: title, TitleRank: collector.TitleAuto})
	case "agent-name":
		d.facts(collector.Facts{Title: jsonl.Str(v, "agentName"), TitleRank: collector.TitleSummary})
	case "summary":
		d.facts(collector.Facts{Title: jsonl.Str(v, "summary"), TitleRank: collector.TitleSummary})
	case "relocated":
		d.facts(collector.Facts{Cwd: jsonl.Str(v, "relocatedCwd")})
	case "pr-link":
		d.facts(collector.Facts{Repo: jsonl.Str(v, "prRepository")})
	case "cost-state":
		d.facts(collector.Facts{Accounting: accounting(v)})
	default:
		if isPiece(typ) {
			d.add(collector.EventMalformed).Text = jsonl.ClipString("piece of a broken record", 0)
			return
		}
		d.unknown(typ)
	}
}

// isPiece reports whether a type is that of an object within a line. Where a line was cut right behind such an object, it
// looks like a record.
func isPiece(typ string) bool {
	switch typ {
	case "text", "thinking", "redacted_thinking", "tool_use", "tool_result", "image", "base64", "message", "create", "update",
		"queued_command":
		return true
	}
	return strings.HasPrefix(typ, "hook_") || isContext([]byte(typ))
}

// isStateRow reports whether a type is known to say nothing that a session's story needs: replay data, copies of
// files, repeated state. "progress" (up to 2.1.70) nests copies of sub-agents' messages and their usage.
func isStateRow(typ []byte) bool {
	switch string(typ) {
	case "last-prompt", "atis-latch", "mode", "permission-mode", "tools-used", "tag",
		"file-history-snapshot", "file-history-delta", "api-request-shape", "api-request-blob", "api-request-resumed",
		"ended-by-model", "continued-in", "derived-from", "agent-color", "agent-setting", "frame-link",
		"bridge-session", "worktree-state", "content-replacement", "fork-context-ref", "observer-ref", "session-owner",
		"isolation-latch", "attribution-snapshot", "history-suppression", "memory-mode", "resume-head-vouch", "host-row",
		"repl-mode":
		return true
	}
	return strings.HasPrefix(string(typ), "data-flow-") || strings.HasPrefix(string(typ), "artifact-")
}

// accounting reads a cost-state: what the chain of processes of a session has used, sub-agents and compactions
// included. It goes on over resumes; a fork's starts from its parent's total, which the line does not tell apart.
func accounting(v *fastjson.Value) *collector.Accounting {
	a := &collector.Accounting{Tokens: collector.ZeroTokens(), Cumulative: collector.Yes}
	v.GetObject("modelUsage").Visit(func(_ []byte, m *fastjson.Value) {
		a.Tokens = a.Tokens.Plus(collector.Tokens{
			Input:        count(m, "inputTokens"),
			CacheRead:    count(m, "cacheReadInputTokens"),
			CacheWrite5m: count(m, "cacheCreationEphemeral5mInputTokens"),
			CacheWrite1h: count(m, "cacheCreationEphemeral1hInputTokens"),
			Output:       count(m, "outputTokens"),
			Reasoning:    count(m, "thinkingTokens"),
		})
	})
	if usd, ok := jsonl.Float(v, "totalCostUSD"); ok {
		cost := collector.Exact(usd)
		if truth(v.Get("hasUnknownModelCost")) {
			cost = collector.Partial(usd)
		}
		a.CostUSD = &cost
	}
	return a
}

// count reads an exact number, unknown if it is not there.
func count(v *fastjson.Value, key string) collector.Count {
	if n, ok := jsonl.Int(v, key); ok && n >= 0 {
		return collector.Exact(n)
	}
	return collector.Count{}
}
