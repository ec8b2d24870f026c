package codex_test

import (
	"context"
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
)

const testdata = "../../testdata/codex"

func host(home string) collector.Host {
	return collector.Host{
		Home: home, Getenv: func(string) string { return "" }, Proc: filepath.Join(home, "proc"),
		Now: func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
	}
}

// sessions folds everything that a home holds, each stream from a checkpoint of its own.
func sessions(t testing.TB, src collector.Source) map[collector.SessionID]*fold.Session {
	t.Helper()
	folds := map[collector.SessionID]*fold.Session{}
	for st, err := range src.Discover(context.Background()) {
		if err != nil {
			t.Fatalf("discover: %v", err)
		}
		if st.Kind == collector.StreamDirectory {
			continue
		}
		foldStream(t, src, st, &collector.Checkpoint{}, folds)
	}
	for _, f := range folds {
		f.Settle(fold.Judges{})
	}
	return folds
}

func foldStream(t testing.TB, src collector.Source, st collector.Stream, cp *collector.Checkpoint, folds map[collector.SessionID]*fold.Session) {
	t.Helper()
	for r, err := range src.Read(context.Background(), st, cp) {
		if err != nil {
			t.Fatalf("read %s: %v", st.ID, err)
		}
		events, err := src.Decode(nil, st, r)
		if err != nil {
			t.Fatalf("decode %s: %v", st.ID, err)
		}
		for i := range events {
			id := events[i].Session
			if id == "" {
				id = st.Session
			}
			f := folds[id]
			if f == nil {
				f = fold.New(id)
				folds[id] = f
			}
			if st.Kind == collector.StreamLog && id == st.Session {
				f.SawLog(st.Path)
			}
			f.Apply(&events[i], r.Ref)
		}
	}
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
