package collector

// TurnStatus is how a turn stands.
type TurnStatus string

// The statuses of a turn.
const (
	TurnOpen        TurnStatus = "open"        // no end was written
	TurnOK          TurnStatus = "ok"          // ended normally
	TurnFailed      TurnStatus = "failed"      // ended by an error
	TurnInterrupted TurnStatus = "interrupted" // ended by the user
	TurnAbandoned   TurnStatus = "abandoned"   // never ended: a later turn began, or the process is gone
)

// PromptOrigin says who asked.
type PromptOrigin string

// The origins of a prompt.
const (
	PromptHuman PromptOrigin = "human"
	PromptAgent PromptOrigin = "agent" // a parent agent asked its sub-agent
	PromptAuto  PromptOrigin = "auto"  // the harness woke the agent: a background task ended, a schedule fired
)

// Turn is what happens from one prompt to the next. Index is 0-based here and 1-based on screen.
type Turn struct {
	Index     int              `json:"index"`
	Key       string           `json:"key"` // the agent's own name for it
	Origin    PromptOrigin     `json:"origin"`
	Prompt    Text             `json:"prompt"`
	Steers    int              `json:"steers,omitempty"` // further prompts that the running turn took in
	Reply     Text             `json:"reply"`            // the last text of the turn
	Status    TurnStatus       `json:"status"`
	Error     string           `json:"error,omitempty"` // why it failed
	Model     string           `json:"model,omitempty"`
	StartedAt int64            `json:"startedAt"`           // unix ms; 0 = unknown
	EndedAt   int64            `json:"endedAt"`             // unix ms of its last record; 0 = unknown
	Inherited bool             `json:"inherited,omitempty"` // copied from the session it was forked from
	Rewound   bool             `json:"rewound,omitempty"`   // taken back: later requests do not include it; what it consumed was spent
	Totals    Totals           `json:"totals"`
	Calls     map[Category]int `json:"calls"` // per category
	Ref       Ref              `json:"ref"`   // first record
	EndOffset int64            `json:"-"`     // where its last record ends in the stream
	PromptKey string           `json:"-"`     // names the prompt's record, so that a copy of it opens no second turn

	RoundTrips []*RoundTrip `json:"roundTrips,omitempty"`
	ToolCalls  []*ToolCall  `json:"toolCalls,omitempty"`
	Markers    []*Marker    `json:"markers,omitempty"`
	Flags      []Flag       `json:"flags"`

	Changed bool `json:"-"` // differs from the store's row; set by fold, cleared by the commit
}

// StopEndTurn is the StopReason of a response that ends its turn; sources translate their agent's word for it.
const StopEndTurn = "end_turn"

// RoundTrip is one model response.
type RoundTrip struct {
	Seq         int       `json:"seq"` // 0-based in its session
	Turn        int       `json:"turn"`
	Key         string    `json:"key,omitempty"` // the response's own id
	Model       string    `json:"model,omitempty"`
	StartedAt   int64     `json:"startedAt"` // unix ms when it was asked for; 0 = unknown
	EndedAt     int64     `json:"endedAt"`   // unix ms of its last record; 0 = unknown
	StopReason  string    `json:"stopReason,omitempty"`
	Text        Text      `json:"text"`
	Thinking    Text      `json:"thinking"`
	Redacted    bool      `json:"redacted,omitempty"` // the agent withheld text (encrypted reasoning)
	Calls       int       `json:"calls"`
	Compaction  bool      `json:"compaction,omitempty"` // it made a summary of history, and is no work of its turn
	Tokens      Tokens    `json:"tokens"`
	UsageRank   UsageRank `json:"-"`
	Premium     *Amount   `json:"premiumRequests,omitempty"`
	Credits     *Amount   `json:"credits,omitempty"`
	CostUSD     *Amount   `json:"-"`                     // as the agent states it; nil = the price list says
	Inherited   bool      `json:"inherited,omitempty"`   // copied history; left out of totals
	DuplicateOf SessionID `json:"duplicateOf,omitempty"` // another session owns it; left out of totals
	Ref         Ref       `json:"ref"`

	Changed bool `json:"-"`
}

// Counts reports whether the round trip belongs into its session's totals.
func (r *RoundTrip) Counts() bool { return !r.Inherited && r.DuplicateOf == "" }

// CallStatus is how a tool call stands.
type CallStatus string

// The statuses of a tool call.
const (
	CallPending     CallStatus = "pending"     // asked for, no result yet
	CallOK          CallStatus = "ok"          // the result says so, or says nothing else
	CallFailed      CallStatus = "failed"      // ran and failed, or could not run; also shell exits other than 0
	CallDenied      CallStatus = "denied"      // a human, a rule or a hook said no
	CallInterrupted CallStatus = "interrupted" // stopped before its result
	CallLost        CallStatus = "lost"        // its turn ended and no result was ever written
)

// Category groups tools by what they touch.
type Category string

// The eight categories.
const (
	CategoryFile   Category = "file"
	CategoryShell  Category = "shell"
	CategorySearch Category = "search"
	CategoryWeb    Category = "web"
	CategoryAgent  Category = "agent"
	CategoryVCS    Category = "vcs"
	CategoryIDE    Category = "ide"
	CategoryOther  Category = "other"
)

