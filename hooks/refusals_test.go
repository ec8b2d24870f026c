package hooks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

func TestRefusals(t *testing.T) {
	outside := func(w *world) string { return filepath.Join(w.dir, "outside") }
	for name, c := range map[string]struct {
		prepare func(w *world, path string)
		cwd     func(w *world) string
		code    collector.Code
		says    string
		folder  hooks.Folder
	}{
		"broken JSON":       {prepare: func(w *world, p string) { write(w.t, p, "{\n  \"a\": \n") }, code: collector.CodeConflict, says: "line 3"},
		"no object":         {prepare: func(w *world, p string) { write(w.t, p, "[]") }, code: collector.CodeConflict, says: "no object"},
		"hooks is a list":   {prepare: func(w *world, p string) { write(w.t, p, `{"hooks": []}`) }, code: collector.CodeConflict, says: `"hooks" is no object`},
		"an event is a map": {prepare: func(w *world, p string) { write(w.t, p, `{"hooks": {"Stop": {}}}`) }, code: collector.CodeConflict, says: `"hooks"."Stop" is no list`},
		"empty file":        {prepare: func(w *world, p string) { write(w.t, p, "") }, code: collector.CodeConflict, says: "line 1"},
		"write-protected": {prepare: func(w *world, p string) {
			write(w.t, p, `{}`)
			must(w.t, os.Chmod(p, 0o444))
		}, code: collector.CodeForbidden, says: "write-protected"},
		"write-protected folder": {prepare: func(w *world, p string) {
			must(w.t, os.MkdirAll(filepath.Dir(p), 0o755))
			must(w.t, os.Chmod(filepath.Dir(p), 0o555))
		}, code: collector.CodeForbidden, says: "write-protected"},
		"a folder": {prepare: func(w *world, p string) { must(w.t, os.MkdirAll(p, 0o755)) }, code: collector.CodeConflict, says: "no file of settings"},
		"a link out of the repository": {prepare: func(w *world, p string) {
			write(w.t, outside(w)+"/x.json", "{}")
			must(w.t, os.MkdirAll(filepath.Dir(p), 0o755))
			must(w.t, os.Symlink(outside(w)+"/x.json", p))
		}, code: collector.CodeForbidden, says: "leads out of the repository"},
		"a folder that is a link out": {prepare: func(w *world, p string) {
			must(w.t, os.MkdirAll(outside(w), 0o755))
			must(w.t, os.Symlink(outside(w), filepath.Dir(p)))
		}, code: collector.CodeForbidden, says: "leads out of the repository"},
		"a link to nothing": {prepare: func(w *world, p string) {
			must(w.t, os.MkdirAll(filepath.Dir(p), 0o755))
			must(w.t, os.Symlink("nowhere", p))
		}, code: collector.CodeConflict, says: "link to nothing"},
		"a file for a folder": {prepare: func(w *world, p string) { write(w.t, filepath.Dir(p), "") }, code: collector.CodeConflict, says: "no folder"},
		"no repository":       {cwd: func(w *world) string { return w.home }, code: collector.CodeInvalid, says: "no git repository", folder: hooks.FolderOutside},
		"no folder":           {cwd: func(w *world) string { return w.dir + "/none" }, code: collector.CodeInvalid, says: "no folder", folder: hooks.FolderGone},
		"a relative path":     {cwd: func(*world) string { return "repo" }, code: collector.CodeInvalid, says: "absolute"},
		"upwards":             {cwd: func(w *world) string { return w.repo + "/sub/.." }, code: collector.CodeForbidden, says: "upwards"},
		"a zero byte":         {cwd: func(w *world) string { return w.repo + "\x00" }, code: collector.CodeInvalid, says: "absolute"},
	} {
		for agent, file := range files {
			t.Run(name+"/"+string(agent), func(t *testing.T) {
				w := newWorld(t)
				path := filepath.Join(w.repo, file.repo)
				cwd := w.repo
				if c.prepare != nil {
					if strings.Count(file.repo, "/") > 1 {
						must(t, os.MkdirAll(filepath.Dir(filepath.Dir(path)), 0o755))
					}
					c.prepare(w, path)
				}
				if c.cwd != nil {
					cwd = c.cwd(w)
				}
				was := tree(t, w.dir)
				for _, force := range []bool{false, true} {
					_, err := w.hooks.Install(t.Context(), hooks.Request{Cwd: cwd, Agent: agent, Force: force})
					if code(err) != c.code || !strings.Contains(err.Error(), c.says) {
						t.Errorf("force %t: %v, want %s %q", force, err, c.code, c.says)
					}
					if folder, _ := hooks.FolderOf(err); folder != c.folder {
						t.Errorf("the folder is said to be %q, want %q", folder, c.folder)
					}
					if c.prepare != nil && err != nil && !strings.Contains(err.Error(), filepath.Dir(path)) {
						t.Errorf("the file is not named: %v", err)
					}
				}
				now := tree(t, w.dir)
				for _, own := range []string{"data/", "data/hooks.json.lock"} {
					delete(now, own)
				}
				equal(t, "after a refusal", was, now)
			})
		}
	}
}
