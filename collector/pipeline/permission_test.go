//go:build linux

package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

func init() { roles["permissions"] = childPermissions }

// TestPermissions: a file and a directory that may not be read are named, cost nothing else, and are read when that is
// mended. Since nothing is forbidden to root, a process that gave that up looks.
func TestPermissions(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	must(t, os.Chmod(filepath.Dir(home), 0o755)) // the parent of both
	for dir := filepath.Dir(home); dir != "/" && os.Geteuid() == 0; {
		dir = filepath.Dir(dir)
		if fi, err := os.Stat(dir); err != nil || fi.Mode()&1 == 0 {
			t.Skip("a process that is not root's cannot get into ", dir)
		}
	}
	for i := range 3 {
		own := fmt.Sprintf("66666666-0000-4000-8000-%012d", i)
		dir := filepath.Join(filepath.Dir(homes.Transcripts(home)), fmt.Sprintf("-home-dev-p%d", i))
		must(t, homes.Write(filepath.Join(dir, own+".jsonl"), homes.Lines(own, own, 1, i)...))
	}
	_, out := childArgs{Role: "permissions", Home: home, Data: data}.run(t)
	if want := "1 sessions, 2 warnings\n3 sessions, 0 warnings\n"; out != want {
		t.Errorf("it said %q, want %q", out, want)
	}
}

// layOver hands a tree to another user.
func layOver(root string, uid int) error {
	return filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, uid, uid))
	})
}

func childPermissions(a childArgs) error {
	const nobody = 65534
	if os.Geteuid() == 0 {
		err := errors.Join(layOver(a.Home, nobody), layOver(a.Data, nobody), syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody))
		if err != nil {
			return err
		}
	}
	projects := filepath.Dir(homes.Transcripts(a.Home))
	forbidden := []string{filepath.Join(projects, "-home-dev-p1"), filepath.Join(projects, "-home-dev-p2", "66666666-0000-4000-8000-000000000002.jsonl")}
	for _, path := range forbidden {
		if err := os.Chmod(path, 0); err != nil {
			return err
		}
	}
	cfg := pipeline.Config{SweepEvery: 100 * time.Millisecond}
	return childRun(a, cfg, sources.All(host(a.Home)), func(db *sqlite.DB, p *pipeline.Pipeline, _ *watcher) error {
		said := func() (string, error) {
			page, err := db.Sessions(context.Background(), collector.SessionQuery{})
			return fmt.Sprintf("%d sessions, %d warnings", page.Total, len(p.Ingest().Warnings)), err
		}
		first, err := said()
		if err != nil {
			return err
		}
		fmt.Println(first)
		for _, w := range p.Ingest().Warnings {
			if w.Path != forbidden[0] && w.Path != forbidden[1] {
				fmt.Println(w)
			}
		}
		for _, path := range forbidden {
			if err := os.Chmod(path, 0o700); err != nil {
				return err
			}
		}
		look := time.NewTicker(20 * time.Millisecond)
		defer look.Stop()
		now := first
		for deadline := time.Now().Add(patience); now != "3 sessions, 0 warnings" && time.Now().Before(deadline); <-look.C {
			if now, err = said(); err != nil {
				return err
			}
		}
		fmt.Println(now)
		return nil
	})
}
