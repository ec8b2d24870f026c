// Package testdata bundles recordings of real agents' programs, which --demo shows. The programs ran against scripted
// models; no text in them is anybody's. Those of Antigravity and Muse are made by hand.
package testdata

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

//go:embed all:claude/print-2.1.332 all:claude/tui-2.1.332 all:claude/otel-2.1.332
//go:embed all:codex/v0.155.0-basic
//go:embed all:codex/v171-approvals-declined all:codex/v171-basic-parallel-patch-fail-retry-dup-resume all:codex/v171-codemode
//go:embed all:codex/v171-compaction-local all:codex/v171-fork-of-basic all:codex/v171-forkcontext-child
//go:embed all:codex/v171-forkcontext-parent all:codex/v171-interrupt all:codex/v171-mcp-websearch-streamcut
//go:embed all:codex/v171-multiagent-v1-child all:codex/v171-multiagent-v1-parent all:codex/v171-ordering-background-exec
//go:embed all:copilot/1.0.102-badtools all:copilot/1.0.102-interactive-compact-rename-exit all:copilot/1.0.102-mcp
//go:embed all:copilot/1.0.102-sigint-mid-tool all:copilot/1.0.102-skill all:copilot/1.0.102-subagent-sync
//go:embed all:copilot/1.0.102-thrash-9-roundtrips all:copilot/1.0.102-tools-then-resume all:copilot/1.0.65-tools-then-resume
//go:embed all:copilot/1.0.102-http500-retries all:copilot/1.0.83-subagent
//go:embed all:antigravity/denied-then-resumed all:antigravity/tools
//go:embed all:muse/sub-agents all:muse/tools
//go:embed all:gemini/subagents all:gemini/terminal
//go:embed all:opencode/two-sessions/home
//go:embed all:grok/1.0.41-tools-then-resume/home all:grok/1.0.41-wake-interrupt-rename/home
//go:embed all:grok/1.0.41-subagents-awaited/home
var demo embed.FS

// FirstDemo is the recording to begin with: several turns with calls that went well and calls that did not, in plain words.
const FirstDemo = "opencode:ses_dd240bf4bffeCUCyM7X1roV7ur"

// WriteDemo lays the recordings out as one home directory under dir.
func WriteDemo(dir string) error {
	return fs.WalkDir(demo, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		parts := strings.SplitN(name, "/", 4) // agent, case, "home", the rest
		if len(parts) != 4 || parts[2] != "home" {
			return nil
		}
		b, err := fs.ReadFile(demo, name)
		if err != nil {
			return err
		}
		return writeDemoFile(filepath.Join(dir, filepath.FromSlash(parts[3])), b)
	})
}

var timestamp = regexp.MustCompile(`"timestamp":"([^"]+)"`)

// writeDemoFile gives a log the age of its last record: a fresh file would look like a session at work.
func writeDemoFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	old := time.Now().Add(-24 * time.Hour)
	if all := timestamp.FindAllSubmatch(b, -1); len(all) > 0 {
		if t, err := time.Parse(time.RFC3339, string(all[len(all)-1][1])); err == nil && t.Before(old) {
			old = t
		}
	}
	return os.Chtimes(path, old, old)
}
