package fold

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/turnwatch/turnwatch/collector"
)

func (s *Session) indexTurn(t *collector.Turn) {
	s.turnByKey[t.Key] = t.Index
	if t.PromptKey != "" {
		s.promptByKey[t.PromptKey] = t.Index
	}
}

// last returns the newest turn, or nil.
func (s *Session) last() *collector.Turn {
	if len(s.turns) == 0 {
		return nil
	}
	return s.turns[len(s.turns)-1]
}

// prompt opens a turn, or joins the open one.
func (s *Session) prompt(ev *collector.Event) {
	if ev.Key != "" {
		if _, known := s.promptByKey[ev.Key]; known || slices.Contains(s.cur.Prompts, hash("", ev.Key)) {
			return
		}
	}
	if ev.Turn == "" && !s.replaying(ev) && !ev.Inherited {
		s.cur.Inheriting = false // agents without turn starts show the end of a copied history by its time only
	}
	if !ev.Late || !ev.Joins {
		s.cur.Trigger = ev.Time
		s.fresh()
	}
	if ev.Tentative {
		s.cur.rememberPrompt(ev.Key)
		s.cur.Tentative = &tentative{Event: *ev}
		s.changed = true
		return
	}
	s.cur.Tentative = nil
	s.takePrompt(ev)
}

func (s *Session) takePrompt(ev *collector.Event) {
	t := s.last()
	open := t != nil && t.Status == collector.TurnOpen
	switch {
	case ev.Turn != "":
		if i, known := s.turnByKey[ev.Turn]; known {
			s.addPrompt(s.turns[i], ev)
			return
		}
	case open && s.cur.Explicit && t.Prompt.Ref.Length == 0 && len(t.RoundTrips) == 0:
		s.addPrompt(t, ev)
		return
	}
	if open && (ev.Joins || s.cur.Explicit && ev.Turn == "") {
		s.addPrompt(t, ev)
		return
	}
	s.open(ev, false)
	s.addPrompt(s.last(), ev)
}

// addPrompt makes the event t's prompt, or one more that the running turn took in.
func (s *Session) addPrompt(t *collector.Turn, ev *collector.Event) {
	s.touch(t, ev)
	if t.Prompt.Ref.Length > 0 {
		t.Steers++
		s.cur.rememberPrompt(ev.Key)
		return
	}
	t.Prompt = ev.Text
	t.Origin = cmp.Or(ev.Origin, collector.PromptHuman)
	if t.Origin == collector.PromptHuman && s.row.Parent != "" {
		t.Origin = collector.PromptAgent
	}
	t.PromptKey = ev.Key
	if ev.Key != "" {
		s.promptByKey[ev.Key] = t.Index
	}
	if t.Origin != collector.PromptAuto && !t.Inherited {
		s.title(ev.Text.Preview, collector.TitlePrompt)
	}
}

// open begins a turn; the one before it is over.
func (s *Session) open(ev *collector.Event, explicit bool) {
	if t := s.last(); t != nil && t.Status == collector.TurnOpen {
		status := collector.TurnOK
		if explicit || len(t.RoundTrips) == 0 || s.pending(t) {
			status = collector.TurnAbandoned
		}
		s.finish(t, status)
	}
	t := &collector.Turn{
		Index:     len(s.turns),
		Key:       cmp.Or(ev.Turn, ev.Key),
		Status:    collector.TurnOpen,
		Origin:    collector.PromptAuto,
		StartedAt: ev.Time,
		EndedAt:   ev.Time,
		Inherited: s.inherited(ev),
		Totals:    collector.ZeroTotals(),
		Ref:       ev.Text.Ref,
		EndOffset: ev.Text.Ref.Offset + ev.Text.Ref.Length,
		Changed:   true,
	}
	if t.Key == "" {
		t.Key = "@" + strconv.FormatInt(ev.Text.Ref.Offset, 10)
	}
	for i := len(s.markers) - 1; i >= 0 && s.markers[i].Turn == t.Index; i-- {
		t.Markers = append([]*collector.Marker{s.markers[i]}, t.Markers...)
	}
	s.turns = append(s.turns, t)
	s.indexTurn(t)
	s.dropEarly(0)
	s.cur.Explicit = explicit
	s.cur.TurnRank = 0
	s.cur.Trip = -1
	s.cur.UsageFirst = false
}

