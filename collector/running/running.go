// Package running knows which tool calls run now. It has two witnesses: the log, which shows calls without a result in
// sessions at work, and the agents' hooks, which tell a moment earlier that a tool starts and which alone tell that it
// waits for a human. A call of which both tell is one.
//
// Hooks are hints. They are kept in memory, a bounded number of them, never counted and never stored: a restart loses
// chips, no facts. What a hook announced is over when the log shows the result, when another hook says so, when the
// process ends, or when nothing confirms it for too long. The package starts no process and reads no file.
package running

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// Store is what is read of the logs.
type Store interface {
	// LiveSessions returns the root sessions that processes hold, with their children.
	LiveSessions(ctx context.Context) ([]*collector.Session, error)
	// RecentCalls returns a session's newest calls, in ascending order.
	RecentCalls(ctx context.Context, id collector.SessionID) ([]*collector.ToolCall, error)
}

// Deps is what the program hands in.
type Deps struct {
	Readers []collector.HookReader
	Store   Store
	Publish func(...collector.Message)
	// Hint tells that a session's log has grown or is about to; look, that its process may say something new of itself.
	// It must not block. nil = nobody wants to know.
	Hint   func(id collector.SessionID, look bool)
	Now    func() time.Time
	Logger *slog.Logger
}

// Tools is which calls run. Its methods may be called concurrently.
type Tools struct {
	deps    Deps
	readers map[collector.Agent]collector.HookReader
	poke    chan struct{} // a hook came: there is something to load, or a time to wait for

	mu      sync.Mutex
	trees   map[collector.SessionID]*tree
	stale   map[collector.SessionID]struct{} // sessions whose calls are to be read again
	unknown map[collector.UnknownCount]int64 // by agent and type
	clock   int                              // counts what hooks told: names calls without an id, and says which tree was heard of last
	again   lookAgain
}

// lookAgain is a second look at a session's process: its dialog opens a moment after the hook was asked.
type lookAgain struct {
	at      time.Time
	session collector.SessionID
}

const dialogAfter = time.Second

// New returns a Tools that knows nothing yet; Run reads the logs' side of it.
func New(deps Deps) *Tools {
	t := &Tools{
		deps: deps, readers: map[collector.Agent]collector.HookReader{}, poke: make(chan struct{}, 1),
		trees: map[collector.SessionID]*tree{}, stale: map[collector.SessionID]struct{}{}, unknown: map[collector.UnknownCount]int64{},
	}
	for _, r := range deps.Readers {
		t.readers[r.Agent()] = r
	}
	return t
}

// Running returns the calls that run in the session and its sub-agents, or in all sessions if id is empty, the oldest first.
func (t *Tools) Running(id collector.SessionID) []collector.RunningTool {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := []collector.RunningTool{}
	for root, tr := range t.trees {
		if id != "" && id.Root() != root {
			continue
		}
		for _, r := range tr.told {
			if id == "" || id.Covers(r.Session) {
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, byAge)
	return out
}

// Unknown counts the events that no source knows.
func (t *Tools) Unknown() []collector.UnknownCount {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]collector.UnknownCount, 0, len(t.unknown))
	for u, n := range t.unknown {
		u.Count = n
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b collector.UnknownCount) int {
		return strings.Compare(string(a.Agent)+"\x00"+a.Type, string(b.Agent)+"\x00"+b.Type)
	})
	return out
}

// maxUnknown bounds how many event names are told apart; whoever fires the hooks makes them up.
const maxUnknown = 64

func (t *Tools) countUnknown(agent collector.Agent, event string) {
	u := collector.UnknownCount{Agent: agent, Type: "hook " + event}
	if _, known := t.unknown[u]; !known && len(t.unknown) >= maxUnknown {
		u.Type = "hook (others)"
	}
	t.unknown[u]++
}

// tell publishes what runs in the tree of root, if that changed. The lock is held, so that messages come in order.
func (t *Tools) tell(root collector.SessionID, now time.Time) {
	tr := t.trees[root]
	if tr == nil {
		return
	}
	tools := tr.tools(now)
	if tr.empty() {
		delete(t.trees, root)
	}
	if slices.EqualFunc(tools, tr.told, same) {
		return
	}
	tr.told = tools
	t.deps.Publish(collector.Message{Type: collector.MessageRunningTools, Session: root, Data: collector.RunningTools{Tools: tools}})
}

func (t *Tools) poked() {
	select {
	case t.poke <- struct{}{}:
	default:
	}
}
