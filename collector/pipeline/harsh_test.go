//go:build linux

package pipeline_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

func init() {
	roles["descriptors"] = childDescriptors
	roles["full disk"] = childFullDisk
	roles["flood"] = childFlood
}

// TestFewDescriptors: with 256 descriptors and 3,000 directories everything is read and followed, and it says that it
// does not watch all of them.
func TestFewDescriptors(t *testing.T) {
	home := t.TempDir()
	n := scale(3000, 600) // directories
	for i := range n {
		own := fmt.Sprintf("66666666-0000-4000-8000-%012d", i)
		dir := filepath.Join(filepath.Dir(homes.Transcripts(home)), fmt.Sprintf("-home-dev-p%d", i))
		must(t, homes.Write(filepath.Join(dir, own+".jsonl"), homes.Lines(own, own, 1, i)...))
	}
	_, out := childArgs{Role: "descriptors", Home: home, Data: t.TempDir(), Limit: 256}.run(t)
	for _, want := range []string{fmt.Sprint(n, " sessions"), "directories are not watched", "grew", "appeared"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in %q", want, out)
		}
	}
}

func childDescriptors(a childArgs) error {
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: a.Limit, Max: a.Limit}); err != nil {
		return err
	}
	cfg := pipeline.Config{SweepEvery: time.Second}
	return childRun(a, cfg, sources.All(host(a.Home)), func(db *sqlite.DB, p *pipeline.Pipeline, w *watcher) error {
		ctx := context.Background()
		page, err := db.Sessions(ctx, collector.SessionQuery{Limit: 1})
		if err != nil {
			return err
		}
		fmt.Printf("%d sessions\n", page.Total)
		for _, w := range p.Ingest().Warnings {
			fmt.Println(w.Message)
		}
		for i, what := range map[int]string{0: "grew", page.Total: "appeared"} {
			own := fmt.Sprintf("66666666-0000-4000-8000-%012d", i)
			dir := filepath.Join(filepath.Dir(homes.Transcripts(a.Home)), fmt.Sprintf("-home-dev-p%d", i))
			if err := homes.Append(filepath.Join(dir, own+".jsonl"), homes.Lines(own, own+"x", 1, 5000)...); err != nil {
				return err
			}
			id := collector.SessionID(homes.Session(own))
			for !w.has(func(m collector.Message) bool { return m.Type == collector.MessageTurnCompleted && m.Session == id }) {
				<-w.news
			}
			fmt.Println(what)
		}
		return nil
	})
}

// TestFullDisk: a store that cannot grow says so, keeps what it has, and goes on when there is room again.
func TestFullDisk(t *testing.T) {
	home := demoHome(t)
	want := ingest(t, home, pipeline.Config{})
	a := childArgs{Role: "full disk", Home: home, Data: t.TempDir(), Batch: 20, Limit: 400 << 10}
	if _, out := a.run(t); !strings.Contains(out, "cannot be written") || !strings.Contains(out, "no warning any more") {
		t.Errorf("it said %q", out)
	}
	if got := stored(t, a.Data, home); got != want {
		t.Error(firstDifference(got, want))
	}
}

func childFullDisk(a childArgs) error {
	signal.Ignore(syscall.SIGXFSZ)
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		return err
	}
	limit := func(n uint64) error {
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: was.Max})
	}
	if err := limit(a.Limit); err != nil { // files cannot grow further: to the store as good as a full disk
		return err
	}
	failed := func(p *pipeline.Pipeline) string {
		for _, w := range p.Ingest().Warnings {
			if w.Code == "store" {
				return w.Message
			}
		}
		return ""
	}
	_, p, w, stop, err := childStart(a, pipeline.Config{BatchRecords: a.Batch, PauseAfter: 100 * time.Millisecond}, sources.All(host(a.Home)))
	if err != nil {
		return err
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for failed(p) == "" {
		<-look.C
	}
	fmt.Println(failed(p))
	if w.has(ready) {
		fmt.Println("it says that history is in")
	}
	if err := limit(was.Cur); err != nil {
		return err
	}
	for !w.has(ready) {
		<-w.news
	}
	if failed(p) == "" {
		fmt.Println("no warning any more")
	}
	return stop()
}

