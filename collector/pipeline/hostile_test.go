//go:build linux

package pipeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

const good = "99999999-0000-4000-8000-000000000001"

// intact waits until the good session is read as if it were alone.
func intact(p *running) {
	p.t.Helper()
	p.session(homes.Session(good), "the good one", func(s *collector.Session) bool {
		return s.Totals.Turns == 2 && s.Totals.RoundTrips == 4 && s.Totals.Calls == 2
	})
}

// TestDepthBombs: records nested deeper than any agent's are counted, fast, and cost nothing else; so are arguments and
// results that hold such JSON as a string.
func TestDepthBombs(t *testing.T) {
	home := t.TempDir()
	n := scale(4<<20, 1<<20)
	lines := homes.Lines(good, "a", 1, 0)
	deep := func(open, shut string) string {
		return strings.Repeat(open, n/len(open)) + strings.Repeat(shut, n/len(open))
	}
	quoted, err := json.Marshal(deep(`{"a":`, "}"))
	must(t, err)
	record := func(content string) []byte {
		return bytes.ReplaceAll(homes.Lines(good, "deep", 1, 500)[0], []byte(`"Prüfe Nr. 0, bitte: 日本語 🦉"`), []byte(content))
	}
	bombs := [][]byte{
		[]byte(deep("[", "]") + "\n"),
		[]byte(deep("[", "") + "\n"),
		[]byte(deep(`{"type":`, "}") + "\n"),
		[]byte(deep(`{"type":"user","message":{"content":[`, "") + "\n"),
		record(deep("[", "]")),
		record(deep(`{"a":`, "}")),
	}
	must(t, homes.Write(homes.Transcript(home, good), append(append(lines, bombs...), homes.Lines(good, "b", 1, 50)...)...))
	// A call whose arguments are a string of nested JSON, and a result that is one.
	nested := homes.Lines("99999999-0000-4000-8000-000000000002", "n", 1, 0)
	nested[1] = bytes.Replace(nested[1], []byte(`"go test ./p0"`), quoted, 1)
	nested[2] = bytes.Replace(nested[2], []byte(`"ok — 漢字 0"`), quoted, 1)
	must(t, homes.Write(homes.Transcript(home, "99999999-0000-4000-8000-000000000002"), nested...))
	begin := time.Now()
	p := run(t, options{home: home}).ready()
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("reading took %v", took)
	}
	intact(p)
	p.session(homes.Session("99999999-0000-4000-8000-000000000002"), "the nested one", func(s *collector.Session) bool { return s.Totals.Calls == 1 && s.Totals.RoundTrips == 2 })
	sum := int64(0)
	for _, u := range p.p.Ingest().Unknown {
		if u.Type != "malformed" {
			t.Errorf("unknown: %+v", u)
		}
		sum += u.Count
	}
	if sum < int64(len(bombs)) {
		t.Errorf("%d records are counted as malformed, want at least %d", sum, len(bombs))
	}
}

// TestZipBomb: a compressed log that is none is named in a warning, once, and costs nothing else.
func TestZipBomb(t *testing.T) {
	home, log := datedHome(t)
	head, _, _ := bytes.Cut(read(t, log), []byte("\n"))
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	must(t, err)
	_, err = fmt.Fprintf(w, "%s\n", head)
	must(t, err)
	for range 100 {
		_, err = w.Write(bytes.Repeat(fmt.Appendf(nil, `{"type":"x","pad":"%s"}`+"\n", bytes.Repeat([]byte("x"), 1000)), 1000))
		must(t, err)
	}
	must(t, w.Close())
	must(t, os.Remove(log))
	must(t, homes.Write(log+".zst", b.Bytes()))
	must(t, homes.Write(homes.Transcript(home, good), homes.Lines(good, "a", 2, 0)...))
	p := run(t, options{home: home}).ready()
	intact(p)
	if w := p.warned("cannot-read"); w.Path != log+".zst" || !strings.Contains(w.Message, "expands") || w.Count != 1 {
		t.Errorf("warning: %+v", w)
	}
}

// hostileNames are what a file may be called on a disk.
var hostileNames = []string{
	"new\nline", "\x1b[2J\x1b]0;owned\x07", "<script>alert(1)", "<img src=x onerror=alert(1)>", "..", "...", "-rf", "$(reboot)", "`id`", "a b", "' OR 1=1 --", "%2e%2e%2f",
	"\u202egpj.exe", "\xff\xfe\xc3", "=cmd|' calc'!A1", "~", "a~b", "C:\\x", strings.Repeat("n", 240), "💥",
}

// TestHostileNames: logs and folders of any name are sessions like others: each once, and nothing but what it is.
func TestHostileNames(t *testing.T) {
	home := t.TempDir()
	must(t, homes.Write(homes.Transcript(home, good), homes.Lines(good, "a", 2, 0)...))
	dir := filepath.Dir(homes.Transcripts(home))
	want := map[string]bool{good: true}
	for i, name := range hostileNames {
		own := fmt.Sprintf("99999999-0000-4000-8000-1%011d", i)
		if name != ".." { // as a folder it is another one
			must(t, homes.Write(filepath.Join(dir, name, own+".jsonl"), homes.Lines(own, own, 1, i)...))
			want[own] = true
		}
		if !strings.Contains(name, "~") { // which names a child, and a child alone is in no list
			must(t, homes.Write(filepath.Join(homes.Transcripts(home), name+".jsonl"), homes.Lines("x", fmt.Sprint("f", i), 1, i)...))
			want[name] = true
		}
	}
	p := run(t, options{home: home}).ready()
	intact(p)
	page, err := p.db.Sessions(t.Context(), collector.SessionQuery{Limit: 500})
	must(t, err)
	for _, s := range page.Sessions {
		if s.Totals.Turns != 1 && s.ID.Own() != good {
			t.Errorf("session %q has %d turns", s.ID, s.Totals.Turns)
		}
		if _, err := p.db.Session(t.Context(), s.ID); err != nil {
			t.Errorf("session %q cannot be found: %v", s.ID, err)
		}
		delete(want, s.ID.Own())
		delete(want, strings.TrimSuffix(filepath.Base(s.Path), ".jsonl"))
	}
	for name := range want {
		t.Errorf("no session of %q", name)
	}
	if w := p.p.Ingest().Warnings; len(w) > 0 {
		t.Errorf("warnings: %+v", w)
	}
}
