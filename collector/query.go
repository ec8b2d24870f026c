package collector

// SessionSort is an order of sessions. All are descending.
type SessionSort string

// The orders of sessions.
const (
	SortLast   SessionSort = "last"   // newest record first
	SortStart  SessionSort = "start"  // newest start first
	SortTurns  SessionSort = "turns"  // most turns first
	SortCalls  SessionSort = "calls"  // most tool calls first
	SortFailed SessionSort = "failed" // most failed calls first
	SortTokens SessionSort = "tokens" // most tokens first
)

// SessionQuery selects root sessions. Zero fields do not restrict.
type SessionQuery struct {
	Agent  Agent
	Repo   string // repo or cwd contains it
	State  SessionState
	Live   bool   // only those that a running process holds
	Text   string // title, cwd, repo, branch or id contains it
	Sort   SessionSort
	Limit  int    // 1…500; 0 = 50
	Cursor string // SessionPage.Next of the page before
}

// SessionPage is one page of sessions.
type SessionPage struct {
	Sessions []*Session `json:"sessions"`
	Total    int        `json:"total"`          // that match, on all pages
	Next     string     `json:"next,omitempty"` // Cursor of the next page; "" = this is the last
}

// TurnQuery selects turns of a session, in ascending order. Zero fields do not restrict.
type TurnQuery struct {
	From       int    // first index
	Limit      int    // 0 = all
	Text       string // prompt, reply, arguments or result previews contain it
	Tool       string
	Category   Category
	Flag       FlagKind
	ErrorsOnly bool // with a failed call, a failed marker, or a failed turn
}

// TurnPage is the answer: turns without their round trips, calls and markers, and flags without their evidence.
type TurnPage struct {
	Turns []*Turn `json:"turns"`
	Total int     `json:"total"` // of the session, unfiltered
}
