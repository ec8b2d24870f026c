package api

import (
	"context"
	"net/http"

	"github.com/turnwatch/turnwatch/collector"
)

// Labels keeps the labels that the user gives sessions. They are ours: no agent's file holds them.
type Labels interface {
	Labels(ctx context.Context, id collector.SessionID) ([]string, error)
	AddLabel(ctx context.Context, id collector.SessionID, label string) ([]string, error)
	RemoveLabel(ctx context.Context, id collector.SessionID, label string) ([]string, error)
	AllLabels(ctx context.Context) ([]collector.LabelCount, error)
}

// SessionLabels are a session's labels.
type SessionLabels struct {
	Labels []string `json:"labels" doc:"Ascending"`
}

// LabelList lists all labels in use.
type LabelList struct {
	Labels []collector.LabelCount `json:"labels" doc:"Ascending"`
}

type addLabelInput struct {
	SessionPath
	Body struct {
		Label string `json:"label" doc:"1 to 64 characters, no comma; surrounding spaces are taken off"`
	}
}

type removeLabelInput struct {
	SessionPath
	Label string `query:"label" required:"true"`
}

type sessionLabelsOutput struct{ Body SessionLabels }

type labelListOutput struct{ Body LabelList }

func (s *Server) labelOperations() {
	const path = "/api/sessions/{id}/labels"
	operation(s, http.MethodGet, path, "listSessionLabels", "A session's labels",
		func(ctx context.Context, in *SessionPath) (*sessionLabelsOutput, error) {
			id, err := s.resolve(ctx, *in)
			if err != nil {
				return nil, err
			}
			labels, err := s.deps.Store.Labels(ctx, id)
			return &sessionLabelsOutput{SessionLabels{labels}}, err
		})
	operation(s, http.MethodPost, path, "addSessionLabel", "Give a session a label",
		func(ctx context.Context, in *addLabelInput) (*sessionLabelsOutput, error) {
			return s.relabel(ctx, in.SessionPath, in.Body.Label, s.deps.Store.AddLabel)
		})
	operation(s, http.MethodDelete, path, "removeSessionLabel", "Take a label from a session",
		func(ctx context.Context, in *removeLabelInput) (*sessionLabelsOutput, error) {
			return s.relabel(ctx, in.SessionPath, in.Label, s.deps.Store.RemoveLabel)
		})
	operation(s, http.MethodGet, "/api/labels", "listLabels", "All labels in use",
		func(ctx context.Context, _ *struct{}) (*labelListOutput, error) {
			all, err := s.deps.Store.AllLabels(ctx)
			return &labelListOutput{LabelList{all}}, err
		})
}

// relabel changes a session's labels and tells everybody.
func (s *Server) relabel(ctx context.Context, p SessionPath, label string,
	do func(context.Context, collector.SessionID, string) ([]string, error)) (*sessionLabelsOutput, error) {
	id, err := s.resolve(ctx, p)
	if err != nil {
		return nil, err
	}
	labels, err := do(ctx, id, label)
	if err != nil {
		return nil, err
	}
	s.deps.Broker.Publish(collector.Message{Type: collector.MessageSessionLabels, Session: id})
	return &sessionLabelsOutput{SessionLabels{labels}}, nil
}

func (l SessionLabels) outbound() any {
	l.Labels = list(l.Labels)
	return l
}

func (l LabelList) outbound() any {
	l.Labels = list(l.Labels)
	return l
}
