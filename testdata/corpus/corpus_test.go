package corpus_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// TestSameBytes pins the corpus: figures measured on it are comparable only while its bytes stay the same.
func TestSameBytes(t *testing.T) {
	dir := t.TempDir()
	m, err := corpus.Generate(dir, corpus.Options{MB: 20, Sessions: 30})
	if err != nil {
		t.Fatal(err)
	}
	const want = "6c6440f528168e101b2bb1062dbc1606acd0cbfbb01271a2f6cf067cad45ca0f"
	if got := treeHash(t, dir); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	var files int
	var bytes int64
	for _, pattern := range []string{".claude/projects/*/*.jsonl", ".claude/projects/*/*/*/*.jsonl", ".codex/sessions/*/*/*/*.jsonl", ".copilot/session-state/*/events.jsonl"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			files++
			bytes += info.Size()
		}
	}
	if files != m.Total.Files || bytes != m.Total.Bytes {
		t.Errorf("%d files of %d bytes, the manifest says %d of %d", files, bytes, m.Total.Files, m.Total.Bytes)
	}
}

// treeHash hashes every file below dir, with its path, in the order of paths.
func treeHash(t *testing.T, dir string) string {
	t.Helper()
	h := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintln(h, path)
		_, err = io.Copy(h, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// TestLive checks that a session grows by whole records: a prompt, then calls and their results in turn.
func TestLive(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	l, err := corpus.NewLive(t.TempDir(), 1, 2, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Append(9); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(data)) {
		var v struct {
			Type    string
			Message struct {
				Content json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		kind := v.Type
		if kind == "user" && v.Message.Content[0] == '"' {
			kind = "prompt"
		}
		got = append(got, kind)
	}
	want := "prompt assistant user assistant user prompt assistant user assistant user"
	if strings.Join(got, " ") != want || l.Calls != 4 {
		t.Errorf("got %q and %d calls, want %q and 4", got, l.Calls, want)
	}
}
