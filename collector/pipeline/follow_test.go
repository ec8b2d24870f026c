package pipeline_test

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// growing is a file that a test writes bit by bit.
type growing struct {
	path string
	left []byte
}

// TestFollowingEqualsReplay lets all recordings grow at once, in pieces that end anywhere, while a pipeline follows them.
func TestFollowingEqualsReplay(t *testing.T) {
	for seed := range uint64(scale(3, 1)) {
		r := rand.New(rand.NewPCG(seed, 1))
		from, home := demoHome(t), t.TempDir()
		var files []*growing
		must(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(from, path)
			files = append(files, &growing{filepath.Join(home, rel), read(t, path)})
			return err
		}))
		p := run(t, options{home: home})
		for len(files) > 0 {
			i := r.IntN(len(files))
			f := files[i]
			n := len(f.left) // documents are written at once
			if strings.HasSuffix(f.path, ".jsonl") {
				n = min(n, 1+r.IntN(1<<(4+r.IntN(13))))
			}
			must(t, homes.Append(f.path, f.left[:n]))
			if f.left = f.left[n:]; len(f.left) == 0 {
				files[i] = files[len(files)-1]
				files = files[:len(files)-1]
			}
		}
		p.equals("grown in pieces")
		p.stop()
	}
}

func TestSubAgentAppearsInAnyOrder(t *testing.T) {
	const own = "11111111-0000-4000-8000-000000000001"
	meta := []byte(`{"agentType":"Explore","description":"look around","toolUseId":"toolu_a_0"}`)
	for _, metaFirst := range []bool{true, false} {
		home := t.TempDir()
		p := run(t, options{home: home}).ready()
		must(t, homes.Append(homes.Transcript(home, own), homes.Lines(own, "a", 1, 0)[:2]...))
		p.session(homes.Session(own), "the parent", func(s *collector.Session) bool { return s.Totals.Calls == 1 })
		log, doc := homes.SubAgent(home, own, "a00000000000000c1")
		lines := homes.Lines(own, "c", 1, 5)
		step := []func() error{
			func() error { return homes.Append(log, lines[:3]...) },
			func() error { return homes.Write(doc, meta) },
		}
		if metaFirst {
			step[0], step[1] = step[1], step[0]
		}
		must(t, step[0]())
		p.equals("the first of the two")
		must(t, step[1]())
		must(t, homes.Append(log, lines[3:]...))
		p.equals("both")
		p.session(homes.Session(own), "the child", func(s *collector.Session) bool {
			return len(s.Children) == 1 && s.Children[0].Totals.RoundTrips == 2 && s.Children[0].Role == "Explore"
		})
		p.stop()
	}
}

func TestLogIsRewritten(t *testing.T) {
	const own = "22222222-0000-4000-8000-000000000002"
	tests := map[string]func(t *testing.T, path string){
		"truncated, then written anew": func(t *testing.T, path string) {
			must(t, os.Truncate(path, 0))
			must(t, homes.Append(path, homes.Lines(own, "new", 2, 50)...))
		},
		"shorter": func(t *testing.T, path string) { must(t, homes.Write(path, homes.Lines(own, "a", 1, 0)...)) },
		"of the same size": func(t *testing.T, path string) {
			must(t, homes.Write(path, homes.Lines(own, "z", 3, 0)...))
		},
		"replaced by rename": func(t *testing.T, path string) {
			must(t, homes.Write(path+".tmp", homes.Lines(own, "other", 5, 70)...))
			must(t, os.Rename(path+".tmp", path))
		},
		"removed and written anew": func(t *testing.T, path string) {
			must(t, os.Remove(path))
			must(t, homes.Write(path, homes.Lines(own, "again", 4, 90)...))
		},
		"a torn line, then replaced": func(t *testing.T, path string) {
			must(t, homes.Append(path, []byte(`{"type":"user","message":{"content":"\u30`)))
			must(t, homes.Write(path, homes.Lines(own, "a", 2, 0)...))
		},
	}
	for name, rewrite := range tests {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			path := homes.Transcript(home, own)
			must(t, homes.Write(path, homes.Lines(own, "a", 3, 0)...))
			p := run(t, options{home: home}).ready()
			rewrite(t, path)
			p.equals("rewritten")
			must(t, homes.Append(path, homes.Lines(own, "later", 1, 200)...))
			p.equals("followed on")
		})
	}
}

