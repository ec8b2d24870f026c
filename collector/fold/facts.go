package fold

import (
	"github.com/turnwatch/turnwatch/collector"
)

// Bits of cursor.Fallback: the field was filled by a fallback and yields to a log.
const (
	fallbackCwd = 1 << iota
	fallbackRepo
	fallbackBranch
	fallbackVersion
	fallbackModel
	fallbackParent
	fallbackRole
	fallbackStart
)

// facts takes in statements about the session.
func (s *Session) facts(ev *collector.Event) {
	f := ev.Facts
	if f == nil {
		return
	}
	s.title(f.Title, f.TitleRank)
	s.fact(&s.row.Cwd, f.Cwd, f.Fallback, fallbackCwd)
	s.fact(&s.row.Repo, f.Repo, f.Fallback, fallbackRepo)
	s.fact(&s.row.Branch, f.Branch, f.Fallback, fallbackBranch)
	s.fact(&s.row.Version, f.Version, f.Fallback, fallbackVersion)
	if f.Model != "" && !f.Fallback {
		s.cur.Model = f.Model
		s.fact(&s.row.Model, f.Model, false, fallbackModel)
	}
	s.fact(&s.row.Role, f.Role, f.Fallback, fallbackRole)
	s.fact((*string)(&s.row.Parent), string(f.Parent), f.Fallback, fallbackParent)
	s.fact(&s.row.ParentCall, f.ParentCall, false, 0)
	s.fact((*string)(&s.row.ForkedFrom), string(f.ForkedFrom), false, 0)
	if f.StartedAt != 0 {
		s.startedAt(f)
	}
	if w := collector.Exact(f.Window); f.Window > 0 && s.row.Context.Window != w {
		s.row.Context.Window = w
		s.changed = true
	}
	if f.Resumed {
		s.cur.Segment = len(s.trips)
		s.changed = true
		if t := s.last(); t != nil && t.Status == collector.TurnOpen {
			s.finish(t, collector.TurnAbandoned)
		}
	}
	if f.Accounting != nil {
		s.book(f.Accounting)
	}
}

// startedAt takes in when the session began, as its log says, or as others say while the log does not.
func (s *Session) startedAt(f *collector.Facts) {
	switch weak := s.row.StartedAt == 0 || s.cur.Fallback&fallbackStart != 0; {
	case f.Fallback && weak:
		s.cur.Fallback |= fallbackStart
	case !f.Fallback && (weak || f.StartedAt < s.row.StartedAt):
		s.cur.Fallback &^= fallbackStart
	default:
		return
	}
	s.row.StartedAt = f.StartedAt
	s.changed = true
}

// fact sets a field, unless the statement is a fallback and a better one was made.
func (s *Session) fact(dst *string, val string, fallback bool, bit uint8) {
	if val == "" || *dst == val && (fallback || s.cur.Fallback&bit == 0) {
		return
	}
	if fallback && *dst != "" && s.cur.Fallback&bit == 0 {
		return
	}
	if fallback {
		s.cur.Fallback |= bit
	} else {
		s.cur.Fallback &^= bit
	}
	*dst = val
	s.changed = true
}

// title sets the session's title if it ranks at least as high; of prompts the first stays.
func (s *Session) title(title string, rank collector.TitleRank) {
	if title == "" || rank < s.row.TitleRank || rank == collector.TitlePrompt && s.row.TitleRank == rank {
		return
	}
	if s.row.Title != title || s.row.TitleRank != rank {
		s.row.Title, s.row.TitleRank = title, rank
		s.changed = true
	}
}
