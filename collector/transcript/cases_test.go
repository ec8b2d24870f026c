package transcript_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
	"github.com/turnwatch/turnwatch/sources"
)

var update = flag.Bool("update", false, "rewrite the goldens")

const recordings = "../../testdata"

// ready closes when a pipeline has read all history.
type ready chan struct{}

func (r ready) Publish(msgs ...collector.Message) {
	for _, m := range msgs {
		if m.Type == collector.MessageProgress && m.Progress.Ready {
			close(r)
			return
		}
	}
}

func allSources(home string) []collector.Source {
	return sources.All(collector.Host{
		Home: home, Getenv: func(string) string { return "" }, Proc: filepath.Join(home, "no-proc"), Now: tomorrow, Tables: sqlite.ReadForeign,
	})
}

// readerOf reads one session.
type readerOf struct {
	*transcript.Reader
	id collector.SessionID
}

// ingest reads home into a store of its own.
func ingest(t testing.TB, home string) (*sqlite.DB, *transcript.Reader) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db, transcript.New(db, readInto(t, db, home))
}

// readInto reads what is new in home into a store, and returns the sources.
func readInto(t testing.TB, db *sqlite.DB, home string) []collector.Source {
	t.Helper()
	all := allSources(home)
	over := make(ready)
	p := pipeline.New(pipeline.Config{}, pipeline.Deps{Sources: all, Store: db, Publisher: over, Logger: slog.New(slog.DiscardHandler), Now: time.Now})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	<-over
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return all
}

// everySession returns the ids of all sessions, children too.
func everySession(t testing.TB, db *sqlite.DB) []collector.SessionID {
	t.Helper()
	page, err := db.Sessions(t.Context(), collector.SessionQuery{Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	var ids []collector.SessionID
	var walk func(all []*collector.Session)
	walk = func(all []*collector.Session) {
		for _, s := range all {
			ids = append(ids, s.ID)
			walk(s.Children)
		}
	}
	walk(page.Sessions)
	sort.Slice(ids, func(i, j int) bool { return ids[i] < ids[j] })
	return ids
}

// render writes a conversation as text.
func render(c collector.Conversation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "lines %d to %d of %d messages, skipped %d\n", c.FirstLine, c.LastLine, c.Total, c.Skipped)
	for _, m := range c.Messages {
		fmt.Fprintf(&b, "%d %s turn %d", m.Line, m.Kind, m.Turn)
		if m.Usage != nil {
			fmt.Fprintf(&b, " %d tokens", m.Usage.Total().Value)
		}
		b.WriteByte('\n')
		for _, p := range m.Content {
			fmt.Fprintf(&b, "\t%d %s %s %.60q", p.Ref.Line, p.Type, p.Name, p.Text)
			if p.Result != nil {
				fmt.Fprintf(&b, " → %d %s %.60q", p.Result.Ref.Line, p.Result.Status, p.Result.Text)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func page(t testing.TB, r *transcript.Reader, id collector.SessionID, q collector.ConversationQuery) collector.Conversation {
	t.Helper()
	c, err := r.Conversation(t.Context(), id, q)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestRecordings(t *testing.T) {
	homes, err := filepath.Glob(recordings + "/*/*/home")
	if err != nil || len(homes) < 50 {
		t.Fatalf("%d recordings, %v", len(homes), err)
	}
	for _, home := range homes {
		name := strings.ReplaceAll(strings.TrimPrefix(filepath.Dir(home), recordings+"/"), "/", "-")
		t.Run(name, func(t *testing.T) {
			db, r := ingest(t, home)
			var b strings.Builder
			for _, id := range everySession(t, db) {
				whole := page(t, r, id, collector.ConversationQuery{Limit: 200})
				fmt.Fprintf(&b, "# %s\n%s", id, render(whole))
				checkPages(t, r, id, whole)
				checkView(t, r, id, whole)
			}
			golden(t, filepath.Join("testdata", name+".txt"), b.String())
		})
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s is old (run go test -update):\n%s", path, d)
	}
}

// checkPages: pages of any size, forwards and backwards, put together as a page in a browser does it, are the whole.
func checkPages(t *testing.T, r *transcript.Reader, id collector.SessionID, whole collector.Conversation) {
	t.Helper()
	for _, limit := range []int{1, 4} {
		var back viewer
		q := collector.ConversationQuery{Limit: limit}
		for n := 0; ; n++ {
			c := page(t, r, id, q)
			if len(c.Messages) > limit && !oneLine(c) {
				t.Errorf("%s: %d messages on a page of %d", id, len(c.Messages), limit)
			}
			back.older(c)
			if !c.HasMore || n > 2*len(whole.Messages)+10 {
				break
			}
			q.Before = &c.FirstLine
		}
		back.check(t, id, fmt.Sprintf("backwards by %d", limit), whole)

		var forth viewer
		after := int64(0)
		for n := 0; n < 2*len(whole.Messages)+10; n++ {
			c := page(t, r, id, collector.ConversationQuery{Limit: limit, After: &after})
			forth.newer(c)
			if c.LastLine < after || c.HasMore && c.LastLine == after {
				t.Fatalf("%s: after %d comes %d", id, after, c.LastLine)
			}
			if after = c.LastLine; !c.HasMore {
				break
			}
		}
		forth.check(t, id, fmt.Sprintf("forwards by %d", limit), whole)
		if after != whole.LastLine {
			t.Errorf("%s: forwards by %d ends at line %d, not %d", id, limit, after, whole.LastLine)
		}
	}
}

func oneLine(c collector.Conversation) bool {
	return c.Messages[0].Line == c.Messages[len(c.Messages)-1].Line
}

func checkView(t *testing.T, r *transcript.Reader, id collector.SessionID, whole collector.Conversation) {
	t.Helper()
	v, err := r.View(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole.Messages) > 0 != (v.Status == collector.ViewOK) {
		t.Errorf("%s: view is %s, %d messages", id, v.Status, len(whole.Messages))
	}
	checkLimits(t, v)
}

// tomorrow is the hosts' clock: the files of a fresh clone must not look like sessions at work.
func tomorrow() time.Time { return time.Now().Add(24 * time.Hour) }
