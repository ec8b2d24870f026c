package transcript_test

import (
	"os"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// long returns a reader of one session of about that many megabytes.
func long(t testing.TB, mb int) (*readerOf, int64) {
	t.Helper()
	home := t.TempDir()
	if _, err := corpus.Generate(home, corpus.Options{MB: mb, Sessions: 1, Mix: [3]int{100, 0, 0}}); err != nil {
		t.Fatal(err)
	}
	db, r := ingest(t, home)
	page, err := db.Sessions(t.Context(), collector.SessionQuery{})
	if err != nil || len(page.Sessions) != 1 {
		t.Fatalf("%d sessions, %v", len(page.Sessions), err)
	}
	fi, err := os.Stat(page.Sessions[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	return &readerOf{r, page.Sessions[0].ID}, fi.Size()
}

func TestLongTexts(t *testing.T) {
	r, _ := long(t, 4)
	cut := 0
	check := func(text collector.ConversationText) {
		if text.Truncated {
			cut++
		}
		if ends := strings.HasSuffix(text.Text, "[truncated]"); text.Truncated != ends || text.Truncated != (text.Bytes > 10<<10) {
			t.Errorf("a text of %d bytes: truncated %v, ends %q", text.Bytes, text.Truncated, text.Text[max(len(text.Text)-20, 0):])
		}
		if len(text.Text) > 10<<10+len("[truncated]") {
			t.Errorf("a text of %d bytes is given with %d", text.Bytes, len(text.Text))
		}
	}
	before := int64(1 << 40)
	for n, more := 0, true; more; n++ {
		c := page(t, r.Reader, r.id, collector.ConversationQuery{Limit: 200, Before: &before})
		for _, m := range c.Messages {
			for _, p := range m.Content {
				check(p.ConversationText)
				if p.Result != nil {
					check(p.Result.ConversationText)
				}
			}
		}
		if before, more = c.FirstLine, c.HasMore; n > 1000 {
			t.Fatal("there is no end")
		}
	}
	if cut == 0 {
		t.Error("no text was cut; the log has longer ones")
	}
	v, err := r.View(t.Context(), r.id)
	if err != nil || v.Status != collector.ViewOK || !v.Truncated || len(v.Turns) == 0 {
		t.Errorf("view: %s, truncated %v, %d turns, %v", v.Status, v.Truncated, len(v.Turns), err)
	}
	checkLimits(t, v)
}

// BenchmarkNewest reads the newest 50 messages of a session of 100 MB, which must not depend on its length.
func BenchmarkNewest(b *testing.B) {
	r, size := long(b, 100)
	b.Logf("log of %d MB", size>>20)
	for b.Loop() {
		if c := page(b, r.Reader, r.id, collector.ConversationQuery{Limit: 50}); len(c.Messages) != 50 || !c.HasMore {
			b.Fatalf("%d messages", len(c.Messages))
		}
	}
}

// BenchmarkOlder reads 50 messages from the middle of it.
func BenchmarkOlder(b *testing.B) {
	r, _ := long(b, 100)
	middle := page(b, r.Reader, r.id, collector.ConversationQuery{Limit: 1}).LastLine / 2
	for b.Loop() {
		if c := page(b, r.Reader, r.id, collector.ConversationQuery{Limit: 50, Before: &middle}); len(c.Messages) != 50 {
			b.Fatalf("%d messages", len(c.Messages))
		}
	}
}

// BenchmarkNothingNew asks for what stands behind the last line, as a page does when a message came.
func BenchmarkNothingNew(b *testing.B) {
	r, _ := long(b, 100)
	last := page(b, r.Reader, r.id, collector.ConversationQuery{Limit: 1}).LastLine
	for b.Loop() {
		if c := page(b, r.Reader, r.id, collector.ConversationQuery{Limit: 50, After: &last}); len(c.Messages) > 0 {
			b.Fatalf("%d messages", len(c.Messages))
		}
	}
}

func BenchmarkView(b *testing.B) {
	r, _ := long(b, 100)
	for b.Loop() {
		if v, err := r.View(b.Context(), r.id); err != nil || v.Status != collector.ViewOK {
			b.Fatal(v.Status, err)
		}
	}
}
