package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// codex is Codex CLI. It asks its user to agree to every single hook, and again when it changes; we look whether that
// happened and never say it in the user's place.
func codex() agent {
	return agent{
		name: "codex",
		home: codexHome,
		user: "hooks.json",
		repo: ".codex/hooks.json",
		// Without PreModelRequest and PostModelRequest, which say nothing that the log lacks and cost every round trip time.
		events: []string{
			"SessionStart", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "PreCompact", "PostCompact",
			"SubagentStart", "SubagentStop", "Stop", "Interrupt", "SessionEnd",
		},
		element:  group("codex", ""),
		grouped:  true,
		commands: []string{"command"},
		posix:    true, // cmd.exe would run them
		review:   codexReview,
	}
}

func codexHome(cfg Config) string { return homeFrom(cfg, "CODEX_HOME", ".codex") }

// codexConfig is what config.toml says of hooks.
type codexConfig struct {
	Projects map[string]struct {
		TrustLevel string `toml:"trust_level"`
	} `toml:"projects"`
	Features struct {
		Hooks *bool `toml:"hooks"`
	} `toml:"features"`
	Hooks struct {
		State map[string]struct {
			TrustedHash string `toml:"trusted_hash"`
			Enabled     *bool  `toml:"enabled"`
		} `toml:"state"`
	} `toml:"hooks"`
}

func readCodexConfig(home string) (codexConfig, error) {
	var c codexConfig
	path := filepath.Join(home, "config.toml")
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = toml.Unmarshal(raw, &c)
	}
	if err != nil {
		return c, fmt.Errorf("%s cannot be read, so whether Codex trusts the hooks is unknown: %w", path, err)
	}
	return c, nil
}

// codexReview looks up what the user answered. The state is kept under the file's name and the hook's position.
func codexReview(cfg Config, p place, d document) (Trust, []string) {
	c, err := readCodexConfig(codexHome(cfg))
	if err != nil {
		return TrustPending, []string{err.Error()}
	}
	var notes []string
	if c.Features.Hooks != nil && !*c.Features.Hooks {
		notes = append(notes, "Hooks are switched off in Codex's config.toml ([features] hooks = false).")
	}
	if p.scope == ScopeRepo && c.Projects[p.root].TrustLevel != "trusted" {
		notes = append(notes, "Codex does not trust this folder yet: start codex in it and say that you do.")
	}
	trust := TrustTrusted
	for _, h := range d.ours() {
		state, ok := c.Hooks.State[codexStateKey(p.path, h)]
		if !ok && p.real != p.path {
			state, ok = c.Hooks.State[codexStateKey(p.real, h)]
		}
		switch {
		case ok && state.Enabled != nil && !*state.Enabled:
			notes = append(notes, "Codex's hook for "+h.event+" is switched off (/hooks).")
		case !ok && trust == TrustTrusted:
			trust = TrustPending
		case ok && state.TrustedHash != codexHash(d, h):
			trust = TrustModified
		}
	}
	switch trust {
	case TrustPending:
		notes = append(notes, "Codex has not asked you about these hooks yet. Start codex here, and choose to trust them when it says “Hooks need review” (or type /hooks). Until then it passes over them without a word.")
	case TrustModified:
		notes = append(notes, "The hooks changed since you trusted them. Type /hooks in codex and trust them again.")
	}
	return trust, notes
}

func codexStateKey(path string, h handler) string {
	return fmt.Sprintf("%s:%s:%d:%d", path, snake(h.event), h.group, h.index)
}

// codexHash is the fingerprint that Codex keeps of a hook (0.171): the hook alone in its group as compact JSON, names
// sorted, defaults filled in.
func codexHash(d document, h handler) string {
	fields, _ := h.node.Decode(d.src).(map[string]any)
	if fields == nil {
		return ""
	}
	if _, ok := fields["timeout"]; !ok {
		fields["timeout"] = 600
	}
	if _, ok := fields["async"]; !ok {
		fields["async"] = false
	}
	identity := map[string]any{"event_name": snake(h.event), "hooks": []any{fields}}
	if m := h.element.Get("matcher"); m != nil {
		identity["matcher"] = m.Decode(d.src)
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(identity); err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.TrimSuffix(b.String(), "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake turns PreToolUse into pre_tool_use.
func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
