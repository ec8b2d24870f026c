package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
)

// AttachRequest asks to look at a session together.
type AttachRequest struct {
	SessionID collector.SessionID `json:"sessionId,omitempty" doc:"empty = the only live one; 409 with the candidates when there are several"`
	FromStart bool                `json:"fromStart,omitempty" doc:"show it from its first turn"`
}

type attachInput struct{ Body *AttachRequest }

// AutoAttachRequest says how auto-attach shall look for a session.
type AutoAttachRequest struct {
	IntervalMs int64                `json:"intervalMs,omitempty" minimum:"0" maximum:"3600000" doc:"0 = 1000"`
	OnMultiple collector.OnMultiple `json:"onMultiple,omitempty" doc:"empty = wait"`
	SessionID  collector.SessionID  `json:"sessionId,omitempty" doc:"attach this one only, once it is live"`
	FromStart  bool                 `json:"fromStart,omitempty"`
}

type autoAttachInput struct{ Body *AutoAttachRequest }

type focusOutput struct{ Body collector.Focus }

func (s *Server) attachOperations() {
	operation(s, http.MethodPost, "/api/attach", "attach", "Attach a session",
		func(ctx context.Context, in *attachInput) (*focusOutput, error) {
			r := orZero(in.Body)
			f, err := s.deps.Focus.Attach(ctx, r.SessionID, r.FromStart)
			return &focusOutput{f}, err
		})
	operation(s, http.MethodPost, "/api/detach", "detach", "Detach, if something is attached",
		func(context.Context, *struct{}) (*focusOutput, error) {
			return &focusOutput{s.deps.Focus.Detach()}, nil
		})
	operation(s, http.MethodPost, "/api/auto-attach/start", "startAutoAttach", "Attach the only live session as it comes",
		func(ctx context.Context, in *autoAttachInput) (*focusOutput, error) {
			f, err := s.deps.Focus.StartAuto(ctx, collector.AutoAttachOptions(orZero(in.Body)))
			return &focusOutput{f}, err
		})
	operation(s, http.MethodPost, "/api/auto-attach/stop", "stopAutoAttach", "Leave the choice to people",
		func(context.Context, *struct{}) (*focusOutput, error) {
			return &focusOutput{s.deps.Focus.StopAuto()}, nil
		})
}
