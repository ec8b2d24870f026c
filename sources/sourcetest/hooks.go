package sourcetest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
)

// Where a source keeps what its agent's hooks were given, a line per event, and what it made of them.
const (
	hookFile   = "testdata/hooks.jsonl"
	hookGolden = "testdata/hooks.txt"
)

// hookLine is a line of hookFile.
type hookLine struct {
	Event   string          `json:"event"`
	Payload json.RawMessage `json:"payload"`
}

// Hooks compares what r reads of recorded hooks with the golden, which -update writes.
func Hooks(t *testing.T, r collector.HookReader) {
	t.Helper()
	var got strings.Builder
	for _, l := range hookLines(t) {
		h, err := r.ReadHook(l.Event, l.Payload)
		if err != nil {
			t.Errorf("%s: %v", l.Event, err)
		}
		if err := checkHook(r, h); err != nil {
			t.Errorf("%s: %v", l.Event, err)
		}
		if h.Kind == collector.HookUnknown || !slices.Contains(r.HookEvents(), l.Event) {
			t.Errorf("%s: a recorded event is unknown", l.Event)
		}
		got.WriteString(hookWords(l.Event, h) + "\n")
	}
	if *update {
		if err := os.WriteFile(hookGolden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(hookGolden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("%s (-want +got):\n%s", hookGolden, diff)
	}
	for _, payload := range []string{"", "null", "[]", `"x"`, "{", "{}", `{"session_id":1,"sessionId":[]}`} {
		if h, err := r.ReadHook("PreToolUse", []byte(payload)); collector.ErrorCode(err) != collector.CodeInvalid {
			t.Errorf("payload %q is %+v, %v; want CodeInvalid", payload, h, err)
		}
	}
	if h, err := r.ReadHook("nobodyKnowsThis", hookLines(t)[0].Payload); err != nil || h.Kind != collector.HookUnknown {
		t.Errorf("an unknown event is %+v, %v", h, err)
	}
}

// FuzzHooks looks for payloads that the reader cannot stand.
func FuzzHooks(f *testing.F, r collector.HookReader) {
	f.Helper()
	for _, l := range hookLines(f) {
		f.Add(l.Event, []byte(l.Payload))
	}
	f.Fuzz(func(t *testing.T, event string, payload []byte) {
		before := bytes.Clone(payload)
		h, err := r.ReadHook(event, payload)
		again, _ := r.ReadHook(event, payload)
		if h != again {
			t.Errorf("read twice: %+v, %+v", h, again)
		}
		if !bytes.Equal(before, payload) {
			t.Error("the payload was changed")
		}
		if err == nil {
			err = checkHook(r, h)
		} else if collector.ErrorCode(err) == collector.CodeInvalid {
			err = nil
		}
		if err != nil {
			t.Error(err)
		}
	})
}

// checkHook reports what no hook may say.
func checkHook(r collector.HookReader, h collector.Hook) error {
	switch {
	case h.Session != "" && h.Session.Agent() != r.Agent():
		return fmt.Errorf("session %q is another agent's", h.Session)
	case len(h.Args.Preview) > collector.PreviewBytes:
		return fmt.Errorf("%d bytes of arguments", len(h.Args.Preview))
	case !utf8.ValidString(h.Args.Preview + h.Tool + h.Call + string(h.Session)):
		return fmt.Errorf("no UTF-8: %+v", h)
	case (h.Kind == collector.HookToolStarted || h.Kind == collector.HookToolFinished) && h.Tool != "" && h.Category == "":
		return fmt.Errorf("tool %q has no category", h.Tool)
	}
	return nil
}

var hookKinds = []string{"unknown", "note", "started", "finished", "waiting", "prompt", "stopped", "ended"}

func hookWords(event string, h collector.Hook) string {
	words := []string{event, hookKinds[h.Kind], string(h.Session)}
	add := func(name, value string) {
		if value != "" {
			words = append(words, name+"="+value)
		}
	}
	if h.At != 0 {
		add("at", fmt.Sprint(h.At))
	}
	add("call", h.Call)
	add("tool", h.Tool)
	add("category", string(h.Category))
	add("args", h.Args.Preview)
	if h.ArgsHash != 0 {
		add("hash", fmt.Sprintf("%016x", h.ArgsHash))
	}
	return strings.Join(words, " ")
}

func hookLines(t testing.TB) []hookLine {
	t.Helper()
	data, err := os.ReadFile(hookFile)
	if err != nil {
		t.Fatal(err)
	}
	var lines []hookLine
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var l hookLine
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
	}
	return lines
}
