package hooks_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// FuzzInstall gives every agent's installer a text: what comes out must be complete, and both ways back must lead to the
// text that went in, byte for byte.
func FuzzInstall(f *testing.F) {
	for _, text := range before {
		f.Add([]byte(strings.ReplaceAll(text, "EVENT", "Stop")))
	}
	f.Add([]byte(`{"hooks":{"Stop":[{"hooks":[{"command":"x turnwatch-hook y"}]},{}],"Stop":[],"\u0053top":[1]}}`))
	f.Add([]byte(`{"hooks":{"preToolUse":[{"bash":"turnwatch-hook"},{"powershell":"turnwatch-hook", "bash": 1}]}}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, agent := range []collector.Agent{"claude", "codex", "copilot", "gemini", "grok"} {
			text, spans, added, err := hooks.InstallText(agent, src)
			if err != nil {
				continue
			}
			again, _, _, err := hooks.InstallText(agent, text)
			if err != nil || !bytes.Equal(again, text) {
				t.Fatalf("%s: %q became %q, and that %q, %v", agent, src, text, again, err)
			}
			back, err := hooks.UninstallText(agent, text, added)
			if err != nil || bytes.Contains(back, []byte("turnwatch-hook "+string(agent))) {
				t.Fatalf("%s: %q, of %q: %v", agent, back, src, err)
			}
			if root, err := jsontext.Parse(src); err != nil || holdsOurs(root, src) {
				continue
			}
			if !bytes.Equal(back, src) {
				t.Fatalf("%s: %q became %q and then %q", agent, src, text, back)
			}
			if cut := jsontext.Without(text, spans); !bytes.Equal(cut, src) {
				t.Fatalf("%s: %q became %q and then, cut out, %q", agent, src, text, cut)
			}
		}
	})
}

// holdsOurs reports whether a string somewhere in a text has our mark.
func holdsOurs(n *jsontext.Node, src []byte) bool {
	if s, ok := n.Decode(src).(string); ok && strings.Contains(s, "turnwatch-hook") {
		return true
	}
	for _, it := range n.Items {
		if holdsOurs(it.Value, src) {
			return true
		}
	}
	return false
}
