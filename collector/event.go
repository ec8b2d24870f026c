package collector

// EventKind says what a record said.
type EventKind uint8

// The kinds of events. Each lists the fields that matter beside the common ones.
const (
	// EventUnknown is a record of a type that the source does not know: Name is the type, Text what was wrong, if
	// anything. Unknown records are counted and never stop a stream.
	EventUnknown EventKind = iota
	// EventMalformed is a line, or a part of one, that cannot be read: Text says why.
	EventMalformed
	// EventFacts states facts about the session: Facts.
	EventFacts
	// EventPrompt is a prompt: Text, Origin, Tentative, Joins.
	EventPrompt
	// EventTurnStart opens the turn that the agent calls Turn, where the agent marks starts. Inherited tells copied
	// turns apart. Text is empty: prompts come as EventPrompt.
	EventTurnStart
	// EventTurnEnd closes the turn Turn (or the open one): TurnStatus, Error, DurationMs; Usage and Model where the agent
	// says what the turn consumed, and of no response what that did.
	EventTurnEnd
	// EventRoundTripStart says that the model was asked now; the next new round trip began here. Unnamed items behind it
	// belong to a new round trip.
	EventRoundTripStart
	// EventText is text of the round trip RoundTrip: Text, Thinking, Redacted, Model, StopReason.
	EventText
	// EventUsage is the usage of the round trip RoundTrip: Usage, Model. See Usage for how several merge.
	EventUsage
	// EventRoundTripEnd closes the open round trip and names it RoundTrip; it may carry a Usage too.
	EventRoundTripEnd
	// EventCall asks for a tool call: Call, RoundTrip, Tool, Category, Effect, Args fields, Within.
	EventCall
	// EventResult answers the call Call: CallStatus, ExitCode, Result text in Text, ResultHash, Error, DurationMs, Lines…
	EventResult
	// EventMarker is a marker: Marker, Name, Text, MarkerStatus, Call, token fields. A second event with the same Key
	// completes the first (hook start and end, permission asked and answered).
	EventMarker
	// EventInherit says that copied history begins: what follows is inherited until an EventTurnStart that is not.
	EventInherit
	// EventRewind says that the history was taken back: to before the prompt Key, or, if After is set, to the end of its
	// turn. A Key that is no prompt's says nothing.
	EventRewind
)

// Event is one thing that a record said, in Turnwatch's words. A Source fills in what the log states and nothing it
// has to conclude from other records; package fold draws the conclusions. The zero value of every field means that the
// record does not say.
type Event struct {
	Kind    EventKind
	Session SessionID // "" = the stream's session
	Time    int64     // unix ms; 0 = the record has none
	Key     string    // names the thing for good within its session, so that a record read twice counts once; "" = its place names it

	Turn      string // the agent's own name of the turn; "" = the open one
	RoundTrip string // the response's own id; "" = the open one, or a new one after a result or a prompt
	Call      string // the agent's own id of the call

	// Global says that RoundTrip is unique over all sessions of the agent, so that a second session that shows it
	// has copied it.
	Global    bool
	Inherited bool // the record says itself that it was copied from another session
	// Late says that the record was written long after what it reports (a result made up at resume), so that its time
	// ends nothing. A prompt that is Late and Joins was queued while a response was being written, and ends none.
	Late bool

	Text     Text // prompt, reply, result, marker text; Ref is filled in by fold
	Name     string
	Model    string
	Error    string
	Duration Count // ms, where the log states it

	// EventPrompt
	Origin    PromptOrigin
	Tentative bool // opens a turn only if the model answers (slash commands)
	Joins     bool // taken in by the running turn, if there is one (steering, queued prompts)

	// EventRewind
	After bool

	// EventTurnEnd
	TurnStatus TurnStatus

	// EventText
	Thinking   bool
	Redacted   bool
	StopReason string // StopEndTurn if the response ends the turn, else the agent's own word

	Usage *Usage

	// EventCall
	Tool     string
	Category Category
	Effect   Effect
	Args     Text
	ArgsHash uint64
	Within   string // the call whose script made this one; WithinPending if the record does not name it
	// Unasked says that no response asked for the call: the user typed it, or the harness made it up. It begins no
	// round trip.
	Unasked bool

	// EventResult
	CallStatus   CallStatus
	ExitCode     *int
	ResultHash   uint64
	Background   bool
	LinesAdded   int
	LinesRemoved int
	// Began is when the call began, unix ms, where the result says so: the record that asked for it is older.
	Began int64
	// Ahead says that the result may stand before its call, and waits for it then, as long as its turn goes on.
	Ahead bool
	// Enriches says that the result adds to another record's result of the same call (exit code, duration, lines)
	// and must not answer the call by itself nor replace its text. Late, it is another stream's, and may come before the call.
	Enriches bool

	// EventMarker
	Marker       MarkerKind
	MarkerStatus MarkerStatus
	PreTokens    Count
	PostTokens   Count
	Source       string

	Facts *Facts
}

