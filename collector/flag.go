package collector

// FlagKind is an anomaly's short name.
type FlagKind string

// The kinds of flags.
const (
	FlagFail           FlagKind = "fail"
	FlagRetry          FlagKind = "retry"
	FlagLoop           FlagKind = "loop"
	FlagFanout         FlagKind = "fanout"
	FlagCompactionLoss FlagKind = "compaction-loss"
	FlagThrash         FlagKind = "thrash"
)

// Flag says that something in a turn looks wrong, and why.
type Flag struct {
	Kind     FlagKind   `json:"kind"`
	Reason   string     `json:"reason"` // one sentence that a person understands
	At       Target     `json:"at"`     // what is flagged
	Evidence []Evidence `json:"evidence"`
}

// Evidence is one thing that a flag rests on.
type Evidence struct {
	Text string `json:"text"`
	At   Target `json:"at"`
}

// TargetKind is what a Target points at.
type TargetKind string

// The kinds of targets.
const (
	TargetTurn      TargetKind = "turn"
	TargetRoundTrip TargetKind = "roundTrip"
	TargetCall      TargetKind = "call"
	TargetMarker    TargetKind = "marker"
)

// Target points at a part of a session: Seq is a turn's index or the Seq of a round trip, call or marker.
type Target struct {
	Kind TargetKind `json:"kind"`
	Seq  int        `json:"seq"`
}

// Analyzer looks for one kind of flag. Run is pure: it reads the turn, keeps nothing and changes nothing.
type Analyzer struct {
	Flag FlagKind
	Doc  string // the page's tooltip and the README's text
	Run  func(*Turn) []Flag
}
