package pipeline

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
)

// news is what a commit changed in one session, in the words of messages.
type news struct {
	session  collector.SessionID
	messages []collector.Message
}

// detailedTurns is how many changed turns of one session are told one by one; a commit of history is told as a whole.
const detailedTurns = 3

// news compares a session's changes with what was published before.
func (e *entry) news(ch fold.Changes) news {
	n := news{session: e.id}
	add := func(m collector.Message) {
		m.Session = e.id
		n.messages = append(n.messages, m)
	}
	add(collector.Message{Type: collector.MessageSessionUpdated})
	detailed := len(ch.Turns) <= detailedTurns
	for _, t := range ch.Turns {
		before, known := e.statuses[t.Index]
		e.statuses[t.Index] = t.Status
		if !detailed {
			continue
		}
		index, status := t.Index, string(t.Status)
		if !known && t.Index >= e.stored {
			add(collector.Message{Type: collector.MessageTurnStarted, Turn: &index, Status: status})
		}
		for _, c := range ch.Calls {
			if c.Turn == t.Index {
				seq := c.Seq
				add(collector.Message{Type: collector.MessageTurnToolCall, Turn: &index, Call: &seq, Status: string(c.Status)})
			}
		}
		add(collector.Message{Type: collector.MessageTurnUpdated, Turn: &index, Status: status})
		if t.Status != collector.TurnOpen && (!known && t.Index >= e.stored || before == collector.TurnOpen) {
			add(collector.Message{Type: collector.MessageTurnCompleted, Turn: &index, Status: status})
		}
	}
	e.stored = len(e.fold.Turns())
	for i := range e.statuses {
		if i < e.stored-detailedTurns {
			delete(e.statuses, i)
		}
	}
	if detailed && len(ch.Turns) > 0 {
		add(collector.Message{Type: collector.MessageSessionContext})
	}
	return n
}

// turnedLive reports whether a live session began or ended a turn: what its process says of itself has changed too.
func (p *Pipeline) turnedLive(n news) bool {
	return slices.ContainsFunc(n.messages, func(m collector.Message) bool {
		return m.Type == collector.MessageTurnStarted || m.Type == collector.MessageTurnCompleted
	}) && slices.ContainsFunc(p.live, func(l collector.LiveSession) bool { return l.Session == n.session })
}

// publish tells what revision rev changed.
func (p *Pipeline) publish(rev int64, all []news, raw []rawLine) {
	var msgs []collector.Message
	for _, n := range all {
		p.lookLive = p.lookLive || p.turnedLive(n)
		msgs = append(msgs, n.messages...)
	}
	for _, r := range raw {
		ref := r.ref
		msgs = append(msgs, collector.Message{Type: collector.MessageLogRaw, Session: r.session, Ref: &ref})
	}
	if pr := p.progressMessage(); pr != nil {
		msgs = append(msgs, *pr)
	}
	for i := range msgs {
		msgs[i].Revision = rev
	}
	p.deps.Publisher.Publish(slices.Clip(msgs)...)
}