// WithinPending as Event.Within says that the call was made by the script of another call that is still running; which
// one, the record does not say.
const WithinPending = "?"

// LatestRoundTrip as Event.RoundTrip of an EventCall says that the newest response of the turn asked for the call; which
// one that is, the record does not say.
const LatestRoundTrip = "?"

// UsageRank orders the witnesses of a round trip's usage. Within a turn the best rank seen counts and lower ones are
// dropped; within a rank, usages of one round trip merge by Tokens.Max.
type UsageRank uint8

// The ranks of usage.
const (
	UsageNone       UsageRank = iota
	UsagePartial              // some classes only, such as output tokens on a message
	UsageCumulative           // differences of a running total
	UsageTable                // a side table, row by row, in the order of the round trips
	UsageExact                // the response's own record
)

// Usage is what one response consumed.
type Usage struct {
	Tokens Tokens
	Rank   UsageRank
	// Cumulative is the running total that came with it. A usage whose total equals the previous one of its session
	// says nothing new (it was repeated to refresh a rate limit) and is ignored.
	Cumulative *Tokens
	// A usage of rank UsageTable belongs to the n-th round trip of its session, n being how many such usages with a
	// smaller event Key there are: the event needs no RoundTrip, and its Key must sort in the order of the rows.
	Premium *Amount
	Credits *Amount
	CostUSD *Amount // what the agent says that it cost; nil = it does not say
	// Unattributed usage belongs to the session and to no round trip that the log shows, such as a compaction's
	// request. It counts once per event Key.
	Unattributed bool
	// OfTree usage of a turn is that of the session and of the sub-agents that it waited for, in one number.
	OfTree  bool
	Context Count // context size that the record states, if it does
	Window  Count
}

// Facts are statements about a session. Later facts of the same stream replace earlier ones field by field; empty
// fields say nothing.
type Facts struct {
	Title      string
	TitleRank  TitleRank
	Cwd        string
	Repo       string
	Branch     string
	Model      string // currently selected; round trips without a model of their own take it
	Version    string
	Role       string
	Parent     SessionID
	ParentCall string // key of the spawning call in Parent
	ForkedFrom SessionID
	StartedAt  int64 // unix ms
	// Fallback facts fill in what no log said (a side table's cwd, a file's name for the title).
	Fallback bool
	// Window is the size of the model's context window, in tokens.
	Window int64
	// Resumed says that a new segment of the session begins here.
	Resumed bool
	// Accounting is what the agent says that the session or its segment consumed.
	Accounting *Accounting
}

// Accounting is what an agent says, at a session's end, that the session or its segment consumed.
type Accounting struct {
	RoundTrips int
	Tokens     Tokens
	Premium    *Amount
	Credits    *Amount
	CostUSD    *Amount
	// Cumulative says whether it covers the whole session, or only the segment since its last resume. Unsure lets
	// fold compare RoundTrips with what it counted.
	Cumulative Tristate
	// Tree says that RoundTrips, Tokens and Credits are those of the session and all its descendants in one number.
	// What the session itself consumed is then not known better than its round trips know it.
	Tree bool
}

// Tristate is a yes, a no, or not known.
type Tristate uint8

// The three states.
const (
	Unsure Tristate = iota
	Yes
	No
)
