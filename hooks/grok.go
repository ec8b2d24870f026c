package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Grok looks for variables in a command before it runs it, and does not run one that names a variable which is neither
// set, nor assigned in the command, nor has a default (seen in 1.0.41). grokRuns assigns the one that the bridge reads.
const (
	grokRuns     = "u="
	grokVariable = "${GROK_SESSION_ID-}" // it gives that to the hooks that it runs, whosever they are
)

// grok is Grok Build. It reads every file of its hooks folders, so ours has a file of its own, in the form of Claude
// Code's. It runs the hooks of Claude Code's files as well: those leave its sessions to these.
func grok() agent {
	return agent{
		name: "grok",
		home: grokHome,
		user: "hooks/turnwatch.json",
		repo: ".grok/hooks/turnwatch.json",
		ours: true,
		// All that 1.0.41 knows.
		events: []string{
			"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied", "Notification",
			"SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "Stop", "StopFailure", "StopCancelled", "SessionEnd",
		},
		element:  group("grok", grokRuns),
		grouped:  true,
		commands: []string{"command"},
		review:   grokReview,
	}
}

func grokHome(cfg Config) string { return homeFrom(cfg, "GROK_HOME", ".grok") }

// grokReview looks whether Grok runs the hooks: those of a repository only in a folder that its user trusts, and without a
// word otherwise; and whether it runs Claude Code's beside them.
func grokReview(cfg Config, p place, _ document) (Trust, []string) {
	notes := grokBeside(cfg, p)
	if p.scope == ScopeUser {
		return TrustNone, notes
	}
	trusted, err := grokTrusts(cfg, p.root)
	switch {
	case err != nil:
		return TrustPending, append(notes, err.Error())
	case !trusted:
		return TrustPending, append(notes, "Grok does not trust this folder yet, and passes over its hooks without a word: start grok in it with --trust, or type /hooks-trust.")
	}
	return TrustTrusted, notes
}

// grokTrusts reports whether the user trusts the folder, or one of the same repository around it.
func grokTrusts(cfg Config, root string) (bool, error) {
	path := filepath.Join(grokHome(cfg), "trusted_folders.toml")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var file struct {
		Folders map[string]struct {
			Trusted bool `toml:"trusted"`
		} `toml:"folders"`
	}
	if err == nil {
		err = toml.Unmarshal(raw, &file)
	}
	if err != nil {
		return false, fmt.Errorf("%s cannot be read, so whether Grok trusts the folder is unknown: %w", path, err)
	}
	for folder, f := range file.Folders {
		if f.Trusted && filepath.Clean(folder) == root {
			return true, nil
		}
	}
	return false, nil
}

// grokBeside says what becomes of Claude Code's hooks in the same place: ours tell nothing of Grok's sessions, and those of
// older versions of ours it cannot run.
func grokBeside(cfg Config, p place) []string {
	root := ""
	if p.scope == ScopeRepo {
		root = p.root
	}
	other, err := claude().place(cfg, root)
	if err != nil {
		return nil
	}
	c, err := other.read()
	text := string(c.data)
	switch {
	case err != nil || !strings.Contains(text, mark+" claude "):
		return nil
	case strings.Contains(text, grokVariable):
		return []string{"Grok also runs Claude Code's hooks in " + other.path + ". Those of Turnwatch leave Grok's sessions to these, so nothing is told twice."}
	}
	return []string{"Grok also runs Claude Code's hooks in " + other.path + ", and those of Turnwatch there are an older version's, which it cannot run and calls failed at every event. Install the hooks for Claude Code again."}
}
