package collector

// Commit is what one commit of the pipeline changed and what was read for it, for those who count. What it points to
// belongs to the pipeline: an observer looks at it at once, changes nothing and keeps nothing.
type Commit struct {
	At      int64 // unix ms
	Changes []Change
	Reads   []Read
}

// Change is what a commit changed in one session.
type Change struct {
	Session    *Session
	Turns      []*Turn  // all of them, by index, with their parts
	Changed    []*Turn  // those that differ from before,
	Before     [][]Flag // and the flags that each of them had
	RoundTrips []*RoundTrip
	Calls      []*ToolCall
	Global     map[*RoundTrip]bool // round trips whose keys are unique over all sessions of the agent
}

// Read is one record that was read, after the part of its stream that was there at start.
type Read struct {
	Agent   Agent
	Kind    StreamKind
	Result  ReadResult
	Version string // of the agent's program, of a record that was skipped; "" = unknown
	Bytes   int64
	At      int64 // when it was written, unix ms; 0 = it does not say
}

// ReadResult says what came of a record.
type ReadResult string

// The results of reading a record.
const (
	ReadOK        ReadResult = "ok"
	ReadSkipped   ReadResult = "skipped" // of a type that the source does not know
	ReadMalformed ReadResult = "malformed"
)

// StateCount is how many sessions of an agent are in a state.
type StateCount struct {
	Agent    Agent
	State    SessionState
	Sessions int
}
