package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
)

type messagesInput struct {
	SessionPath
	From  int `query:"from" minimum:"0" doc:"index of the first turn"`
	Limit int `query:"limit" minimum:"0" doc:"turns; 0 = all"`
}

// MessageList is a conversation with its whole texts.
type MessageList struct {
	Messages []collector.MessageText `json:"messages"`
}

type messagesOutput struct{ Body MessageList }

type rawInput struct {
	SessionPath
	Offset int64 `query:"offset" minimum:"0" doc:"bytes, of the uncompressed log"`
	Length int64 `query:"length" minimum:"0" maximum:"16777216" doc:"bytes; 0 = a page"`
}

type rawOutput struct{ Body collector.RawLog }

// Series is how a session's consumption grew, for sparklines.
type Series struct {
	Points []Point `json:"points"`
}

// Point is a session's consumption up to the end of a turn.
type Point struct {
	Turn            int               `json:"turn"`
	At              int64             `json:"at" doc:"unix ms of the turn's last record; 0 = unknown"`
	Tokens          collector.Count   `json:"tokens"`
	PremiumRequests *collector.Amount `json:"premiumRequests,omitempty"`
}

type seriesOutput struct{ Body Series }

func (s *Server) textOperations() {
	operation(s, http.MethodGet, "/api/sessions/{id}/messages", "listMessages", "Whole prompts and responses",
		func(ctx context.Context, in *messagesInput) (*messagesOutput, error) {
			id, err := s.resolve(ctx, in.SessionPath)
			if err != nil {
				return nil, err
			}
			messages, err := s.deps.Transcript.Messages(ctx, id, in.From, in.Limit)
			return &messagesOutput{MessageList{messages}}, err
		})
	operation(s, http.MethodGet, "/api/sessions/{id}/raw", "getRaw", "The log's own lines",
		func(ctx context.Context, in *rawInput) (*rawOutput, error) {
			id, err := s.resolve(ctx, in.SessionPath)
			if err != nil {
				return nil, err
			}
			raw, err := s.deps.Transcript.Raw(ctx, id, in.Offset, in.Length)
			return &rawOutput{raw}, err
		})
	operation(s, http.MethodGet, "/api/sessions/{id}/series", "getSeries", "Cumulative consumption, turn by turn",
		func(ctx context.Context, in *SessionPath) (*seriesOutput, error) {
			id, err := s.resolve(ctx, *in)
			if err != nil {
				return nil, err
			}
			page, err := s.deps.Store.Turns(ctx, id, collector.TurnQuery{})
			if err != nil {
				return nil, err
			}
			return &seriesOutput{seriesOf(page.Turns)}, nil
		})
}

// seriesOf adds up turns. Inherited turns stay in as flat steps, so that a point's turn is its index.
func seriesOf(turns []*collector.Turn) Series {
	sum := collector.ZeroTotals()
	points := make([]Point, 0, len(turns))
	for _, t := range turns {
		if !t.Inherited {
			sum = sum.Plus(t.Totals)
		}
		points = append(points, Point{Turn: t.Index, At: t.EndedAt, Tokens: sum.Tokens.Total(), PremiumRequests: sum.PremiumRequests})
	}
	return Series{Points: points}
}
