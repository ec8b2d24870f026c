package collector

// HookKind says what an agent's hook told.
type HookKind uint8

// The kinds of hooks. Each lists the fields that matter beside Session and At.
const (
	// HookUnknown is an event that the source does not know.
	HookUnknown HookKind = iota
	// HookNote says only that something happened, so that the log has grown or is about to.
	HookNote
	// HookToolStarted says that a tool is about to run: Call, Tool, Category, Args, ArgsHash.
	HookToolStarted
	// HookToolFinished says that it ended, however: the same fields.
	HookToolFinished
	// HookWaiting says that a human is asked for permission: as much of the same fields as the agent tells.
	HookWaiting
	// HookPrompt says that a prompt was taken in.
	HookPrompt
	// HookStopped says that the session's turn ended, so that none of its own calls runs any more.
	HookStopped
	// HookEnded says that the session ended, and its sub-agents with it.
	HookEnded
)

// Hook is what an agent's own hook told while it happened. It is a hint and kept in memory only; where the log says
// otherwise, the log is right. Nothing is counted by it.
type Hook struct {
	Kind    HookKind
	Session SessionID // a sub-agent's own; "" = the hook is not about a session of this agent
	At      int64     // unix ms; 0 = the hook does not say

	Call     string // the agent's own id of the call; "" = the hook does not say
	Tool     string // as the log calls it; "" = the hook does not say
	Category Category
	Args     Text
	// Unlogged says that the log will not show the call before it has ended, so that the log is no witness against it.
	Unlogged bool
	ArgsHash uint64 // comparable with that of the log's call if there is no Call, and with that of the agent's other hooks
}

// HookReader is a Source whose agent has hooks.
type HookReader interface {
	Agent() Agent
	// ReadHook says in Turnwatch's words what a hook told that the agent fired for the named event. It is pure. An event
	// that it does not know is HookUnknown, and an error of CodeInvalid means that payload is not what the agent sends.
	ReadHook(event string, payload []byte) (Hook, error)
	// HookEvents returns the events that ReadHook knows.
	HookEvents() []string
}

// HookBorrower is a HookReader whose agent's program also runs hooks that were installed for other agents.
type HookBorrower interface {
	HookReader
	// Borrows reports whether payload is what its program gives such a hook. It is pure.
	Borrows(payload []byte) bool
}

// HookResult says what became of a hook's request.
type HookResult string

// The results of a hook.
const (
	HookResultOK        HookResult = "ok"
	HookResultUnknown   HookResult = "unknown"   // an event or an agent that nobody here knows
	HookResultMalformed HookResult = "malformed" // not what the agent sends
	HookResultRefused   HookResult = "refused"   // without the token
)

// HookReceived is the data of MessageHookReceived.
type HookReceived struct {
	Agent Agent  `json:"agent"`
	Event string `json:"event"` // the agent's own word
}

// RunningTool is a tool call that runs now. The log's pending calls and what hooks told are one list, each call once.
type RunningTool struct {
	ID        string    `json:"id"`      // names it in its session as long as it runs
	Session   SessionID `json:"session"` // a sub-agent's own
	Tool      string    `json:"tool"`
	Category  Category  `json:"category"`
	Args      string    `json:"args"` // at most PreviewBytes
	StartedAt int64     `json:"startedAt"`
	Waiting   bool      `json:"waiting"` // a human is asked whether it may run
	// Where the log has it; nil as long as only a hook told.
	Turn *int `json:"turn,omitempty"`
	Call *int `json:"call,omitempty"` // Seq
}

// RunningTools are the calls that run in a session and its sub-agents, or in all sessions, the oldest first.
type RunningTools struct {
	Tools []RunningTool `json:"tools"`
}
