package codex_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/codex"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

const testdata = "../../testdata/codex"

func host(home string) collector.Host {
	return collector.Host{
		Home: home, Getenv: func(string) string { return "" }, Proc: filepath.Join(home, "proc"),
		Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
	}
}

// sessions folds everything that a home holds.
func sessions(t testing.TB, src collector.Source) sourcetest.Folds {
	t.Helper()
	return sourcetest.Fold(t, src, fold.Judges{})
}

// expectation is a file's entry in expected.json, which a reference program wrote from the same recordings.
type expectation struct {
	ID          string                  `json:"id"`
	Turns       []expectedTurn          `json:"turns"`
	Tools       map[string]expectedTool `json:"tools"`
	Tokens      expectedTokens          `json:"tokens"`
	Responses   int                     `json:"responses"`
	Compactions int                     `json:"compactions"`
	Relation    []string                `json:"relation"`
}

type expectedTurn struct {
	Prompts []string `json:"prompts"`
	Replies []string `json:"replies"`
	Status  string   `json:"status"`
}

type expectedTool struct {
	Name   string `json:"name"`
	Turn   string `json:"turn"`
	Status string `json:"status"`
	Exit   *int   `json:"exit"`
	Nested bool   `json:"nested"`
}

type expectedTokens struct {
	Input, Cached, Output, Reasoning int64
}

func expected(t *testing.T) map[string]expectation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]expectation
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestRecordingsFoldToWhatTheReferenceSaw(t *testing.T) {
	for name, want := range expected(t) {
		t.Run(name, func(t *testing.T) {
			home := filepath.Join(testdata, strings.TrimSuffix(name, ".jsonl"), "home")
			var f *fold.Session
			for id, s := range sessions(t, codex.New(host(home))) {
				if id.Own() == want.ID && s.Row().Path != "" {
					f = s
				}
			}
			if f == nil {
				t.Fatal("no such session")
			}
			if diff := cmp.Diff(observed(f, want), want); diff != "" {
				t.Errorf("folded (-) and expected (+):\n%s", diff)
			}
		})
	}
}