// TestOddFiles: what cannot be read is named, costs nothing else, and no link leads round in a circle.
func TestOddFiles(t *testing.T) {
	home := t.TempDir()
	const own, odd, loop = "77777777-0000-4000-8000-000000000001", "77777777-0000-4000-8000-000000000002", "77777777-0000-4000-8000-000000000003"
	dir := homes.Transcripts(home)
	lines := homes.Lines(own, "a", 1, 0)
	torn := bytes.ReplaceAll(homes.Lines(own, "b", 1, 50)[0], []byte("日本"), []byte("\xff\xfe\xc3")) // no UTF-8
	must(t, homes.Write(homes.Transcript(home, own), append(lines, torn, []byte("\x00\x00\x00{]\n"))...))
	must(t, os.Mkdir(homes.Transcript(home, odd), 0o755)) // a directory in place of a log
	must(t, os.Symlink(homes.Transcript(home, loop), homes.Transcript(home, loop)))
	must(t, os.Symlink(dir, filepath.Join(dir, "self")))
	must(t, os.Symlink(filepath.Dir(dir), filepath.Join(dir, own)))
	must(t, os.Symlink("/nowhere/at/all", homes.Transcript(home, "77777777-0000-4000-8000-000000000004")))
	pipe := homes.Transcript(home, "00000000-0000-4000-8000-000000000005") // read before the good one; nobody ever writes it
	if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
		t.Skip("no pipe: ", err)
	}
	p := run(t, options{home: home}).ready()
	p.session(homes.Session(own), "the good one", func(s *collector.Session) bool { return s.Totals.Turns == 2 && s.Totals.RoundTrips == 2 })
	page, err := p.db.Sessions(t.Context(), collector.SessionQuery{})
	must(t, err)
	if len(page.Sessions) != 1 {
		t.Errorf("%d sessions, want 1", len(page.Sessions))
	}
	if in := p.p.Ingest(); len(in.Unknown) != 1 || in.Unknown[0].Type != "malformed" {
		t.Errorf("unknown records: %+v", in.Unknown)
	}
	p.warnedAt("cannot-read", homes.Transcript(home, odd))
	p.warnedAt("cannot-read", pipe)
	if page.Sessions[0].Title == "" || strings.ContainsRune(page.Sessions[0].Title, '\uFFFD') {
		t.Errorf("title %q", page.Sessions[0].Title)
	}
}

// TestLongLine: a line of 200 MB costs that line, and no more memory than the longest that is read.
func TestLongLine(t *testing.T) {
	if scale(1, 0) == 0 {
		t.Skip("writes 200 MB")
	}
	home := t.TempDir()
	const own = "88888888-0000-4000-8000-000000000001"
	path := homes.Transcript(home, own)
	must(t, homes.Write(path, homes.Lines(own, "a", 1, 0)...))
	must(t, homes.Append(path, []byte(`{"type":"user","message":{"content":"`)))
	for range 200 {
		must(t, homes.Append(path, bytes.Repeat([]byte("x"), 1<<20)))
	}
	must(t, homes.Append(path, append([][]byte{[]byte("\"}}\n")}, homes.Lines(own, "b", 1, 50)...)...))
	_, out := childArgs{Role: "flood", Home: home, Data: t.TempDir(), Limit: 160 << 20}.run(t)
	if out != "2 turns\n1 records not read\n" {
		t.Errorf("it said %q", out)
	}
}

// TestManyUnknownRecords: a million records that nobody knows, each of a type of its own, take neither memory nor space.
func TestManyUnknownRecords(t *testing.T) {
	n := scale(1_000_000, 50_000)
	home, data := t.TempDir(), t.TempDir()
	const own, many = "88888888-0000-4000-8000-000000000001", "88888888-0000-4000-8000-000000000002"
	must(t, homes.Write(homes.Transcript(home, own), homes.Lines(own, "a", 2, 0)...))
	var flood bytes.Buffer
	for i := range n {
		flood.Write(homes.Unknown(fmt.Sprintf("made-up-%d", i)))
	}
	must(t, homes.Write(homes.Transcript(home, many), flood.Bytes()))
	_, out := childArgs{Role: "flood", Home: home, Data: data, Limit: 64 << 20}.run(t)
	if want := fmt.Sprintf("2 turns\n%d records not read\n", n); out != want {
		t.Errorf("it said %q, want %q", out, want)
	}
	if size := treeSize(t, data); size > 1<<20 {
		t.Errorf("the store takes %d bytes", size)
	}
}

func childFlood(a childArgs) error {
	return childRun(a, pipeline.Config{}, sources.All(host(a.Home)), func(db *sqlite.DB, p *pipeline.Pipeline, _ *watcher) error {
		page, err := db.Sessions(context.Background(), collector.SessionQuery{})
		if err != nil || len(page.Sessions) != 1 {
			return fmt.Errorf("%d sessions, %w", len(page.Sessions), err)
		}
		fmt.Printf("%d turns\n", page.Sessions[0].Totals.Turns)
		var sum int64
		for _, u := range p.Ingest().Unknown {
			sum += u.Count
		}
		fmt.Printf("%d records not read\n", sum)
		peak, err := peakMemory()
		if err != nil {
			return err
		}
		if peak > a.Limit && !slow {
			fmt.Printf("%d MB at the peak\n", peak>>20)
		}
		return nil
	})
}

var hwm = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// peakMemory returns the most memory that this process had. Rusage would say what its parent had, if that was more.
func peakMemory() (uint64, error) {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	m := hwm.FindSubmatch(b)
	if m == nil {
		return 0, errors.New("no VmHWM in /proc/self/status")
	}
	kb, err := strconv.ParseUint(string(m[1]), 10, 64)
	return kb << 10, err
}
