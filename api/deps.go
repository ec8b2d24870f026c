package api

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pubsub"
)

// Sessions finds sessions. What it returns belongs to the caller, who masks secrets in it.
type Sessions interface {
	Sessions(ctx context.Context, q collector.SessionQuery) (collector.SessionPage, error)
	LiveSessions(ctx context.Context) ([]*collector.Session, error)
	// Session also takes a bare own id while it is unambiguous; else it returns a collector.Error of CodeConflict
	// with the candidates ([]collector.SessionID) as Details.
	Session(ctx context.Context, id collector.SessionID) (*collector.Session, error)
}

// Turns reads what a session consists of. What it returns belongs to the caller, who masks secrets in it.
type Turns interface {
	Turns(ctx context.Context, id collector.SessionID, q collector.TurnQuery) (collector.TurnPage, error)
	Turn(ctx context.Context, id collector.SessionID, index int) (*collector.Turn, error)
	Call(ctx context.Context, id collector.SessionID, seq int) (*collector.ToolCall, error)
}

// Standing says how the store stands.
type Standing interface {
	Revision(ctx context.Context) (int64, error)
	Size(ctx context.Context) (int64, error) // bytes on disk
}

// Store is what the API reads from the database.
type Store interface {
	Sessions
	Turns
	Flows
	Runs
	Labels
	Standing
}

// Transcript reads whole texts from the agents' logs. What it returns belongs to the caller, who masks secrets in it.
type Transcript interface {
	Conversations
	Turn(ctx context.Context, id collector.SessionID, index int) (*collector.Turn, error)
	Call(ctx context.Context, id collector.SessionID, seq int) (*collector.ToolCall, error)
	// Messages returns the messages of limit turns from the turn with index from; limit 0 = all.
	Messages(ctx context.Context, id collector.SessionID, from, limit int) ([]collector.MessageText, error)
	// Raw returns the whole lines that overlap length bytes at offset; length 0 = as much as it likes.
	Raw(ctx context.Context, id collector.SessionID, offset, length int64) (collector.RawLog, error)
}

// Ingest tells what the pipeline says about itself.
type Ingest interface {
	Ingest() collector.Ingest
}

// Focus holds the shared attach state.
type Focus interface {
	State() collector.Focus
	// Attach attaches the session id, or the only live one when id is empty.
	Attach(ctx context.Context, id collector.SessionID, fromStart bool) (collector.Focus, error)
	Detach() collector.Focus
	StartAuto(ctx context.Context, o collector.AutoAttachOptions) (collector.Focus, error)
	StopAuto() collector.Focus
}

// Config is what the user sets.
type Config struct {
	Addr         string        // host:port that the server listens on; its host may be asked for
	Token        string        // "" = none is asked for
	PublicURL    string        // address at which a reverse proxy shows the page; "" = none
	AllowedHosts []string      // further hosts to answer to, with their ports, for development
	QueryTimeout time.Duration // for one request's reads; 0 = 10 s
	StopTime     time.Duration // that requests get to finish when the server stops, and sockets before them; 0 = 1.5 s
	Live         LiveConfig
	Limits       Limits
}

// Mount is a handler of another package that is served behind the same guard, such as /metrics.
type Mount struct {
	Method  string
	Path    string
	Handler http.Handler
}

// Deps is what the program provides.
type Deps struct {
	Store      Store
	Ingest     Ingest
	Transcript Transcript
	Analyst    Analyst
	Prices     Prices // nil = none
	Focus      Focus
	Running    Running    // nil = no hooks, and no list of what runs
	HookTokens HookTokens // nil = no hook is let in
	// UnnamedHooks is the agent of hooks that report to /hook/<event>, without an agent's name.
	UnnamedHooks collector.Agent
	// HookSeen is told of every hook's request, and what became of it; nil = nobody counts. Agent and event
	// are empty unless they are known.
	HookSeen func(agent, event string, result collector.HookResult)
	Broker   *pubsub.Broker
	Hooks    Hooks
	Flags    []collector.Analyzer
	// Unverified lists the agents whose numbers rest on no look at the real program.
	Unverified []collector.UnverifiedAgent
	UI         fs.FS
	Mounts     []Mount
	Version    string
	DataDir    string // where the store is; health tells
	Logger     *slog.Logger
	Failed     func(error) // is told every error that is nobody's fault outside; nil = nobody is
}
