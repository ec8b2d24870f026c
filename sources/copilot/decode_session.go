package copilot

import (
	"github.com/valyala/fastjson"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/jsonl"
)

func (d *decoder) facts(r *record, f collector.Facts) {
	ev := r.event(collector.EventFacts)
	ev.Facts = &f
	d.add(ev)
}

// place fills in where the session works.
func place(f *collector.Facts, context *fastjson.Value) {
	f.Cwd = jsonl.Str(context, "cwd")
	f.Repo = jsonl.Str(context, "repository")
	f.Branch = jsonl.Str(context, "branch")
}

func (d *decoder) start(r *record) {
	f := collector.Facts{
		Version:   jsonl.Str(r.data, "copilotVersion"),
		Model:     jsonl.Str(r.data, "selectedModel"),
		StartedAt: jsonl.Time(r.data, "startTime"),
	}
	place(&f, r.data.Get("context"))
	if by := jsonl.Str(r.data, "detachedFromSpawningParentSessionId"); by != "" {
		f.Parent = collector.NewSessionID(agent, by)
	}
	d.facts(r, f)
}

// resume begins a segment, unless it only joined a session that was at work.
func (d *decoder) resume(r *record) {
	f := collector.Facts{
		Model:   jsonl.Str(r.data, "selectedModel"),
		Resumed: !jsonl.Bool(r.data, "sessionWasActive"),
	}
	place(&f, r.data.Get("context"))
	d.facts(r, f)
}

// contextChanged moves the session. While the git context is pending, only the directory is certain.
func (d *decoder) contextChanged(r *record) {
	var f collector.Facts
	place(&f, r.data)
	if jsonl.Bool(r.data, "pendingGitContext") {
		f.Repo, f.Branch = "", ""
	}
	d.facts(r, f)
}

// modelChange selects a model. Only a change from one to another is worth a marker: a startup and a resume write one, too.
func (d *decoder) modelChange(r *record) {
	to, from := jsonl.Str(r.data, "newModel"), jsonl.Str(r.data, "previousModel")
	if to == "" {
		return
	}
	d.facts(r, collector.Facts{Model: to})
	if from == "" || from == to {
		return
	}
	text := "was " + from
	if cause := jsonl.Str(r.data, "cause"); cause != "" {
		text += ": " + cause
	}
	d.mark(r, collector.MarkerModel, to, collector.MarkerOK, jsonl.ClipString(text, d.limit))
}

func (d *decoder) autoModeResolved(r *record) {
	if model := jsonl.Str(r.data, "chosenModel"); model != "" {
		d.facts(r, collector.Facts{Model: model})
		d.mark(r, collector.MarkerNotice, "auto_mode_resolved", collector.MarkerOK, jsonl.ClipString(model, d.limit))
	}
}

// shutdown ends the turn and accounts for what was consumed.
func (d *decoder) shutdown(r *record) {
	d.account(r, r.data)
	ev := r.event(collector.EventTurnEnd)
	ev.TurnStatus = collector.TurnOK
	if jsonl.Str(r.data, "shutdownType") == "error" {
		ev.TurnStatus = collector.TurnFailed
		ev.Error = jsonl.Clip(r.data.Get("errorReason"), errorBytes(d.limit)).Preview
	}
	d.add(ev)
}

// usageCheckpoint accounts for a session that goes on.
func (d *decoder) usageCheckpoint(r *record) {
	if snapshot := r.data.Get("accountingSnapshot"); snapshot != nil {
		d.account(r, snapshot)
	}
}

// account states what the agent says that the session consumed. From 1.0.83 on it says so per agent and over all
// resumes; before that it is one number for the session with its sub-agents, up to 1.0.65 of the segment, from
// 1.0.70 on of the session, and nothing in it tells which.
func (d *decoder) account(r *record, v *fastjson.Value) {
	premium := firstNumber(v, "totalPremiumRequests", "totalPremiumRequestCost")
	status := jsonl.Str(v, "aiCreditsStatus")
	if status == "" {
		status = jsonl.Str(v, "accountingSnapshot", "aiCreditsStatus")
	}
	agents := v.GetObject("agentMetrics")
	if agents == nil {
		agents = v.GetObject("accountingSnapshot", "agentMetrics")
	}
	if agents == nil {
		a := accounting(v, status)
		a.Premium, a.Tree = premium, true
		d.facts(r, collector.Facts{Accounting: a})
		return
	}
	agents.Visit(func(key []byte, of *fastjson.Value) {
		a := accounting(of, status)
		a.Cumulative = collector.Yes
		lane := *r
		if name := string(key); name == "main" {
			a.Premium = premium // only prompts of the user are charged
		} else {
			lane.session = d.stream.Session.Child(name)
		}
		d.facts(&lane, collector.Facts{Accounting: a})
	})
}

// accounting sums up modelMetrics.
func accounting(v *fastjson.Value, status string) *collector.Accounting {
	a := &collector.Accounting{Tokens: collector.ZeroTokens()}
	v.GetObject("modelMetrics").Visit(func(_ []byte, m *fastjson.Value) {
		n, _ := jsonl.Int(m, "requests", "count")
		a.RoundTrips += int(n)
		a.Tokens = a.Tokens.Plus(tokens(m.Get("usage")))
	})
	a.Credits = credits(v.Get("totalNanoAiu"), status)
	return a
}

func firstNumber(v *fastjson.Value, keys ...string) *collector.Amount {
	for _, key := range keys {
		if n, ok := jsonl.Float(v, key); ok {
			amount := collector.Exact(n)
			return &amount
		}
	}
	return nil
}
