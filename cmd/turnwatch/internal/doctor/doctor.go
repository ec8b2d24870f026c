// Package doctor looks for what may keep Turnwatch from showing everything, and says what to do about it. It changes
// nothing.
package doctor

import (
	"context"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// Level says how bad a finding is.
type Level string

// The levels.
const (
	OK      Level = "ok"
	Note    Level = "note"    // good to know
	Problem Level = "problem" // something is not seen, or not safe
)

// Finding is what was found.
type Finding struct {
	About string `json:"about"`
	Level Level  `json:"level"`
	Found string `json:"found"`
	Do    string `json:"do,omitempty"` // what to do
}

// Patient is what is looked at.
type Patient struct {
	Sources  []collector.Source
	CleanUps []collector.CleanUp
	Versions map[collector.Agent][]string // seen in logs, of each agent's program; empty if its logs name none
	DataDir  string
	Home     string
	Proc     string // "/proc"
	Now      func() time.Time
}

// Examine looks at everything but the running Turnwatch.
func Examine(ctx context.Context, p Patient) []Finding {
	e := &examination{Patient: p, dirs: map[string]bool{}}
	for _, s := range p.Sources {
		e.agent(ctx, s)
	}
	if e.logs == 0 {
		e.add("agents", Problem, "no log of any agent was found below "+p.Home, "start one of your agents, or say where to look with --home")
	}
	e.cleanUps()
	e.watches()
	e.clock()
	e.dataDir()
	return e.findings
}

// examination is an examination under way.
type examination struct {
	Patient
	findings []Finding
	streams  []collector.Stream
	dirs     map[string]bool // that have to be watched
	logs     int
}

func (e *examination) add(about string, level Level, found, do string) {
	e.findings = append(e.findings, Finding{about, level, found, do})
}
