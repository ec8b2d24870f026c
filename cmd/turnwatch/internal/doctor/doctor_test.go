package doctor_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/doctor"
	"github.com/turnwatch/turnwatch/collector"
)

var now = time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC)

// source is an agent with logs of these ages.
type source struct {
	collector.Source
	root string
	logs map[string]time.Duration
	err  error
}

func (source) Agent() collector.Agent { return "acme" }

func (s source) Discover(context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		if !yield(collector.Stream{Agent: "acme", Kind: collector.StreamDirectory, Path: s.root}, nil) {
			return
		}
		for name, age := range s.logs {
			if !yield(collector.Stream{Agent: "acme", Kind: collector.StreamLog, Path: filepath.Join(s.root, name), ModTime: now.Add(-age).UnixNano()}, nil) {
				return
			}
		}
		if s.err != nil {
			yield(collector.Stream{}, s.err)
		}
	}
}

// unverified is an agent whose program nobody has run.
type unverified struct{ *source }

func (unverified) Unverified() string { return "Made after the notes of others." }

// homes is an agent with several directories, one of whose names begins like another.
type homes struct{ *source }

func (h homes) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	return func(yield func(collector.Stream, error) bool) {
		for _, dir := range []string{"", "-cli", "/sub"} {
			if err := os.MkdirAll(h.root+dir, 0o700); err != nil || !yield(collector.Stream{Agent: "acme", Kind: collector.StreamDirectory, Path: h.root + dir}, err) {
				return
			}
		}
	}
}

// patient is one without any ailment.
func patient(t *testing.T) (doctor.Patient, *source) {
	t.Helper()
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := &source{root: filepath.Join(dir, "acme"), logs: map[string]time.Duration{"a.jsonl": time.Hour, "b.jsonl": 20 * 24 * time.Hour}}
	for name := range s.logs {
		write(filepath.Join(s.root, name), "{}")
	}
	write(filepath.Join(dir, "data", "turnwatch.db"), strings.Repeat("x", 3<<20))
	write(filepath.Join(dir, "proc/sys/fs/inotify/max_user_watches"), "65536\n")
	write(filepath.Join(dir, "proc/sys/fs/inotify/max_user_instances"), "128\n")
	return doctor.Patient{
		Sources: []collector.Source{s}, CleanUps: []collector.CleanUp{{Agent: "acme", Root: s.root, Days: 30, Setting: "keepDays", Settings: "/etc/acme", Default: true}},
		Versions: map[collector.Agent][]string{"acme": {"1.0", "1.1"}}, DataDir: filepath.Join(dir, "data"), Home: dir, Proc: filepath.Join(dir, "proc"),
		Now: func() time.Time { return now },
	}, s
}