// Effect says what a call does to the world, as far as its name and arguments tell.
type Effect uint8

// The effects.
const (
	EffectUnknown Effect = iota
	EffectEdit           // changes files
	EffectPoll           // looks whether something is ready; repeating it is normal
)

// ToolCall is one call of a tool, asked for by a round trip.
type ToolCall struct {
	Seq          int        `json:"seq"` // 0-based in its session
	Turn         int        `json:"turn"`
	RoundTrip    int        `json:"roundTrip"`        // Seq of the round trip that asked; -1 = none (typed by the user)
	Key          string     `json:"key"`              // the agent's own id of the call
	Within       string     `json:"within,omitempty"` // key of the call whose script made this one
	Tool         string     `json:"tool"`
	Category     Category   `json:"category"`
	Effect       Effect     `json:"-"`
	Status       CallStatus `json:"status"`
	ExitCode     *int       `json:"exitCode,omitempty"`
	Args         Text       `json:"args"`
	ArgsHash     uint64     `json:"-"` // of the arguments that matter, in canonical order; 0 = unknown
	Result       Text       `json:"result"`
	ResultHash   uint64     `json:"-"` // 0 = unknown
	Error        string     `json:"error,omitempty"`
	Background   bool       `json:"background,omitempty"` // answered at once, goes on by itself
	StartedAt    int64      `json:"startedAt"`            // unix ms; 0 = unknown
	EndedAt      int64      `json:"endedAt"`              // unix ms; 0 = unknown
	DurationMs   Count      `json:"durationMs"`
	WaitMs       int64      `json:"waitMs,omitempty"` // of which a human was asked
	LinesAdded   int        `json:"linesAdded,omitempty"`
	LinesRemoved int        `json:"linesRemoved,omitempty"`
	Child        SessionID  `json:"child,omitempty"` // the session it spawned; filled when read
	Inherited    bool       `json:"inherited,omitempty"`
	Ref          Ref        `json:"ref"` // where it was asked for

	Changed bool `json:"-"`
}

// MarkerKind is what a marker marks.
type MarkerKind string

// The kinds of markers.
const (
	MarkerHook       MarkerKind = "hook"
	MarkerCompaction MarkerKind = "compaction"
	MarkerPlan       MarkerKind = "plan_change"
	MarkerModel      MarkerKind = "model_change"
	MarkerPermission MarkerKind = "permission_wait"
	MarkerSkill      MarkerKind = "skill"
	MarkerAbort      MarkerKind = "abort"
	MarkerError      MarkerKind = "error"
	MarkerNotice     MarkerKind = "notice" // something the agent told its user
)

// MarkerStatus is how what the marker marks went.
type MarkerStatus string

// The statuses of a marker.
const (
	MarkerPending MarkerStatus = "pending"
	MarkerOK      MarkerStatus = "ok"
	MarkerFailed  MarkerStatus = "failed"
)

// Marker is something that happened in a turn beside round trips and tool calls.
type Marker struct {
	Seq        int          `json:"seq"` // 0-based in its session
	Turn       int          `json:"turn"`
	Kind       MarkerKind   `json:"kind"`
	Key        string       `json:"key,omitempty"`
	Name       string       `json:"name,omitempty"` // hook event, skill name, new model, error type …
	Text       Text         `json:"text"`
	Status     MarkerStatus `json:"status"`
	At         int64        `json:"at"` // unix ms; 0 = unknown
	DurationMs Count        `json:"durationMs"`
	Call       string       `json:"call,omitempty"` // key of the tool call it concerns
	PreTokens  Count        `json:"preTokens"`      // compaction: context before
	PostTokens Count        `json:"postTokens"`     // compaction: context after
	InFlight   []int        `json:"inFlight,omitempty"`
	Source     string       `json:"source,omitempty"` // skill: project, user, plugin …
	Inherited  bool         `json:"inherited,omitempty"`
	Ref        Ref          `json:"ref"`

	Changed bool `json:"-"`
}

// Text is a text by reference: a preview, and where the whole of it stands in the agent's log.
type Text struct {
	Preview string `json:"preview"`          // at most PreviewBytes, cut at a character
	Bytes   int64  `json:"bytes,omitempty"`  // of the whole text, as it stands in the log; 0 = empty or unknown
	Masked  int64  `json:"masked,omitempty"` // bytes by which masks made the preview shorter; less than 0 = longer
	Ref     Ref    `json:"ref"`
}

// Clipped reports whether the preview is not the whole text.
func (t Text) Clipped() bool { return t.Bytes > int64(len(t.Preview))+t.Masked }

// PreviewBytes is how much of a text is kept in the store.
const PreviewBytes = 360

// Ref is where a record stands in its stream. In a table, a row has no bytes: Offset is its number, and Length 1.
type Ref struct {
	Offset int64 `json:"offset"` // bytes, of the uncompressed stream
	Length int64 `json:"length"` // bytes, without the newline; 0 = no record
	Line   int64 `json:"line"`   // 1-based; 0 = unknown
}
