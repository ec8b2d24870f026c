package follow_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// line is a record that outlives its reading.
type line struct {
	collector.Ref
	Data string
}

type log struct {
	t    testing.TB
	path string
	cp   collector.Checkpoint
}

func newLog(t testing.TB, contents string) *log {
	t.Helper()
	l := &log{t: t, path: filepath.Join(t.TempDir(), "a.jsonl")}
	l.write(contents)
	return l
}

func (l *log) write(contents string) {
	l.t.Helper()
	if err := os.WriteFile(l.path, []byte(contents), 0o600); err != nil {
		l.t.Fatal(err)
	}
}

func (l *log) append(contents string) {
	l.t.Helper()
	f, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		l.t.Fatal(err)
	}
	_, err = f.WriteString(contents)
	if err := errors.Join(err, f.Close()); err != nil {
		l.t.Fatal(err)
	}
}

func (l *log) stream() collector.Stream {
	l.t.Helper()
	s := collector.Stream{Path: l.path}
	if err := follow.Fill(&s); err != nil {
		l.t.Fatal(err)
	}
	return s
}

// read reads on from the checkpoint.
func (l *log) read() ([]line, error) {
	var out []line
	for r, err := range follow.Lines(l.t.Context(), collector.Stream{Path: l.path}, &l.cp) {
		if err != nil {
			return out, err
		}
		out = append(out, line{r.Ref, string(r.Data)})
	}
	return out, nil
}

// mustRead reads on and returns what the lines hold.
func (l *log) mustRead() []string {
	l.t.Helper()
	lines, err := l.read()
	if err != nil {
		l.t.Fatal(err)
	}
	var out []string
	for _, ln := range lines {
		out = append(out, ln.Data)
	}
	return out
}
