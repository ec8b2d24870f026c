package collector

// MessageType is the type of a message to whoever watches.
type MessageType string

// The types of messages.
const (
	MessageHello             MessageType = "hello"           // first message of a connection: the present revision
	MessageSessionUpdated    MessageType = "session.updated" // a session is new or its row changed
	MessageSessionContext    MessageType = "session.context" // its context size, model, branch or state changed
	MessageSessionLabels     MessageType = "session.labels"  // the user gave it a label, or took one
	MessageTurnStarted       MessageType = "turn.started"
	MessageTurnToolCall      MessageType = "turn.tool_call" // a call was asked for or answered
	MessageTurnUpdated       MessageType = "turn.updated"
	MessageTurnCompleted     MessageType = "turn.completed"
	MessageLogRaw            MessageType = "log.raw" // a record was read: Ref says where it stands
	MessageAttached          MessageType = "attached"
	MessageDetached          MessageType = "detached"
	MessageAutoAttachWaiting MessageType = "auto_attach.waiting" // none, or several sessions are live
	MessageAutoAttachState   MessageType = "auto_attach.state"
	MessageProgress          MessageType = "progress"
	MessageHookReceived      MessageType = "hook.received"         // an agent's hook told something
	MessageRunningTools      MessageType = "running_tools.updated" // what runs in a root session and its sub-agents
	MessageResync            MessageType = "resync"                // messages were dropped: ask the API again
)

// Message tells that something changed. It carries names and a revision, not contents: readers ask the API, which
// answers at that revision or a later one.
type Message struct {
	Type     MessageType `json:"type"`
	Revision int64       `json:"revision"` // ascending; every message of one commit has the same
	Session  SessionID   `json:"session,omitempty"`
	Turn     *int        `json:"turn,omitempty"`
	Call     *int        `json:"call,omitempty"` // Seq of the tool call
	Status   string      `json:"status,omitempty"`
	Ref      *Ref        `json:"ref,omitempty"`
	Progress *Progress   `json:"progress,omitempty"`
	// Data is, by type: attached, detached, auto_attach.*: Focus; hook.received: HookReceived; running_tools.updated:
	// RunningTools; hello: what the API says of itself.
	Data any `json:"data,omitempty"`
}
