package collector

// Conversation is a piece of a session's log as messages, oldest first. It holds exactly what the lines FirstLine to
// LastLine say: pages lie side by side without gaps or doubles, whatever is written meanwhile. Its names with
// underscores are those that other viewers of such logs use.
type Conversation struct {
	Messages  []ConversationMessage `json:"messages"`
	Total     int                   `json:"total"`    // prompts and responses of the session, as far as they are known
	HasMore   bool                  `json:"has_more"` // in the direction that was asked for: older, or newer behind After and Offset
	FirstLine int64                 `json:"first_line"`
	LastLine  int64                 `json:"last_line"`
	Skipped   int                   `json:"skipped"` // lines of the page that cannot be read
	// Generation counts how often the agent replaced the log: lines of different generations have nothing to do with one another.
	Generation int `json:"generation"`
}

// ConversationQuery selects a page. At most one of After, Before and Offset is set; without, the newest messages are meant.
type ConversationQuery struct {
	Limit  int    // messages; 1…200
	After  *int64 // messages behind this line
	Before *int64 // messages before this line
	Offset *int   // messages from this one on, counted from the log's first
}

// MessageKind says what brought a message about.
type MessageKind string

// The kinds of messages. Only a response is the assistant's.
const (
	KindPrompt       MessageKind = "prompt"
	KindSteer        MessageKind = "steer"        // taken in by the running turn
	KindCommand      MessageKind = "command"      // a slash command, or a command that the user typed
	KindNotification MessageKind = "notification" // the harness woke the agent
	KindTask         MessageKind = "task"         // a parent agent asked
	KindSkill        MessageKind = "skill"        // instructions that were loaded
	KindResult       MessageKind = "result"       // results whose calls stand on another page
	KindResponse     MessageKind = "response"
	KindUnknown      MessageKind = "unknown" // of a type that no source knows; in views only
)

// ConversationMessage is a prompt or a response. A later page may continue a message: then it has the same ID.
type ConversationMessage struct {
	ID      string             `json:"id"`
	Line    int64              `json:"line"` // its first on this page
	Type    MessageRole        `json:"type"`
	Kind    MessageKind        `json:"kind"`
	At      int64              `json:"at"`                // unix ms; 0 = unknown
	Turn    int                `json:"turn"`              // index; -1 = unknown
	Rewound bool               `json:"rewound,omitempty"` // its turn was taken back
	Model   string             `json:"model,omitempty"`
	Usage   *Tokens            `json:"usage,omitempty"`
	Content []ConversationPart `json:"content"`
}

// PartType says what a part of a message is.
type PartType string

// The types of parts.
const (
	PartText       PartType = "text"
	PartThinking   PartType = "thinking"
	PartToolUse    PartType = "tool_use"
	PartToolResult PartType = "tool_result" // its call stands on another page; ID names it
)

// ConversationPart is a text, a thought, a call with its result, or a result alone.
type ConversationPart struct {
	Type PartType `json:"type"`
	ConversationText
	ID       string        `json:"id,omitempty"` // of the call
	Name     string        `json:"name,omitempty"`
	Category Category      `json:"category,omitempty"`
	Redacted bool          `json:"redacted,omitempty"` // the agent withheld it
	Status   CallStatus    `json:"status,omitempty"`   // of a result alone
	Error    string        `json:"error,omitempty"`
	Result   *ResultOfPart `json:"result,omitempty"` // of a call; nil = not on this page
}

// ResultOfPart is what answered a call.
type ResultOfPart struct {
	ConversationText
	Status CallStatus `json:"status"`
	Error  string     `json:"error,omitempty"`
}

// ConversationText is a text that is cut when it is long.
type ConversationText struct {
	Text      string `json:"text"`
	Truncated bool   `json:"truncated,omitempty"` // then Text ends in "[truncated]"
	Bytes     int64  `json:"bytes"`               // of the whole
	Ref       Ref    `json:"ref"`                 // the record that holds the whole
}

// TurnStart is where a turn's first record stands.
type TurnStart struct {
	Index   int
	Ref     Ref
	Rewound bool
}

// ViewStatus says whether there is a View.
type ViewStatus string

// The statuses of a View.
const (
	ViewOK       ViewStatus = "ok"
	ViewNone     ViewStatus = "none"      // no log, or no turn in it
	ViewCleared  ViewStatus = "cleared"   // its user began anew under another id
	ViewTooLarge ViewStatus = "too-large" // the newest turn alone is too much to read
)

// View is the newest turns of a session, small enough for a phone: 250 lines, 6 lines per tool result, 256 KiB.
type View struct {
	Status    ViewStatus `json:"status"`
	Turns     []ViewTurn `json:"turns"`     // oldest first
	Truncated bool       `json:"truncated"` // there are older ones
}

// ViewTurn is a turn of a View.
type ViewTurn struct {
	At   *string   `json:"at"` // RFC 3339; nil = unknown
	Rows []ViewRow `json:"rows"`
}

// ViewRowKind says who speaks in a row.
type ViewRowKind string

// The kinds of rows.
const (
	RowUser      ViewRowKind = "user"
	RowAssistant ViewRowKind = "assistant"
	RowTool      ViewRowKind = "tool"
	RowUnknown   ViewRowKind = "unknown"
)

// ViewRow is one thing that was said or done.
type ViewRow struct {
	Kind    ViewRowKind `json:"kind"`
	Text    string      `json:"text"`
	Clipped bool        `json:"clipped,omitempty"`
}
