package hooks_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

// TestTwoAtOnce: installs and uninstalls of several processes leave a file that is right, and one record.
func TestTwoAtOnce(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.repo, files["claude"].repo)
	write(t, path, "{\n  \"hooks\": {\n    \"Stop\": [\n      "+foreignGroup+"\n    ]\n  }\n}\n")
	clean := tree(t, w.repo)
	w.install(hooks.Request{Cwd: w.repo})
	done := tree(t, w.repo)
	w.uninstall(hooks.Request{Cwd: w.repo})
	together(func(i int) {
		if _, err := w.process().Install(t.Context(), hooks.Request{Cwd: w.repo}); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	})
	equal(t, "installed by many", done, tree(t, w.repo))
	installs, err := w.hooks.Registry().Installs()
	if err != nil || len(installs) != len(files) {
		t.Errorf("recorded: %v, %v", installs, err)
	}
	together(func(i int) {
		h := w.process()
		do := h.Install
		if i%2 == 0 {
			do = h.Uninstall
		}
		if _, err := do(t.Context(), hooks.Request{Cwd: w.repo}); err != nil {
			t.Errorf("%d: %v", i, err)
		}
	})
	w.uninstall(hooks.Request{Cwd: w.repo})
	equal(t, "after all", clean, tree(t, w.repo))
}

func together(do func(int)) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// TestSomebodyElseWrites between our reading and our writing: what he wrote stays.
func TestSomebodyElseWrites(t *testing.T) {
	for name, c := range map[string]struct {
		times int
		code  collector.Code
	}{"once": {1, ""}, "all the time": {1000, collector.CodeConflict}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := filepath.Join(w.repo, files["claude"].repo)
			write(t, path, "{}")
			edits, last := 0, "{}"
			w.now = func() { // is asked while the change is planned
				if edits++; edits <= c.times {
					last = fmt.Sprintf("{\"edit\": %d}", edits)
					write(t, path, last)
				}
			}
			_, err := w.hooks.Install(t.Context(), hooks.Request{Cwd: w.repo, Agent: "claude"})
			if code(err) != c.code {
				t.Fatalf("%v, want %q", err, c.code)
			}
			raw, rerr := os.ReadFile(path)
			must(t, rerr)
			if err != nil && string(raw) != last || err == nil && !(strings.Contains(string(raw), `"edit": 1`) && strings.Contains(string(raw), "turnwatch-hook")) {
				t.Errorf("the file is now %s", raw)
			}
			if installs, ierr := w.hooks.Registry().Installs(); ierr != nil || (len(installs) == 0) != (err != nil) {
				t.Errorf("recorded: %v, %v", installs, ierr)
			}
		})
	}
}
