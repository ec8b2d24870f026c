package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/turnwatch/turnwatch/testdata/corpus"
)

// turns measures the turn list of a session of 5,000 calls.
func (b *bench) turns(ctx context.Context) error {
	home, clean, err := b.work()
	if err != nil {
		return err
	}
	defer clean()
	const calls = 5000
	l, err := corpus.NewLive(home, 1, 10, time.Now)
	if err != nil {
		return err
	}
	for l.Calls < calls {
		if err := l.Append(1000); err != nil {
			return err
		}
	}
	d, err := b.start(home, filepath.Join(home, "data"))
	if err != nil {
		return err
	}
	defer d.stop() //nolint:errcheck // what it used does not matter here
	if _, err := d.ready(ctx, 50*time.Millisecond); err != nil {
		return err
	}
	var ms []float64
	var size int64
	for range 40 {
		start := time.Now()
		resp, err := http.Get(d.url + "/api/sessions/" + url.PathEscape(l.Session) + "/turns")
		if err != nil {
			return err
		}
		size, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			return fmt.Errorf("turns: %s %w", resp.Status, err)
		}
		ms = append(ms, float64(time.Since(start).Microseconds())/1000)
	}
	b.add(quantile(ms, 0.95) <= 30, fmt.Sprintf("`/turns` of a session of %d calls", l.Calls), "≤ 30 ms", "p50 %.1f ms, p95 %.1f ms (%.0f kB)", median(ms), quantile(ms, 0.95), float64(size)/1000)
	return nil
}

// flat measures what one appended record costs with few and with many sessions known.
func (b *bench) flat(ctx context.Context) error {
	const records = 1000
	var us []float64
	sizes := []int{100, 10000}
	for _, n := range sizes {
		cost, err := b.recordCost(ctx, n, records)
		if err != nil {
			return err
		}
		step("%d sessions: %.0f µs of CPU per appended record", n, cost)
		us = append(us, cost)
	}
	r := us[1] / us[0]
	b.add(r <= 1.5, "CPU per appended record, 10,000 / 100 sessions", "flat (≤ 1.5 ×)", "%.2f × (%.0f, %.0f µs)", r, us[1], us[0])
	return nil
}

func (b *bench) recordCost(ctx context.Context, sessions, records int) (float64, error) {
	home, clean, err := b.work()
	if err != nil {
		return 0, err
	}
	defer clean()
	if _, err := corpus.Generate(home, corpus.Options{MB: max(1, sessions/100), Sessions: sessions, Seed: 4}); err != nil {
		return 0, err
	}
	l, err := corpus.NewLive(home, 1, 10, time.Now)
	if err != nil {
		return 0, err
	}
	d, err := b.start(home, filepath.Join(home, "data"))
	if err != nil {
		return 0, err
	}
	defer d.stop() //nolint:errcheck // what it used does not matter here
	if _, err := d.ready(ctx, 100*time.Millisecond); err != nil {
		return 0, err
	}
	time.Sleep(3 * time.Second)
	from, err := look(d.cmd.Process.Pid)
	if err != nil {
		return 0, err
	}
	for range records {
		if err := l.Append(1); err != nil {
			return 0, err
		}
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(time.Second)
	to, err := look(d.cmd.Process.Pid)
	return float64((to.cpu - from.cpu).Microseconds()) / float64(records), err
}
