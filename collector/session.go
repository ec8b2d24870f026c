package collector

import "strings"

// Agent is a coding agent's short name, as it stands before the colon of a SessionID.
type Agent string

// SessionID names a session on the wire: "<agent>:<the agent's own id>"; a child's is "<parent>~<own id>".
type SessionID string

// NewSessionID returns the id of a root session.
func NewSessionID(agent Agent, own string) SessionID { return SessionID(string(agent) + ":" + own) }

// Child returns the id of the child session that calls itself own.
func (id SessionID) Child(own string) SessionID { return id + "~" + SessionID(own) }

// Agent returns the part before the colon.
func (id SessionID) Agent() Agent {
	a, _, _ := strings.Cut(string(id), ":")
	return Agent(a)
}

// Own returns the agent's own id: what follows the last "~", else the colon.
func (id SessionID) Own() string {
	s := string(id)
	if i := strings.LastIndexByte(s, '~'); i >= 0 {
		return s[i+1:]
	}
	_, own, _ := strings.Cut(s, ":")
	return own
}

// Root returns the id of the root session of the tree that id belongs to by its name.
func (id SessionID) Root() SessionID {
	root, _, _ := strings.Cut(string(id), "~")
	return SessionID(root)
}

// Covers reports whether o is id or, by its name, one of its descendants. The empty id covers none.
func (id SessionID) Covers(o SessionID) bool {
	return id != "" && (o == id || strings.HasPrefix(string(o), string(id)+"~"))
}

// SessionState says what a session does now. It comes from running processes, never from the log alone.
type SessionState string

// The states of a session.
const (
	SessionBusy    SessionState = "busy"    // a process holds it and works
	SessionIdle    SessionState = "idle"    // a process holds it and waits for the next prompt
	SessionWaiting SessionState = "waiting" // a process holds it and waits for a human's answer
	SessionEnded   SessionState = "ended"   // no process holds it, and its last turn was closed
	SessionCrashed SessionState = "crashed" // no process holds it, and its last turn is still open
)

// Live reports whether a running process holds the session.
func (s SessionState) Live() bool {
	return s == SessionBusy || s == SessionIdle || s == SessionWaiting
}

// Session is a conversation with an agent. A sub-agent is a child session of the one that spawned it.
type Session struct {
	ID         SessionID `json:"id"`
	Agent      Agent     `json:"agent"`
	Parent     SessionID `json:"parent,omitempty"`     // the session that spawned it
	ParentCall string    `json:"parentCall,omitempty"` // key of the spawning tool call in Parent
	ForkedFrom SessionID `json:"forkedFrom,omitempty"` // whose history it copied
	Role       string    `json:"role,omitempty"`       // a child's agent type, such as "explore"
	Title      string    `json:"title"`
	TitleRank  TitleRank `json:"-"`
	Cwd        string    `json:"cwd"`
	Repo       string    `json:"repo,omitempty"`
	Branch     string    `json:"branch,omitempty"`
	Model      string    `json:"model,omitempty"`   // of the latest round trip
	Version    string    `json:"version,omitempty"` // of the agent's program
	// Unverified says what the source rests on if it was never compared with what the agent's own program does, so that
	// the numbers may be wrong; filled when read.
	Unverified string       `json:"unverified,omitempty"`
	Path       string       `json:"path"`           // of the log, as last seen
	Gone       bool         `json:"gone,omitempty"` // the log is no longer there; the numbers are kept
	StartedAt  int64        `json:"startedAt"`      // unix ms; 0 = unknown
	LastAt     int64        `json:"lastAt"`         // unix ms of the newest record; 0 = unknown
	State      SessionState `json:"state"`
	Pid        int          `json:"pid,omitempty"`
	WaitingFor string       `json:"waitingFor,omitempty"`

	Totals     Totals      `json:"totals"`     // own
	TreeTotals Totals      `json:"treeTotals"` // own and all descendants'
	TopTools   []ToolCount `json:"topTools,omitempty"`
	Context    Context     `json:"context"`
	Children   []*Session  `json:"children"`
	Labels     []string    `json:"labels"`   // given by the user, kept by Turnwatch; ascending
	Revision   int64       `json:"revision"` // of the commit that last changed it
}

// Context is how full the model's window was after the newest round trip.
type Context struct {
	Tokens Count `json:"tokens"`
	Window Count `json:"window"`
}

// ToolCount is how often a tool was called, and how often it failed.
type ToolCount struct {
	Tool     string   `json:"tool"`
	Category Category `json:"category"`
	Calls    int      `json:"calls"`
	Failed   int      `json:"failed"`
}

// TitleRank orders the places that a session's title can come from; a higher one wins, then the later one.
type TitleRank uint8

// The ranks of titles.
const (
	TitleNone    TitleRank = iota
	TitlePrompt            // the first prompt
	TitleSummary           // written by the agent, old style
	TitleAuto              // made by a model
	TitleUser              // given by the user
)
