package running_test

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/turnwatch/turnwatch/collector"
)

// acme is an agent whose hooks say what they mean.
type acme struct{}

func (acme) Agent() collector.Agent { return "acme" }
func (acme) HookEvents() []string   { return []string{"event"} }

func (acme) ReadHook(event string, payload []byte) (h collector.Hook, err error) {
	if json.Unmarshal(payload, &h) != nil {
		err = &collector.Error{Code: collector.CodeInvalid, Message: "not acme's"}
	}
	if event == "new" {
		h.Kind = collector.HookUnknown
	}
	return h, err
}

// store is what the logs and the processes show.
type store struct {
	mu    sync.Mutex
	live  map[collector.SessionID]collector.SessionState
	calls map[collector.SessionID][]*collector.ToolCall
}

func (s *store) LiveSessions(context.Context) ([]*collector.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var roots []*collector.Session
	for id, state := range s.live {
		if id != id.Root() {
			continue
		}
		root := &collector.Session{ID: id, State: state}
		for child, state := range s.live {
			if child != id && child.Root() == id {
				root.Children = append(root.Children, &collector.Session{ID: child, State: state})
			}
		}
		roots = append(roots, root)
	}
	return roots, nil
}

func (s *store) RecentCalls(_ context.Context, id collector.SessionID) ([]*collector.ToolCall, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls, known := s.calls[id]
	if !known {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: "no such session"}
	}
	var out []*collector.ToolCall
	for _, c := range calls {
		copied := *c
		out = append(out, &copied)
	}
	return out, nil
}
