package transcript_test

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/pipeline/pipelinetest"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
)

// readerOf reads one session.
type readerOf struct {
	*transcript.Reader
	id collector.SessionID
}

// ingest reads home into a store of its own.
func ingest(t testing.TB, home string) (*sqlite.DB, *transcript.Reader) {
	t.Helper()
	db := pipelinetest.Open(t)
	return db, transcript.New(db, pipelinetest.Read(t, db, home, fold.Judges{}))
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
		if m.Rewound {
			b.WriteString(" taken back")
		}
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
	for _, rec := range pipelinetest.Recordings(t) {
		t.Run(rec.Name, func(t *testing.T) {
			db, r := ingest(t, rec.Home)
			var b strings.Builder
			for _, id := range everySession(t, db) {
				whole := page(t, r, id, collector.ConversationQuery{Limit: 200})
				fmt.Fprintf(&b, "# %s\n%s", id, render(whole))
				checkPages(t, r, id, whole)
				checkView(t, r, id, whole)
			}
			pipelinetest.Golden(t, filepath.Join("testdata", rec.Name+".txt"), b.String())
		})
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
