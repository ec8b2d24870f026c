package transcript_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline/pipelinetest"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
)

// copyHome copies a recording, so that a test may change it.
func copyHome(t *testing.T, home string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(home)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// someHomes returns every n-th recording whose logs are lines; rows do not grow at the end of a file.
func someHomes(t *testing.T, n int) []string {
	t.Helper()
	all := slices.DeleteFunc(pipelinetest.Recordings(t), func(r pipelinetest.Recording) bool {
		tables, _ := filepath.Glob(filepath.Join(r.Home, "*", "*", "*", "*.db")) // the pattern is right
		return len(tables) > 0
	})
	var some []string
	for i := 0; i < len(all); i += n {
		some = append(some, all[i].Home)
	}
	return some
}

// logOf returns a session's log and its lines.
func logOf(t *testing.T, db *sqlite.DB, id collector.SessionID) (path string, lines [][]byte) {
	t.Helper()
	s, err := db.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(s.Path)
	if err != nil {
		t.Fatal(err)
	}
	return s.Path, bytes.SplitAfter(data, []byte("\n"))
}

func write(t *testing.T, path string, lines ...[]byte) {
	t.Helper()
	if err := os.WriteFile(path, bytes.Join(lines, nil), 0o600); err != nil {
		t.Fatal(err)
	}
}

// reuses reports whether two calls bear one id: a scripted model that counted anew in every process made some recordings so.
func reuses(messages []collector.ConversationMessage) bool {
	seen := map[string]bool{}
	for _, m := range messages {
		for _, p := range m.Content {
			if p.Type == collector.PartToolUse && seen[p.ID] {
				return true
			}
			seen[p.ID] = true
		}
	}
	return false
}

// TestGrowing reads a log again after every record that is written, from the last line that it was told of.
func TestGrowing(t *testing.T) {
	for _, home := range someHomes(t, 9) {
		t.Run(filepath.Base(filepath.Dir(home)), func(t *testing.T) {
			db, r := ingest(t, copyHome(t, home))
			for _, id := range everySession(t, db) {
				path, lines := logOf(t, db, id)
				if len(lines) < 3 {
					continue // a document
				}
				whole := page(t, r, id, collector.ConversationQuery{Limit: 200})
				if reuses(whole.Messages) {
					continue
				}
				var live viewer
				after := int64(0)
				for n := range lines {
					write(t, path, lines[:n+1]...)
					c := page(t, r, id, collector.ConversationQuery{Limit: 200, After: &after})
					if c.LastLine > int64(n)+1 || c.LastLine < after || c.HasMore {
						t.Fatalf("%s: lines %d to %d of %d", id, after, c.LastLine, n+1)
					}
					after = c.LastLine
					live.newer(c)
				}
				live.check(t, id, "while it grew", whole)
			}
		})
	}
}

// TestRewritten: when an agent writes a log anew, shorter or longer, readers are told that lines which they know are gone.
func TestRewritten(t *testing.T) {
	for _, home := range someHomes(t, 23) {
		t.Run(filepath.Base(filepath.Dir(home)), func(t *testing.T) {
			home := copyHome(t, home)
			db, r := ingest(t, home)
			id := everySession(t, db)[0]
			path, lines := logOf(t, db, id)
			if len(lines) < 8 {
				t.Skip("nothing to cut")
			}
			q := collector.ConversationQuery{Limit: 200}
			first := page(t, r, id, q)
			again := page(t, r, id, q)
			write(t, path, append(lines[:1:1], lines[len(lines)/2:]...)...)
			pipelinetest.Read(t, db, home, fold.Judges{})
			cut := page(t, r, id, q)
			if again.Generation != first.Generation || cut.Generation != first.Generation+1 || cut.LastLine >= first.LastLine {
				t.Errorf("generations %d, %d, then %d; lines %d, then %d", first.Generation, again.Generation, cut.Generation, first.LastLine, cut.LastLine)
			}
		})
	}
}

// lagging is a store that knows nothing of the log's lines yet.
type lagging struct{ *sqlite.DB }

func (lagging) Places(context.Context, collector.SessionID, int64, int) ([]collector.Ref, error) {
	return nil, nil
}

func TestStoreThatLags(t *testing.T) {
	for _, home := range someHomes(t, 13) {
		db, r := ingest(t, home)
		behind := transcript.New(lagging{db}, pipelinetest.Sources(home))
		for _, id := range everySession(t, db) {
			whole := page(t, r, id, collector.ConversationQuery{Limit: 200})
			checkPages(t, behind, id, whole)
		}
	}
}

func TestOffset(t *testing.T) {
	for _, home := range someHomes(t, 13) {
		db, r := ingest(t, home)
		for _, id := range everySession(t, db) {
			whole := page(t, r, id, collector.ConversationQuery{Limit: 200})
			for n := range whole.Messages {
				c := page(t, r, id, collector.ConversationQuery{Limit: 1, Offset: &n})
				if len(c.Messages) == 0 || c.Messages[0].ID != whole.Messages[n].ID {
					t.Errorf("%s: message %d is %+v, not %s", id, n, c.Messages, whole.Messages[n].ID)
				}
			}
			behind := len(whole.Messages)
			if c := page(t, r, id, collector.ConversationQuery{Limit: 1, Offset: &behind}); len(c.Messages) > 0 || c.HasMore {
				t.Errorf("%s: behind the last message: %+v", id, c)
			}
		}
	}
}

func TestDamagedLog(t *testing.T) {
	db, r := ingest(t, copyHome(t, someHomes(t, 13)[1]))
	id := everySession(t, db)[0]
	path, lines := logOf(t, db, id)
	whole := page(t, r, id, collector.ConversationQuery{Limit: 200})
	write(t, path, append(lines[:len(lines):len(lines)], []byte("no record\n{\"torn\":\n"))...)
	got := page(t, r, id, collector.ConversationQuery{Limit: 200})
	if got.Skipped != whole.Skipped+2 || len(got.Messages) != len(whole.Messages) || got.LastLine != whole.LastLine+2 {
		t.Errorf("with two broken lines: skipped %d, %d messages to line %d; without: %d, %d, %d",
			got.Skipped, len(got.Messages), got.LastLine, whole.Skipped, len(whole.Messages), whole.LastLine)
	}
	one := int64(1)
	if c := page(t, r, id, collector.ConversationQuery{Limit: 5, Before: &one}); len(c.Messages) > 0 || c.HasMore {
		t.Errorf("before the first line: %+v", c)
	}
	far := int64(1 << 40)
	if c := page(t, r, id, collector.ConversationQuery{Limit: 5, After: &far}); len(c.Messages) > 0 || c.HasMore || c.LastLine != far {
		t.Errorf("behind the last line: %+v", c)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if c := page(t, r, id, collector.ConversationQuery{Limit: 5}); c.Messages == nil || len(c.Messages) > 0 || c.HasMore {
		t.Errorf("of a log that is gone: %+v", c)
	}
	if v, err := r.View(t.Context(), id); err != nil || v.Status != collector.ViewNone || v.Turns == nil {
		t.Errorf("view of a log that is gone: %+v, %v", v, err)
	}
	_, err := r.Conversation(t.Context(), "nobody:nothing", collector.ConversationQuery{Limit: 5})
	if collector.ErrorCode(err) != collector.CodeNotFound {
		t.Errorf("of no session: %v", err)
	}
}
