package api

import (
	"context"

	"github.com/turnwatch/turnwatch/collector"
)

// tellUnverified says of sessions, and of all below them, why their numbers are unverified, if they are.
func (s *Server) tellUnverified(sessions ...*collector.Session) {
	for _, x := range sessions {
		if x == nil {
			continue
		}
		for _, u := range s.deps.Unverified {
			if u.Agent == x.Agent {
				x.Unverified = u.Why
			}
		}
		s.tellUnverified(x.Children...)
	}
}

// unverifiedAmong returns those of the unverified agents that the sessions are of.
func (s *Server) unverifiedAmong(runs []collector.Run) []collector.UnverifiedAgent {
	among := []collector.UnverifiedAgent{}
	for _, u := range s.deps.Unverified {
		for _, r := range runs {
			if r.Session.Agent == u.Agent {
				among = append(among, u)
				break
			}
		}
	}
	return among
}

// session reads a session for an answer.
func (s *Server) session(ctx context.Context, id collector.SessionID) (*collector.Session, error) {
	session, err := s.deps.Store.Session(ctx, id)
	s.tellUnverified(session)
	return session, err
}
