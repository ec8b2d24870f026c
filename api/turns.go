package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
)

type listTurnsInput struct {
	SessionPath
	From     int                `query:"from" minimum:"0" doc:"index of the first turn"`
	Limit    int                `query:"limit" minimum:"0" doc:"0 = all"`
	Text     string             `query:"text" doc:"prompt, reply, arguments or result previews contain it"`
	Tool     string             `query:"tool"`
	Category collector.Category `query:"category"`
	Flag     collector.FlagKind `query:"flag"`
	Errors   bool               `query:"errors" doc:"only turns that failed, or in which something failed"`
}

type turnPageOutput struct{ Body collector.TurnPage }

type turnInput struct {
	SessionPath
	Index int  `path:"index" minimum:"0"`
	Full  bool `query:"full" doc:"whole texts, read from the log, instead of previews"`
}

type turnOutput struct{ Body *collector.Turn }

type callInput struct {
	SessionPath
	Seq int `path:"seq" minimum:"0"`
}

type callOutput struct{ Body *collector.ToolCall }

func (s *Server) turnOperations() {
	operation(s, http.MethodGet, "/api/sessions/{id}/turns", "listTurns", "A session's turns without their parts",
		func(ctx context.Context, in *listTurnsInput) (*turnPageOutput, error) {
			id, err := s.resolve(ctx, in.SessionPath)
			if err != nil {
				return nil, err
			}
			page, err := s.deps.Store.Turns(ctx, id, collector.TurnQuery{
				From: in.From, Limit: in.Limit, Text: in.Text, Tool: in.Tool, Category: in.Category, Flag: in.Flag, ErrorsOnly: in.Errors,
			})
			return &turnPageOutput{page}, err
		})
	operation(s, http.MethodGet, "/api/sessions/{id}/turns/{index}", "getTurn", "A turn with its round trips, calls, markers and flags",
		func(ctx context.Context, in *turnInput) (*turnOutput, error) {
			id, err := s.resolve(ctx, in.SessionPath)
			if err != nil {
				return nil, err
			}
			read := s.deps.Store.Turn
			if in.Full {
				read = s.deps.Transcript.Turn
			}
			turn, err := read(ctx, id, in.Index)
			return &turnOutput{turn}, err
		})
	operation(s, http.MethodGet, "/api/sessions/{id}/calls/{seq}", "getCall", "A tool call with its whole arguments and result",
		func(ctx context.Context, in *callInput) (*callOutput, error) {
			id, err := s.resolve(ctx, in.SessionPath)
			if err != nil {
				return nil, err
			}
			call, err := s.deps.Transcript.Call(ctx, id, in.Seq)
			return &callOutput{call}, err
		})
}
