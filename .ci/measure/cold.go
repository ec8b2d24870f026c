package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// home returns a generated home, from the cache if it is there.
func (b *bench) home(opts corpus.Options) (string, *corpus.Manifest, error) {
	dir := filepath.Join(b.cache, fmt.Sprintf("home-%d-%d-%d", opts.MB, opts.Sessions, opts.Seed))
	if data, err := os.ReadFile(filepath.Join(dir, "manifest.json")); err == nil {
		m := &corpus.Manifest{}
		return dir, m, json.Unmarshal(data, m)
	}
	step("generate %d MB in %d sessions", opts.MB, opts.Sessions)
	if err := os.RemoveAll(dir); err != nil {
		return "", nil, err
	}
	m, err := corpus.Generate(dir, opts)
	return dir, m, err
}

// cold indexes the corpus from nothing, in turn with the peer; then restarts, and watches it idle.
func (b *bench) cold(ctx context.Context) error {
	opts := corpus.Options{MB: b.mb, Sessions: max(1, b.mb*1500/920), Seed: 2}
	home, manifest, err := b.home(opts)
	if err != nil {
		return err
	}
	dir, clean, err := b.work()
	if err != nil {
		return err
	}
	defer clean()
	if err := warm(home); err != nil {
		return err
	}
	var ours, peers, ratios, peaks, walls []float64
	var newest []collector.SessionID
	var data string
	for i := range b.rounds {
		data = filepath.Join(dir, fmt.Sprint("data", i))
		d, err := b.start(home, data)
		if err != nil {
			return err
		}
		wall, err := d.ready(ctx, 100*time.Millisecond)
		if err != nil {
			return err
		}
		if i == 0 {
			if newest, err = b.counts(d, manifest); err != nil {
				return err
			}
		}
		u, err := d.stop()
		if err != nil {
			return err
		}
		ours, peaks, walls = append(ours, u.cpu.Seconds()), append(peaks, float64(u.peak)/1e6), append(walls, wall.Seconds())
		if b.peer != "" {
			p, err := b.runPeer(ctx, home)
			if err != nil {
				return err
			}
			peers, ratios = append(peers, p), append(ratios, u.cpu.Seconds()/p)
			step("round %d: %.2f s, peer %.2f s", i+1, u.cpu.Seconds(), p)
		}
		if i == b.rounds-1 {
			size, err := d.dbBytes()
			if err != nil {
				return err
			}
			r := float64(size) / float64(manifest.Total.Bytes)
			b.add(r <= 0.12, "database / log bytes", "≤ 0.12", "%.3f (%.0f MB of %.0f MB)", r, float64(size)/1e6, float64(manifest.Total.Bytes)/1e6)
		}
	}
	files := manifest.Total.Files
	if b.peer != "" {
		b.add(median(ratios) <= 3, fmt.Sprintf("cold index of %.2f GB, %d files: CPU / `ccusage daily`", float64(manifest.Total.Bytes)/1e9, files), "≤ 3 ×",
			"%s × (%s s; peer %s s)", spread(ratios, "%.2f"), spread(ours, "%.1f"), spread(peers, "%.1f"))
	}
	b.add(slices.Max(peaks) <= 128, "peak memory, cold", "≤ 128 MB", "%s MB", spread(peaks, "%.0f"))
	step("cold index: wall %s s", spread(walls, "%.1f"))
	if err := b.firstList(ctx, home, filepath.Join(dir, "first"), newest); err != nil {
		return err
	}
	return b.restart(ctx, home, data, files)
}

// warm reads the home once, so that nobody pays for the disk.
func warm(home string) error {
	return filepath.WalkDir(home, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		_, err = os.ReadFile(path)
		return err
	})
}

// runPeer runs the peer once and returns its CPU seconds.
func (b *bench) runPeer(ctx context.Context, home string) (float64, error) {
	cmd := exec.CommandContext(ctx, b.peer, "daily", "--json", "--offline")
	cmd.Env = append(corpus.Env(home), "PATH="+os.Getenv("PATH"))
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return 0, fmt.Errorf("peer: %w: %s", err, exit.Stderr)
	}
	if err == nil && len(out) < 100 {
		return 0, fmt.Errorf("peer found nothing: %s", out)
	}
	return used(cmd.ProcessState).cpu.Seconds(), err
}

// firstList measures when the newest 50 sessions are listed while the history still loads.
func (b *bench) firstList(ctx context.Context, home, data string, newest []collector.SessionID) error {
	d, err := b.start(home, data)
	if err != nil {
		return err
	}
	took, err := d.until(ctx, 20*time.Millisecond, func() (bool, error) {
		var page collector.SessionPage
		err := d.get(fmt.Sprintf("/api/sessions?limit=%d", len(newest)), &page)
		return err == nil && slices.Equal(ids(page.Sessions), newest), err
	})
	if err != nil {
		return err
	}
	b.add(took <= time.Second, fmt.Sprintf("cold start → newest %d sessions listed", len(newest)), "≤ 1 s", "%.2f s", took.Seconds())
	_, err = d.stop()
	return err
}

func ids(list []*collector.Session) []collector.SessionID {
	var s []collector.SessionID
	for _, x := range list {
		s = append(s, x.ID)
	}
	return s
}