func (s *Session) turnStart(ev *collector.Event) {
	if !ev.Inherited && !(ev.Tentative && s.replaying(ev)) {
		s.cur.Inheriting = false
	}
	s.cur.Trigger = ev.Time
	s.fresh()
	if ev.Turn != "" {
		if _, known := s.turnByKey[ev.Turn]; known {
			return
		}
	}
	s.cur.Tentative = nil
	s.open(ev, true)
}

func (s *Session) turnEnd(ev *collector.Event) {
	if p := s.cur.Tentative; p != nil {
		s.cur.Tentative = nil
		if ev.Turn == "" && ev.Error == "" {
			return // nobody answered: there is no turn, and the one before it had ended
		}
		if ev.Turn == "" {
			s.takePrompt(&p.Event)
		}
	}
	t := s.turnOf(ev)
	if t == nil {
		return
	}
	s.turnUsage(t, ev)
	if t.Status != collector.TurnOpen && (t.Status != collector.TurnOK || ev.Late) {
		return // the first end is the true one; only a soft "ok" can still turn out otherwise
	}
	if !ev.Late && t.Status == collector.TurnOpen {
		s.touch(t, ev)
	}
	status := cmp.Or(ev.TurnStatus, collector.TurnOK)
	if ev.Error != "" {
		t.Error = ev.Error
	}
	s.finish(t, status)
}

// replayMs is how long an agent takes to copy a history: the records of a copy are written at once.
const replayMs = 2000

// replaying reports whether the event still belongs to a history that is being copied, as far as its time tells.
func (s *Session) replaying(ev *collector.Event) bool {
	return s.cur.Inheriting && ev.Time-s.cur.InheritAt <= replayMs
}

// finish closes t and what it left open.
func (s *Session) finish(t *collector.Turn, status collector.TurnStatus) {
	t.Status = status
	t.Changed = true
	left := collector.CallLost
	if status == collector.TurnInterrupted {
		left = collector.CallInterrupted
	}
	for _, c := range t.ToolCalls {
		if c.Status == collector.CallPending && !c.Background {
			c.Status = left
			c.Changed = true
		}
	}
}

func (s *Session) pending(t *collector.Turn) bool {
	for i := len(t.ToolCalls) - 1; i >= 0; i-- {
		if c := t.ToolCalls[i]; c.Status == collector.CallPending && !c.Background {
			return true
		}
	}
	return false
}

// turnOf returns the turn that the event names, else the newest one.
func (s *Session) turnOf(ev *collector.Event) *collector.Turn {
	if ev.Turn != "" {
		if i, known := s.turnByKey[ev.Turn]; known {
			return s.turns[i]
		}
	}
	return s.last()
}

// working returns the turn that a model item belongs to; without one, the agent works by itself.
func (s *Session) working(ev *collector.Event) *collector.Turn {
	if p := s.cur.Tentative; p != nil {
		s.cur.Tentative = nil
		s.takePrompt(&p.Event)
	}
	t := s.turnOf(ev)
	if t == nil || t.Inherited && !s.inherited(ev) && ev.Turn == "" {
		s.open(ev, false)
		t = s.last()
	}
	return t
}

// touch moves the end of t to the event.
func (s *Session) touch(t *collector.Turn, ev *collector.Event) {
	t.Changed = true
	if !ev.Late {
		t.EndedAt = max(t.EndedAt, ev.Time)
		if t.StartedAt == 0 {
			t.StartedAt = ev.Time
		}
	}
	t.EndOffset = max(t.EndOffset, ev.Text.Ref.Offset+ev.Text.Ref.Length)
}
