package hooks

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/turnwatch/turnwatch/collector"
)

// State says how hooks stand in a file.
type State string

// The states.
const (
	StateNone      State = "none"      // there are none of ours
	StateInstalled State = "installed" // as Install leaves them
	StateModified  State = "modified"  // some are changed or missing
	StateUnlinked  State = "unlinked"  // as Install leaves them, but they do not report to this Turnwatch
	StateForeign   State = "foreign"   // the file of our name is somebody else's
	StateBroken    State = "broken"    // the file cannot be edited
)

// Folder says what a folder is that was named.
type Folder string

// The values.
const (
	FolderRepository Folder = "repository"
	FolderGone       Folder = "gone"    // it is not there, or no folder
	FolderOutside    Folder = "outside" // it is in no repository
)

// Trust says whether the user agreed to the hooks, where the agent asks.
type Trust string

// The values.
const (
	TrustNone     Trust = "" // nobody asks
	TrustTrusted  Trust = "trusted"
	TrustPending  Trust = "pending"  // the agent has not asked yet
	TrustModified Trust = "modified" // it asks again, since they changed
)

// Report says how hooks stand, or what was done, per agent.
type Report struct {
	Scope  Scope         `json:"scope"`
	Root   string        `json:"root,omitempty" doc:"the repository's folder"`
	Folder Folder        `json:"folder,omitempty" doc:"what the folder is that was named; only a repository takes hooks"`
	Reason string        `json:"reason,omitempty" doc:"why the folder takes no hooks; then agents is empty"`
	Agents []AgentReport `json:"agents"`
	Places []Place       `json:"places" doc:"wherever hooks were installed, on this machine"`
}

// Place is where hooks were installed.
type Place struct {
	Agent collector.Agent `json:"agent"`
	Scope Scope           `json:"scope"`
	Root  string          `json:"root" doc:"the repository's folder, or the agent's"`
	At    int64           `json:"at" doc:"unix ms"`
}

// AgentReport is one agent's part.
type AgentReport struct {
	Agent   collector.Agent `json:"agent"`
	Present bool            `json:"present" doc:"the agent has its folder on this machine"`
	Path    string          `json:"path" doc:"the file that the agent reads"`
	State   State           `json:"state"`
	Trust   Trust           `json:"trust,omitempty" doc:"for agents that ask the user about hooks"`
	Changed bool            `json:"changed" doc:"something was written; with dryRun, would be"`
	Diff    string          `json:"diff,omitempty" doc:"of the file, unified"`
	Backup  string          `json:"backup,omitempty" doc:"where a foreign file was moved; Uninstall moves it back"`
	Problem string          `json:"problem,omitempty" doc:"why nothing was done"`
	Notes   []string        `json:"notes" doc:"what the user should know or do"`
}

// unified returns the difference as patches show it.
func unified(p place, before, after content) string {
	name := p.path
	if p.scope == ScopeRepo {
		name = strings.TrimPrefix(strings.TrimPrefix(p.path, p.root), "/")
	}
	from, to := "a/"+name, "b/"+name
	if !before.exists {
		from = "/dev/null"
	}
	if !after.exists {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(before.data), string(after.data))
}
