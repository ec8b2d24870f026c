package collector

// RunQuery selects root sessions to sum up or compare, those with the newest records first. Zero fields do not restrict.
type RunQuery struct {
	IDs    []SessionID // only these, children too
	Agent  Agent
	Repo   string // repo or cwd contains it
	Branch string
	Label  string
	Limit  int // 0 = all
}

// Run is a session whose TreeTotals are filled in, with the roll-ups of its tree.
type Run struct {
	Session *Session // without Children
	Parts   []RunPart
}

// RunPart is one session of a run's tree: the root, or a descendant.
type RunPart struct {
	ID     SessionID
	Rollup []byte // what package insights made of its turns; nil = nothing yet
}

// RunPage is the newest of the runs that a query selects.
type RunPage struct {
	Runs      []Run
	Total     int  // that match
	Truncated bool // there are older ones than the limit took
}

// ToolStat sums up the calls of one tool.
type ToolStat struct {
	Tool     string   `json:"tool"`
	Category Category `json:"category"`
	Calls    int      `json:"calls"`
	Failed   int      `json:"failed"`
	FailRate float64  `json:"failRate"` // 0…1
	Retries  int      `json:"retries"`  // calls flagged as a retry
	Timed    int      `json:"timed"`    // calls whose duration is known; the times are theirs
	P50Ms    *float64 `json:"p50Ms"`    // within 5 %
	P95Ms    *float64 `json:"p95Ms"`
	TotalMs  int64    `json:"totalMs"`
}

// LabelCount is how many sessions have a label.
type LabelCount struct {
	Label    string `json:"label"`
	Sessions int    `json:"sessions"`
}

// MaxLabel is how many characters a label may have.
const MaxLabel = 64

// Analysis is a session read again from its log.
type Analysis struct {
	Session     *Session    `json:"session"` // this session alone
	Turns       []*Turn     `json:"turns"`
	Tools       []ToolStat  `json:"tools"`
	Log         AnalysedLog `json:"log"`
	Same        bool        `json:"same"`        // as the store says
	Differences []string    `json:"differences"` // from the store, in words
}

// AnalysedLog is the log that an Analysis was read from.
type AnalysedLog struct {
	Path       string `json:"path"`
	Bytes      int64  `json:"bytes"`
	ModifiedAt int64  `json:"modifiedAt"` // unix ms
	Records    int    `json:"records"`
	Cached     bool   `json:"cached"` // the log is as it was when it was last asked for
}
