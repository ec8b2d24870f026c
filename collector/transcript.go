package collector

// MessageRole says who wrote a MessageText.
type MessageRole string

// The roles.
const (
	RoleUser      MessageRole = "user"
	RoleAssistant MessageRole = "assistant"
)

// MessageText is one message of a conversation with its whole text: a turn's prompt, or what one round trip said.
type MessageText struct {
	Turn      int         `json:"turn"`
	RoundTrip *int        `json:"roundTrip"` // Seq of the round trip; nil = the prompt
	Role      MessageRole `json:"role"`
	Text      string      `json:"text"`
	Thinking  string      `json:"thinking"` // "" = none, or withheld by the agent
	At        int64       `json:"at"`       // unix ms; 0 = unknown
	Model     string      `json:"model"`
	Ref       Ref         `json:"ref"`
}

// RawLog is a piece of a session's log as the agent wrote it, in whole lines.
type RawLog struct {
	Path   string `json:"path"`
	Line   int64  `json:"line"`   // 1-based number of its first line; 0 = unknown
	Offset int64  `json:"offset"` // bytes, of the uncompressed stream
	Length int64  `json:"length"` // bytes; Offset+Length is where the next piece begins
	Text   string `json:"text"`
}
