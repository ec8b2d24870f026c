package pipeline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

func TestNewDayAndNewHome(t *testing.T) {
	all, err := homes.Dated(demoHome(t))
	must(t, err)
	home := t.TempDir()
	p := run(t, options{home: filepath.Join(home, "not", "there")}).ready() // a home that does not exist
	log := homes.AtMidnight(p.home, all[0])
	must(t, homes.Write(log, read(t, all[0])))
	p.until("a home that appears", func() (bool, string) {
		page, err := p.db.Sessions(t.Context(), collector.SessionQuery{})
		return err == nil && len(page.Sessions) == 1, "no session"
	})
	next := strings.Replace(homes.AtMidnight(p.home, all[1]), "01/01", "01/02", 1)
	must(t, homes.Write(next, read(t, all[1])))
	p.equals("a new day")
}

// TestHomeIsReplaced: an agent's whole directory goes, comes back, and is another one, as when it is moved to another
// disk or restored.
func TestHomeIsReplaced(t *testing.T) {
	ids := []string{"44444444-0000-4000-8000-00000000000a", "44444444-0000-4000-8000-00000000000b"}
	home, other := t.TempDir(), t.TempDir()
	for i, root := range []string{home, other} {
		must(t, homes.Write(homes.Transcript(root, ids[i]), homes.Lines(ids[i], ids[i], 2+i, 0)...))
	}
	dir := homes.Root(home)
	p := run(t, options{home: home}).ready()
	is := func(what, id string, gone bool, turns int) {
		t.Helper()
		p.session(homes.Session(id), what, func(s *collector.Session) bool { return s.Gone == gone && s.Totals.Turns == turns })
	}
	must(t, os.Rename(dir, dir+".old"))
	is("moved away", ids[0], true, 2)
	must(t, os.Rename(dir+".old", dir))
	is("back", ids[0], false, 2)
	must(t, homes.Append(homes.Transcript(home, ids[0]), homes.Lines(ids[0], "more", 1, 100)...))
	is("followed on", ids[0], false, 3)
	must(t, os.Rename(dir, dir+".old"))
	must(t, os.Symlink(homes.Root(other), dir))
	is("another one in its place", ids[1], false, 3)
	is("another one in its place", ids[0], true, 3)
	must(t, homes.Append(homes.Transcript(other, ids[1]), homes.Lines(ids[1], "more", 1, 100)...))
	is("followed through the link", ids[1], false, 4)
	p.stop()
	must(t, os.RemoveAll(dir))
}
