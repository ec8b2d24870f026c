package flow

import "github.com/turnwatch/turnwatch/collector"

// Kind is what a node stands for.
type Kind string

// The kinds of nodes.
const (
	KindPrompt      Kind = "prompt"
	KindAssistant   Kind = "assistant"
	KindTool        Kind = "tool"
	KindHook        Kind = "hook"
	KindCompaction  Kind = "compaction"
	KindPlanChange  Kind = "plan_change"
	KindModelChange Kind = "model_change"
	KindAbort       Kind = "abort"
	KindError       Kind = "error"
)

// Status is how what a node stands for went.
type Status string

// The statuses of a node.
const (
	StatusPending Status = "pending"
	StatusOK      Status = "ok"
	StatusFail    Status = "fail"
)

// EdgeKind says why one node follows another.
type EdgeKind string

// The kinds of edges.
const (
	EdgeNext        EdgeKind = "next"         // what came after
	EdgeRequestedBy EdgeKind = "requested_by" // a response and its calls, a call and what it caused
	EdgeParallel    EdgeKind = "parallel"     // neighbouring calls of one response
)

// Graph is a session, or some turns of it.
type Graph struct {
	Nodes     []Node `json:"nodes"`
	Edges     []Edge `json:"edges"`
	TurnCount int    `json:"turnCount"` // of the session, also when only some are shown
	From      int    `json:"from"`      // index of the first turn shown
}

// Node is a prompt, a response, a tool call or a marker.
type Node struct {
	ID          string               `json:"id"` // t3, r12, c45 or m7; in a lane <child session>/c45
	Kind        Kind                 `json:"kind"`
	RootTurn    int                  `json:"rootTurn"` // turn of the session shown under which it stands
	Turn        int                  `json:"turn"`     // turn of its own session
	Seq         int                  `json:"seq"`      // in its own session; a prompt's is its turn's index
	Lane        collector.SessionID  `json:"lane"`     // the sub-agent's session; "" = the session itself
	Label       string               `json:"label"`
	Status      Status               `json:"status"`
	State       string               `json:"state"` // the exact word: a TurnStatus, CallStatus or MarkerStatus
	Category    collector.Category   `json:"category,omitempty"`
	Preview     string               `json:"preview"`          // prompt, reply, arguments
	Result      string               `json:"result,omitempty"` // of a tool, or its error
	StartedAt   int64                `json:"startedAt"`        // unix ms; 0 = unknown
	EndedAt     int64                `json:"endedAt"`          // unix ms; 0 = unknown
	DurationMs  collector.Count      `json:"durationMs"`
	WaitMs      int64                `json:"waitMs,omitempty"` // of which a human was asked
	ExitCode    *int                 `json:"exitCode,omitempty"`
	Tokens      *collector.Count     `json:"tokens,omitempty"` // of a response, all classes
	Background  bool                 `json:"background,omitempty"`
	Inherited   bool                 `json:"inherited,omitempty"`
	Child       collector.SessionID  `json:"child,omitempty"` // the session that a call spawned
	Flags       []collector.FlagKind `json:"flags"`           // each kind once
	FlagDetails []collector.Flag     `json:"flagDetails"`
	Ref         collector.Ref        `json:"ref"`
}

// Edge leads from one node to another.
type Edge struct {
	ID       string              `json:"id"`
	Source   string              `json:"source"`
	Target   string              `json:"target"`
	Kind     EdgeKind            `json:"kind"`
	Animated bool                `json:"animated,omitempty"` // its target is still running
	Dashed   bool                `json:"dashed,omitempty"`
	Lane     collector.SessionID `json:"lane"`
	RootTurn int                 `json:"rootTurn"` // of its source, so that a turn can be replaced together with those after it
}

// Lane is a sub-agent's session and those that it spawned.
type Lane struct {
	Session    collector.SessionID
	ParentCall string // key of the spawning call; "" = the log does not say
	StartedAt  int64  // unix ms; places a lane without a spawning call
	Turns      []*collector.Turn
	Lanes      []Lane
}
