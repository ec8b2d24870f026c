package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// SessionPath is the session in a path. Fiber hands it over percent-encoded, as the client wrote it.
type SessionPath struct {
	ID string `path:"id" doc:"<agent>:<own id>, a child's <parent>~<own id>, or a bare own id while it is unambiguous; percent-encoded"`
}

func (p SessionPath) id() (collector.SessionID, error) {
	id, err := url.PathUnescape(p.ID)
	if err != nil {
		return "", &collector.Error{Code: collector.CodeInvalid, Message: "the session id is not percent-encoded rightly", Err: err}
	}
	return collector.SessionID(id), nil
}

// resolve returns the whole id of the session in the path.
func (s *Server) resolve(ctx context.Context, p SessionPath) (collector.SessionID, error) {
	id, err := p.id()
	if err != nil {
		return "", err
	}
	return s.wholeID(ctx, id)
}

func (s *Server) wholeID(ctx context.Context, id collector.SessionID) (collector.SessionID, error) {
	if strings.Contains(string(id), ":") {
		return id, nil
	}
	session, err := s.deps.Store.Session(ctx, id)
	if err != nil {
		return "", err
	}
	return session.ID, nil
}

type listSessionsInput struct {
	Agent  string                 `query:"agent" doc:"short name of the agent"`
	Repo   string                 `query:"repo" doc:"repo or cwd contains it"`
	State  collector.SessionState `query:"state"`
	Live   bool                   `query:"live" doc:"only those that a running process holds"`
	Text   string                 `query:"text" doc:"title, cwd, repo, branch or id contains it"`
	Sort   collector.SessionSort  `query:"sort"`
	Limit  int                    `query:"limit" minimum:"0" maximum:"500" doc:"0 = 50"`
	Cursor string                 `query:"cursor" doc:"next of the page before"`
}

type sessionPageOutput struct{ Body collector.SessionPage }

// SessionList is a list of sessions that has no pages.
type SessionList struct {
	Sessions []*collector.Session `json:"sessions"`
}

type sessionListOutput struct{ Body SessionList }

type sessionOutput struct{ Body *collector.Session }

func (s *Server) sessionOperations() {
	operation(s, http.MethodGet, "/api/sessions", "listSessions", "Root sessions, newest first, page by page",
		func(ctx context.Context, in *listSessionsInput) (*sessionPageOutput, error) {
			page, err := s.deps.Store.Sessions(ctx, collector.SessionQuery{
				Agent: collector.Agent(in.Agent), Repo: in.Repo, State: in.State, Live: in.Live, Text: in.Text, Sort: in.Sort, Limit: in.Limit, Cursor: in.Cursor,
			})
			s.tellUnverified(page.Sessions...)
			return &sessionPageOutput{page}, err
		})
	operation(s, http.MethodGet, "/api/sessions/live", "listLiveSessions", "Sessions that a running process holds",
		func(ctx context.Context, _ *struct{}) (*sessionListOutput, error) {
			sessions, err := s.deps.Store.LiveSessions(ctx)
			s.tellUnverified(sessions...)
			return &sessionListOutput{SessionList{sessions}}, err
		})
	operation(s, http.MethodGet, "/api/sessions/{id}", "getSession", "A session with its aggregates and children",
		func(ctx context.Context, in *SessionPath) (*sessionOutput, error) {
			id, err := in.id()
			if err != nil {
				return nil, err
			}
			session, err := s.session(ctx, id)
			return &sessionOutput{session}, err
		})
}
