package collector

// OnMultiple says what auto-attach does while several sessions are live.
type OnMultiple string

// The choices.
const (
	OnMultipleWait   OnMultiple = "wait"   // until one is left, or somebody chooses
	OnMultipleNewest OnMultiple = "newest" // attach the one that started last
)

// AutoAttachState is how auto-attach stands.
type AutoAttachState string

// The states of auto-attach.
const (
	AutoAttachOff      AutoAttachState = "off"
	AutoAttachWaiting  AutoAttachState = "waiting"  // no session to attach, or too many
	AutoAttachAttached AutoAttachState = "attached" // a live session is attached
)

// AutoAttachOptions say how auto-attach looks for a session.
type AutoAttachOptions struct {
	IntervalMs int64      `json:"intervalMs"`
	OnMultiple OnMultiple `json:"onMultiple"`
	SessionID  SessionID  `json:"sessionId,omitempty"` // attach this one only, once it is live
	FromStart  bool       `json:"fromStart"`
}

// AutoAttach is how auto-attach is set and how it stands.
type AutoAttach struct {
	Enabled bool `json:"enabled"`
	AutoAttachOptions
	State      AutoAttachState `json:"state"`
	Candidates []SessionID     `json:"candidates"` // live sessions that it could attach; never nil
}

// Attachment says which session everybody looks at together.
type Attachment struct {
	Session   SessionID `json:"session"`
	FromStart bool      `json:"fromStart"` // show it from its first turn, not from the moment of attaching
	At        int64     `json:"at"`        // unix ms
}

// Focus is the collector's shared focus. All sessions are followed always; it only says which one is looked at.
type Focus struct {
	AttachedSession *SessionID  `json:"attachedSession"` // nil = none
	Attachment      *Attachment `json:"attachment,omitempty"`
	AutoAttach      AutoAttach  `json:"autoAttach"`
}
