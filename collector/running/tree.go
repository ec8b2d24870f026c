package running

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// tree is a root session and its sub-agents.
type tree struct {
	lanes map[collector.SessionID]*lane
	state collector.SessionState // of the root, as its process or its log says; "" = no process holds it
	told  []collector.RunningTool
	used  int
}

func (tr *tree) lane(id collector.SessionID) *lane {
	l := tr.lanes[id]
	if l == nil {
		l = &lane{id: id}
		tr.lanes[id] = l
	}
	return l
}

// empty reports whether there is nothing to remember.
func (tr *tree) empty() bool {
	if tr.state != "" {
		return false
	}
	for _, l := range tr.lanes {
		if len(l.hooks) > 0 {
			return false
		}
	}
	return true
}

// next returns when something is given up, zero if nothing is.
func (tr *tree) next() time.Time {
	var first time.Time
	for _, l := range tr.lanes {
		for _, h := range l.hooks {
			if !h.until.IsZero() && (first.IsZero() || h.until.Before(first)) {
				first = h.until
			}
		}
	}
	return first
}

// tools lists what runs, the oldest first.
func (tr *tree) tools(now time.Time) []collector.RunningTool {
	out := []collector.RunningTool{}
	for _, l := range tr.lanes {
		out = append(out, l.tools(now)...)
	}
	slices.SortFunc(out, byAge)
	return out
}

// longest is how long a call is believed to run that the log never answers.
const longest = 24 * time.Hour

// tools lists the calls of one session that run: those of the log, with what hooks told of them, then the others of
// which hooks told.
func (l *lane) tools(now time.Time) []collector.RunningTool {
	var out []collector.RunningTool
	for _, c := range l.log {
		h := l.of(c.Seq)
		switch {
		case c.Status != collector.CallPending || c.Inherited:
		case h != nil && h.done, h == nil && !l.atWork():
		case h == nil && now.UnixMilli()-c.StartedAt > longest.Milliseconds():
		default:
			out = append(out, l.logged(c, h))
		}
	}
	for _, h := range l.hooks {
		if h.seq < 0 && !h.done {
			out = append(out, collector.RunningTool{
				ID: h.id, Session: l.id, Tool: h.Tool, Category: cmp.Or(h.Category, collector.CategoryOther), Args: h.Args.Preview,
				StartedAt: h.At, Waiting: h.waiting,
			})
		}
	}
	if len(out) == 1 && l.state == collector.SessionWaiting {
		out[0].Waiting = true // the process, or the log, says that somebody is asked, and there is nothing else to ask for
	}
	return out
}

func (l *lane) logged(c *collector.ToolCall, h *hooked) collector.RunningTool {
	turn, seq := c.Turn, c.Seq
	r := collector.RunningTool{
		ID: cmp.Or(c.Key, "call-"+strconv.Itoa(seq)), Session: l.id, Tool: c.Tool, Category: c.Category, Args: c.Args.Preview,
		StartedAt: c.StartedAt, Turn: &turn, Call: &seq,
	}
	if h != nil {
		r.ID, r.Waiting = h.id, h.waiting
		r.StartedAt = cmp.Or(r.StartedAt, h.At)
	}
	return r
}

func byAge(a, b collector.RunningTool) int {
	return cmp.Or(cmp.Compare(a.StartedAt, b.StartedAt), cmp.Compare(a.Session, b.Session), cmp.Compare(seqOf(a), seqOf(b)), cmp.Compare(a.ID, b.ID))
}

func seqOf(r collector.RunningTool) int {
	if r.Call == nil {
		return int(^uint(0) >> 1) // what the log does not show yet is newer
	}
	return *r.Call
}

func same(a, b collector.RunningTool) bool {
	callsSame := (a.Call == nil) == (b.Call == nil) && (a.Call == nil || *a.Call == *b.Call && *a.Turn == *b.Turn)
	a.Call, a.Turn, b.Call, b.Turn = nil, nil, nil, nil
	return callsSame && a == b
}
