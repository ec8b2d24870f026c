package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/turnwatch/turnwatch/collector"
)

// Conversations reads sessions as conversations. What it returns belongs to the caller, who masks secrets in it.
type Conversations interface {
	Conversation(ctx context.Context, id collector.SessionID, q collector.ConversationQuery) (collector.Conversation, error)
	View(ctx context.Context, id collector.SessionID) (collector.View, error)
}

// TranscriptType is whose conversation a transcript is.
type TranscriptType string

// The types of transcripts.
const (
	TranscriptMain       TranscriptType = "main"
	TranscriptSubagent   TranscriptType = "subagent"
	TranscriptCompaction TranscriptType = "compaction" // an agent that made a summary
)

// TranscriptInfo tells of one transcript of a session.
type TranscriptInfo struct {
	ID            string              `json:"id" doc:"\"main\", or agent_id of the transcript"`
	Session       collector.SessionID `json:"session"`
	Name          string              `json:"name"`
	Type          TranscriptType      `json:"type" enum:"main,subagent,compaction"`
	SubagentType  string              `json:"subagent_type"`
	HasTranscript bool                `json:"has_transcript" doc:"false = its file is gone"`
	Total         int                 `json:"total" doc:"prompts and responses"`
}

// TranscriptList is a session's transcripts, its own first.
type TranscriptList struct {
	Transcripts []TranscriptInfo `json:"transcripts"`
}

type transcriptsOutput struct{ Body TranscriptList }

// number is a whole number in a query. It is checked here and not by huma, whose answer would be 422: other viewers of
// such logs expect 400.
type number string

// Schema documents it as what it is.
func (number) Schema(huma.Registry) *huma.Schema {
	zero := 0.0
	return &huma.Schema{Type: huma.TypeInteger, Minimum: &zero}
}

type transcriptInput struct {
	SessionPath
	AgentID string `query:"agent_id" doc:"id of a transcript; none = main"`
	Limit   number `query:"limit" doc:"messages, 1 to 200; none = 50"`
	After   number `query:"after" doc:"messages behind this line: last_line of the page before"`
	Before  number `query:"before" doc:"messages before this line: first_line of the page behind"`
	Offset  number `query:"offset" doc:"messages from this one on, counted from the first; slow, use lines"`
}

type transcriptOutput struct{ Body collector.Conversation }

func lenient(o *huma.Operation) { o.SkipValidateParams = true }

func (s *Server) transcriptOperations() {
	operation(s, http.MethodGet, "/api/sessions/{id}/transcripts", "listTranscripts", "The conversations of a session and its sub-agents",
		func(ctx context.Context, in *SessionPath) (*transcriptsOutput, error) {
			id, err := in.id()
			if err != nil {
				return nil, err
			}
			session, err := s.deps.Store.Session(ctx, id)
			if err != nil {
				return nil, err
			}
			return &transcriptsOutput{TranscriptList{transcripts(session)}}, nil
		})
	operation(s, http.MethodGet, "/api/sessions/{id}/transcript", "getTranscript", "A conversation, page by page",
		func(ctx context.Context, in *transcriptInput) (*transcriptOutput, error) {
			q, err := in.query()
			if err != nil {
				return nil, err
			}
			id, err := s.transcriptOf(ctx, in.SessionPath, in.AgentID)
			if err != nil {
				return nil, err
			}
			page, err := s.deps.Transcript.Conversation(ctx, id, q)
			return &transcriptOutput{page}, err
		}, lenient)
}

const (
	defaultMessages = 50
	maxMessages     = 200
)

func (in *transcriptInput) query() (collector.ConversationQuery, error) {
	q := collector.ConversationQuery{Limit: defaultMessages}
	set := 0
	for _, p := range []struct {
		name     string
		text     number
		min, max int64
		take     func(int64)
	}{
		{"limit", in.Limit, 1, maxMessages, func(n int64) { q.Limit = int(n) }},
		{"after", in.After, 0, 1 << 53, func(n int64) { q.After = &n; set++ }},
		{"before", in.Before, 0, 1 << 53, func(n int64) { q.Before = &n; set++ }},
		{"offset", in.Offset, 0, 1 << 31, func(n int64) { offset := int(n); q.Offset = &offset; set++ }},
	} {
		if p.text == "" {
			continue
		}
		n, err := strconv.ParseInt(string(p.text), 10, 64)
		if err != nil || n < p.min || n > p.max {
			return q, invalid("%s %q: want a whole number from %d to %d", p.name, p.text, p.min, p.max)
		}
		p.take(n)
	}
	if set > 1 {
		return q, invalid("after, before and offset exclude one another: name one")
	}
	return q, nil
}

// transcriptOf returns the session that a transcript belongs to; it exists.
func (s *Server) transcriptOf(ctx context.Context, path SessionPath, agent string) (collector.SessionID, error) {
	id, err := path.id()
	if err != nil {
		return "", err
	}
	session, err := s.deps.Store.Session(ctx, id)
	if err != nil {
		return "", err
	}
	if agent == "" || agent == "main" {
		return session.ID, nil
	}
	for _, t := range transcripts(session) {
		if t.ID == agent {
			return t.Session, nil
		}
	}
	return "", &collector.Error{Code: collector.CodeNotFound, Message: fmt.Sprintf("session %q has no transcript %q", session.ID, agent)}
}

// transcripts lists a session and all below it.
func transcripts(s *collector.Session) []TranscriptInfo {
	main := transcriptInfo(s, "main")
	main.Type = TranscriptMain
	list := []TranscriptInfo{main}
	var below func(children []*collector.Session)
	below = func(children []*collector.Session) {
		for _, c := range children {
			short := strings.TrimPrefix(strings.TrimPrefix(string(c.ID), string(s.ID.Root())), "~")
			list = append(list, transcriptInfo(c, short))
			below(c.Children)
		}
	}
	below(s.Children)
	return list
}

func transcriptInfo(s *collector.Session, id string) TranscriptInfo {
	t := TranscriptInfo{
		ID: id, Session: s.ID, Name: cmp.Or(s.Title, s.Role, id), Type: TranscriptSubagent, SubagentType: s.Role,
		HasTranscript: s.Path != "" && !s.Gone, Total: s.Totals.Turns + s.Totals.RoundTrips,
	}
	if own := s.ID.Own(); strings.HasPrefix(own, "acompact") || strings.HasPrefix(own, "compact") {
		t.Type = TranscriptCompaction
	}
	return t
}

func transcriptsOut(l *TranscriptList) {
	for i := range l.Transcripts {
		mask(&l.Transcripts[i].Name, &l.Transcripts[i].SubagentType)
	}
}

func conversationOut(c *collector.Conversation) {
	c.Messages = list(c.Messages)
	for i := range c.Messages {
		m := &c.Messages[i]
		m.Content = list(m.Content)
		for j := range m.Content {
			p := &m.Content[j]
			mask(&p.Text, &p.Error)
			if p.Result != nil {
				mask(&p.Result.Text, &p.Result.Error)
			}
		}
	}
}