func TestExamine(t *testing.T) {
	tests := []struct {
		name   string
		ail    func(*testing.T, *doctor.Patient, *source)
		about  string
		level  doctor.Level
		found  string
		advice string
	}{
		{"logs and versions", nil, "acme", doctor.OK, "2 logs in", ""},
		{"versions", nil, "acme", doctor.OK, "versions seen: 1.0, 1.1", ""},
		{"logs without a version", func(_ *testing.T, p *doctor.Patient, _ *source) { p.Versions["acme"] = []string{} }, "acme", doctor.OK, "which do not name the program's version", ""},
		{"no deletion soon", nil, "clean-up", doctor.Note, "deletes logs that are 30 days old (keepDays, its default); none is due", ""},
		{"room to watch", nil, "watches", doctor.OK, "1 directory to watch", ""},
		{"private", nil, "data", doctor.OK, "is private and takes 3.0 MB", ""},
		{"right clock", nil, "clock", doctor.OK, "no log is from the future", ""},
		{"a log that is gone", func(_ *testing.T, _ *doctor.Patient, s *source) { s.logs["gone.jsonl"] = 0 }, "acme", doctor.Problem, "1 thing cannot be read: open", "chmod"},
		{"a pipe", func(t *testing.T, _ *doctor.Patient, s *source) {
			if err := exec.CommandContext(t.Context(), "mkfifo", filepath.Join(s.root, "pipe.jsonl")).Run(); err != nil {
				t.Skip(err)
			}
			s.logs["pipe.jsonl"] = time.Hour
		}, "acme", doctor.Problem, "pipe.jsonl is no file", "chmod"},
		{"a closed directory", func(_ *testing.T, _ *doctor.Patient, s *source) { s.err = errors.New("acme: permission denied") }, "acme", doctor.Problem, "permission denied", "chmod"},
		{"no log", func(_ *testing.T, _ *doctor.Patient, s *source) { s.logs = nil }, "agents", doctor.Problem, "no log of any agent", "--home"},
		{"no agent", func(_ *testing.T, p *doctor.Patient, _ *source) {
			p.Sources = append(p.Sources, &source{root: "/nowhere"})
		}, "acme", doctor.Note, "not found", ""},
		{"an unverified agent", func(_ *testing.T, p *doctor.Patient, s *source) { p.Sources[0] = unverified{s} }, "acme", doctor.Note, "unverified: Made after the notes of others.", ""},
		{"a deletion soon", func(_ *testing.T, _ *doctor.Patient, s *source) { s.logs["b.jsonl"] = 25 * 24 * time.Hour }, "clean-up", doctor.Note, "1 log due within a week, the first on " + now.Add(5*24*time.Hour).Local().Format(time.DateOnly), "turnwatch export"},
		{"a deletion overdue", func(_ *testing.T, _ *doctor.Patient, s *source) { s.logs["b.jsonl"] = 40 * 24 * time.Hour }, "clean-up", doctor.Note, "at its next start", "keepDays higher in /etc/acme"},
		{"few watches", func(t *testing.T, p *doctor.Patient, _ *source) {
			if err := os.WriteFile(filepath.Join(p.Proc, "sys/fs/inotify/max_user_watches"), []byte("1"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "watches", doctor.Problem, "allows 1 watches", "sysctl"},
		{"no limits", func(_ *testing.T, p *doctor.Patient, _ *source) { p.Proc = "/nowhere" }, "watches", doctor.Note, "does not say", ""},
		{"a log from the future", func(_ *testing.T, _ *doctor.Patient, s *source) { s.logs["a.jsonl"] = -time.Hour }, "clock", doctor.Problem, "1 log later than now, by up to 1h0m0s", "clock"},
		{"open to others", func(t *testing.T, p *doctor.Patient, _ *source) {
			if err := os.Chmod(filepath.Join(p.DataDir, "turnwatch.db"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "data", doctor.Problem, "others on this machine can read", "chmod -R go="},
		{"no data yet", func(_ *testing.T, p *doctor.Patient, _ *source) { p.DataDir = "/nowhere" }, "data", doctor.Note, "does not exist yet", "start turnwatch"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, s := patient(t)
			if test.ail != nil {
				test.ail(t, &p, s)
			}
			findings := doctor.Examine(t.Context(), p)
			problems := 0
			for _, f := range findings {
				if f.Level == doctor.Problem {
					problems++
					if f.Do == "" {
						t.Errorf("%+v: and now?", f)
					}
				}
			}
			if want := map[bool]int{true: 1}[test.level == doctor.Problem]; problems != want {
				t.Errorf("%d problems, want %d", problems, want)
			}
			for _, f := range findings {
				if f.About == test.about && f.Level == test.level && strings.Contains(f.Found, test.found) && strings.Contains(f.Do, test.advice) {
					return
				}
			}
			t.Errorf("not found among %+v", findings)
		})
	}
}

// TestDirectoriesWithinOthers: they are left out, though another's name sorts between them.
func TestDirectoriesWithinOthers(t *testing.T) {
	p, s := patient(t)
	p.Sources[0] = homes{s}
	for _, f := range doctor.Examine(t.Context(), p) {
		if want := "no log yet in " + s.root + ", " + s.root + "-cli"; f.About == "acme" && f.Found != want {
			t.Errorf("found %q, want %q", f.Found, want)
		}
	}
}
