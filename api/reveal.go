package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
)

// RevealedText is which text of a session is to be shown with its secrets.
type RevealedText string

// The texts. Turn names the turn of a prompt, a reply or an error; Turn and RoundTrip those of a response or thinking; Call
// the call of arguments, a result or an error; Offset and Length the record.
const (
	RevealPrompt    RevealedText = "prompt"
	RevealReply     RevealedText = "reply"
	RevealResponse  RevealedText = "response"
	RevealThinking  RevealedText = "thinking"
	RevealArguments RevealedText = "arguments"
	RevealResult    RevealedText = "result"
	RevealError     RevealedText = "error"
	RevealRecord    RevealedText = "record"
)

// RevealRequest asks for one text with its secrets.
type RevealRequest struct {
	Session   collector.SessionID `json:"session"`
	Text      RevealedText        `json:"text"`
	Turn      *int                `json:"turn,omitempty" minimum:"0" doc:"index"`
	RoundTrip *int                `json:"roundTrip,omitempty" minimum:"0" doc:"seq"`
	Call      *int                `json:"call,omitempty" minimum:"0" doc:"seq"`
	Offset    int64               `json:"offset,omitempty" minimum:"0" doc:"of the record: bytes, of the uncompressed log"`
	Length    int64               `json:"length,omitempty" minimum:"0" maximum:"16777216" doc:"of the record: bytes"`
}

// Revealed is a text as the log has it. No cache keeps it.
type Revealed struct {
	Text string `json:"text"`
}

type revealInput struct{ Body RevealRequest }

type revealOutput struct {
	CacheControl string `header:"Cache-Control"`
	Body         Revealed
}

// revealOperations are the one way for a secret to leave. It is a POST, so that the guard lets no other site's page ask, no
// cache answers and no address names it; no log says what was asked.
func (s *Server) revealOperations() {
	operation(s, http.MethodPost, "/api/reveal", "reveal", "One text with its secrets, for somebody who asked for it",
		func(ctx context.Context, in *revealInput) (*revealOutput, error) {
			id, err := s.wholeID(ctx, in.Body.Session)
			if err != nil {
				return nil, err
			}
			text, err := s.reveal(ctx, id, &in.Body)
			return &revealOutput{"no-store", Revealed{text}}, err
		})
}

func (s *Server) reveal(ctx context.Context, id collector.SessionID, r *RevealRequest) (string, error) {
	switch {
	case r.Text == RevealRecord:
		raw, err := s.deps.Transcript.Raw(ctx, id, r.Offset, r.Length)
		return raw.Text, err
	case r.Call != nil:
		call, err := s.deps.Transcript.Call(ctx, id, *r.Call)
		if err != nil {
			return "", err
		}
		return textOfCall(call, r.Text)
	case r.Turn != nil:
		turn, err := s.deps.Transcript.Turn(ctx, id, *r.Turn)
		if err != nil {
			return "", err
		}
		return textOfTurn(turn, r)
	}
	return "", invalid("%q: name the turn, or the call, whose text it is", r.Text)
}

func textOfCall(c *collector.ToolCall, which RevealedText) (string, error) {
	switch which {
	case RevealArguments:
		return c.Args.Preview, nil
	case RevealResult:
		return c.Result.Preview, nil
	case RevealError:
		return c.Error, nil
	}
	return "", invalid("a call has no %s", which)
}

func textOfTurn(t *collector.Turn, r *RevealRequest) (string, error) {
	switch r.Text {
	case RevealPrompt:
		return t.Prompt.Preview, nil
	case RevealReply:
		return t.Reply.Preview, nil
	case RevealError:
		return t.Error, nil
	case RevealResponse, RevealThinking:
		for _, trip := range t.RoundTrips {
			if r.RoundTrip == nil || trip.Seq != *r.RoundTrip {
				continue
			}
			if r.Text == RevealThinking {
				return trip.Thinking.Preview, nil
			}
			return trip.Text.Preview, nil
		}
		return "", &collector.Error{Code: collector.CodeNotFound, Message: "the turn has no such round trip"}
	}
	return "", invalid("a turn has no %s", r.Text)
}
