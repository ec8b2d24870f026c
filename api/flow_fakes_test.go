package api_test

import (
	"context"

	"github.com/turnwatch/turnwatch/collector"
)

func (s *store) WholeTurns(ctx context.Context, id collector.SessionID, from, limit int) ([]*collector.Turn, int, error) {
	if _, err := s.Session(ctx, id); err != nil {
		return nil, 0, err
	}
	if limit == 0 {
		limit = s.turns
	}
	var turns []*collector.Turn
	for i := from; i < min(from+limit, s.turns); i++ {
		t := s.turn(i, true)
		for _, r := range t.RoundTrips {
			r.Seq, r.Turn = i, i
		}
		for j, c := range t.ToolCalls {
			c.Seq, c.Turn, c.RoundTrip, c.Status = i*s.parts+j, i, i, collector.CallOK
		}
		for _, m := range t.Markers {
			m.Seq, m.Turn = i, i
		}
		turns = append(turns, t)
	}
	return turns, s.turns, nil
}

func (s *store) SketchTurns(ctx context.Context, id collector.SessionID, from int) ([]*collector.Turn, int, error) {
	return s.WholeTurns(ctx, id, from, 0)
}

func (t transcript) Conversation(_ context.Context, id collector.SessionID, q collector.ConversationQuery) (collector.Conversation, error) {
	t.asked.id, t.asked.q = id, q
	text := collector.ConversationText{Text: "said " + t.secret, Bytes: 4}
	return collector.Conversation{Total: 1, LastLine: 9, Messages: []collector.ConversationMessage{{
		ID: "line:7", Line: 7, Type: collector.RoleAssistant, Kind: collector.KindResponse,
		Content: []collector.ConversationPart{
			{Type: collector.PartText, ConversationText: text},
			{Type: collector.PartToolUse, ConversationText: text, Error: t.secret, Result: &collector.ResultOfPart{ConversationText: text, Error: t.secret}},
		},
	}, {ID: "line:9", Line: 9}}}, nil
}

func (t transcript) View(_ context.Context, id collector.SessionID) (collector.View, error) {
	t.asked.id = id
	return collector.View{Status: collector.ViewOK, Turns: []collector.ViewTurn{
		{Rows: []collector.ViewRow{{Kind: collector.RowUser, Text: "hello " + t.secret}}}, {},
	}}, nil
}

// asked is what the transcript was asked for last.
type asked struct {
	id collector.SessionID
	q  collector.ConversationQuery
}