// datedHome returns a home with one log in a directory per day, and its path.
func datedHome(t *testing.T) (home, log string) {
	t.Helper()
	all, err := homes.Dated(demoHome(t))
	must(t, err)
	home = t.TempDir()
	must(t, homes.Write(homes.AtMidnight(home, all[0]), read(t, all[0])))
	return home, homes.AtMidnight(home, all[0])
}

func firstSession(t *testing.T, p *running) *collector.Session {
	t.Helper()
	page, err := p.db.Sessions(t.Context(), collector.SessionQuery{})
	must(t, err)
	if len(page.Sessions) != 1 {
		t.Fatalf("%d sessions, want 1", len(page.Sessions))
	}
	return page.Sessions[0]
}

func TestLogIsArchivedAndCompressed(t *testing.T) {
	home, log := datedHome(t)
	archived := homes.Archived(home, log)
	p := run(t, options{home: home}).ready()
	s := firstSession(t, p)
	at := func(path string) func(*collector.Session) bool {
		return func(now *collector.Session) bool {
			return now.Path == path && !now.Gone && now.Totals.RoundTrips == s.Totals.RoundTrips && now.Totals.Calls == s.Totals.Calls
		}
	}
	must(t, os.MkdirAll(filepath.Dir(archived), 0o755))
	must(t, os.Rename(log, archived))
	p.session(string(s.ID), "archived", at(archived))
	_, st, err := p.db.Log(t.Context(), s.ID)
	must(t, err)
	if st.Stream.Path != archived {
		t.Errorf("texts are looked for in %s", st.Stream.Path)
	}
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("no zstd program")
	}
	must(t, exec.CommandContext(t.Context(), "zstd", "-q", "--rm", archived).Run())
	p.session(string(s.ID), "compressed", at(archived+".zst"))
	p.equals("archived and compressed")
}

// TestLogMovesWhileWeAreDown: what a restart finds elsewhere, or not at all, is told too.
func TestLogMovesWhileWeAreDown(t *testing.T) {
	home, log := datedHome(t)
	data := t.TempDir()
	p := run(t, options{home: home, data: data}).ready()
	s := firstSession(t, p)
	p.stop()
	archived := homes.Archived(home, log)
	must(t, os.MkdirAll(filepath.Dir(archived), 0o755))
	must(t, os.Rename(log, archived))
	p = run(t, options{home: home, data: data}).ready()
	p.session(string(s.ID), "archived", func(s *collector.Session) bool { return s.Path == archived && !s.Gone })
	p.stop()
	text := read(t, archived)
	must(t, os.Remove(archived))
	p = run(t, options{home: home, data: data}).ready()
	p.session(string(s.ID), "deleted", func(s *collector.Session) bool { return s.Gone && s.Totals.Turns > 0 })
	p.stop()
	must(t, homes.Write(log, text))
	p = run(t, options{home: home, data: data}).ready()
	p.session(string(s.ID), "back", func(s *collector.Session) bool { return !s.Gone && s.Path == log })
}

func TestLogIsDeletedAndComesBack(t *testing.T) {
	const own = "33333333-0000-4000-8000-000000000003"
	home := t.TempDir()
	path := homes.Transcript(home, own)
	must(t, homes.Write(path, homes.Lines(own, "a", 2, 0)...))
	p := run(t, options{home: home}).ready()
	before := read(t, path)
	must(t, os.Remove(path))
	p.session(homes.Session(own), "deleted", func(s *collector.Session) bool { return s.Gone && s.Totals.Turns == 2 })
	must(t, homes.Write(path, before))
	p.session(homes.Session(own), "back", func(s *collector.Session) bool { return !s.Gone && s.Totals.Turns == 2 })
	p.equals("back")
}
