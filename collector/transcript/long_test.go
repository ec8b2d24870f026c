package transcript_test

import (
	"context"
	"iter"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline/pipelinetest"
	"github.com/turnwatch/turnwatch/collector/transcript"
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

// newestGoal is how long the newest 50 messages may take on an idle machine, of a log of 500 MB or of any other.
const newestGoal = 50 * time.Millisecond

// BenchmarkNewest reads the newest 50 messages of a session of 100 MB. of-goal is the share of newestGoal that it takes.
func BenchmarkNewest(b *testing.B) {
	r, size := long(b, 100)
	b.Logf("log of %d MB", size>>20)
	b.ReportAllocs()
	for b.Loop() {
		if c := page(b, r.Reader, r.id, collector.ConversationQuery{Limit: 50}); len(c.Messages) != 50 || !c.HasMore {
			b.Fatalf("%d messages", len(c.Messages))
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(newestGoal), "of-goal")
}

// counting counts the records that are read through it.
type counting struct {
	collector.Source
	records *int
}

func (c counting) Read(ctx context.Context, s collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		for rec, err := range c.Source.Read(ctx, s, cp) {
			*c.records++
			if !yield(rec, err) {
				return
			}
		}
	}
}

// TestNewestCostsTheSame: of a log that is four times as long, as few records are read.
func TestNewestCostsTheSame(t *testing.T) {
	read := func(mb int) (newest, all int) {
		home := t.TempDir()
		if _, err := corpus.Generate(home, corpus.Options{MB: mb, Sessions: 1, Mix: [3]int{100, 0, 0}}); err != nil {
			t.Fatal(err)
		}
		db, _ := ingest(t, home)
		var sources []collector.Source
		for _, s := range pipelinetest.Sources(home) {
			sources = append(sources, counting{s, &newest})
		}
		c := page(t, transcript.New(db, sources), everySession(t, db)[0], collector.ConversationQuery{Limit: 50})
		if len(c.Messages) != 50 || !c.HasMore {
			t.Fatalf("%d messages of %d MB", len(c.Messages), mb)
		}
		return newest, int(c.LastLine)
	}
	short, _ := read(2)
	long, all := read(8)
	if long > 2*short || long > all/2 {
		t.Errorf("%d records were read of the long log, which has %d; %d of the short one", long, all, short)
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
