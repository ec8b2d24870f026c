package collector

// Progress is how far reading the history that was present at start has come.
type Progress struct {
	Ready        bool  `json:"ready"` // all of it is in
	Streams      int   `json:"streams"`
	StreamsTotal int   `json:"streamsTotal"`
	Bytes        int64 `json:"bytes"`
	BytesTotal   int64 `json:"bytesTotal"`
	EtaMs        Count `json:"etaMs"` // until Ready
}

// UnknownCount counts records of a type that a source does not know, or lines that it cannot read (Type "malformed").
type UnknownCount struct {
	Agent   Agent  `json:"agent"`
	Version string `json:"version"` // of the agent's program; "" = unknown
	Type    string `json:"type"`
	Count   int64  `json:"count"`
}

// UnverifiedAgent is an agent whose source was never compared with what the agent's own program does.
type UnverifiedAgent struct {
	Agent Agent  `json:"agent"`
	Why   string `json:"why"` // a sentence: what the source rests on instead
}

// RunningUnknownAgent is an agent whose log does not show which calls run.
type RunningUnknownAgent struct {
	Agent Agent  `json:"agent"`
	Why   string `json:"why"` // a sentence: when a call is shown
}

// WarningStore is the code of the warning that the store cannot be written or read: while it stands, nothing new is shown.
const WarningStore = "store"

// Warning is something that the user should know: what, about which thing, and what to do.
type Warning struct {
	Code    string `json:"code"` // stable, kebab-case
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Count   int    `json:"count"`
	LastAt  int64  `json:"lastAt"` // unix ms
}

// Ingest is what the pipeline says about itself.
type Ingest struct {
	Progress Progress       `json:"progress"`
	Unknown  []UnknownCount `json:"unknownRecords"`
	Warnings []Warning      `json:"warnings"`
	Roots    []Root         `json:"roots"`
	// Unverified lists the agents whose numbers rest on no look at the real program.
	Unverified []UnverifiedAgent `json:"unverified"`
	// RunningUnknown lists the agents of which only hooks tell what runs.
	RunningUnknown []RunningUnknownAgent `json:"runningUnknown"`
}

// Root is a directory in which an agent's sessions were looked for.
type Root struct {
	Agent  Agent  `json:"agent"`
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}
