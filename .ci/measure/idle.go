package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// restart measures a start with nothing changed, and then watches the daemon do nothing.
func (b *bench) restart(ctx context.Context, home, data string, files int) error {
	d, err := b.start(home, data)
	if err != nil {
		return err
	}
	defer d.stop() //nolint:errcheck // what it used in all does not matter here
	wall, err := d.ready(ctx, 5*time.Millisecond)
	if err != nil {
		return err
	}
	s, err := look(d.cmd.Process.Pid)
	if err != nil {
		step("%v: not watched idle", err)
		return nil
	}
	b.add(wall <= 300*time.Millisecond, "restart, nothing changed", "≤ 0.3 s", "%.2f s (%.2f CPU s)", wall.Seconds(), s.cpu.Seconds())
	return b.watchIdle(ctx, d, files)
}

// watchIdle compares the daemon with one that has an empty home: what that one reads to see which agents run, from /proc,
// is not reading the agents' files.
func (b *bench) watchIdle(ctx context.Context, d *daemon, files int) error {
	none, clean, err := b.work()
	if err != nil {
		return err
	}
	defer clean()
	empty, err := b.start(none, filepath.Join(none, "data"))
	if err != nil {
		return err
	}
	defer empty.stop() //nolint:errcheck // what it used in all does not matter here
	if _, err := empty.ready(ctx, 10*time.Millisecond); err != nil {
		return err
	}
	step("idle for %s", b.idle)
	time.Sleep(5 * time.Second) // what a start leaves to do
	var spent [2]snapshot
	for i, p := range []*daemon{d, empty} {
		if spent[i], err = look(p.cmd.Process.Pid); err != nil {
			return err
		}
	}
	before, err := d.dbBytes()
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(b.idle):
	}
	for i, p := range []*daemon{d, empty} {
		now, err := look(p.cmd.Process.Pid)
		if err != nil {
			return err
		}
		spent[i] = now.minus(spent[i])
	}
	after, err := d.dbBytes()
	if err != nil {
		return err
	}
	own, idle := spent[0], fmt.Sprintf("idle for %s, %d files: ", b.idle, files)
	core := 100 * own.cpu.Seconds() / own.took.Seconds()
	b.add(core < 0.2, idle+"CPU", "< 0.2 % of a core", "%.2f %%", core)
	// One look more or less at /proc may fall into the window.
	slack := spent[1].read / max(1, int64(b.idle/(5*time.Second)))
	extra := own.read - spent[1].read
	b.add(extra <= slack, idle+"bytes read beyond those with an empty home", "0", "%d (%d and %d, nearly all of /proc)", max(0, extra-slack), own.read, spent[1].read)
	b.add(own.disk == 0 && before == after, idle+"DB writes", "0 B", "%d B", own.disk)
	b.add(own.rss <= 60e6, idle+"memory", "≤ 60 MB", "%.0f MB", float64(own.rss)/1e6)
	return nil
}
