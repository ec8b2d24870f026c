package pipeline

import "github.com/turnwatch/turnwatch/collector"

// Hint says that the log of a session has grown or is about to, and, with look, that its process may say something new
// of itself. It never blocks; a hint that comes while many wait is dropped, since watches and sweeps tell the same.
func (p *Pipeline) Hint(id collector.SessionID, look bool) {
	select {
	case p.wakes <- wake{session: id, look: look}:
	default:
	}
}

// wake queues what may have grown.
func (p *Pipeline) wake(w wake) {
	if w.session == "" {
		if s := p.streams[w.id]; s != nil && s.present {
			p.backlog.push(s, true)
		}
		return
	}
	p.stirred = true
	p.lookLive = p.lookLive || w.look
	found := false
	for _, s := range p.streams {
		if s.present && s.Kind == collector.StreamLog && (s.Session == w.session || s.Session == w.session.Root()) {
			p.backlog.push(s, true)
			found = true
		}
	}
	if found {
		return
	}
	for _, s := range p.sources {
		s.dirty = s.dirty || s.Agent() == w.session.Agent() // a new session: its log is not known yet
	}
}
