package main

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector/metrics"
	"github.com/turnwatch/turnwatch/sources"
)

// newMetrics returns what counts, and what serves it.
func newMetrics(r reading, log *slog.Logger) (*metrics.Metrics, api.Mount) {
	cfg := metrics.Config{Cost: r.prices.Cost, Version: programVersion(), Now: time.Now, Logger: log}
	for _, s := range r.sources {
		cfg.Agents = append(cfg.Agents, s.Agent())
	}
	for _, h := range sources.HookReaders(r.sources) {
		cfg.Events = append(cfg.Events, h.HookEvents()...)
	}
	for _, a := range r.flags {
		cfg.Flags = append(cfg.Flags, a.Flag)
	}
	m := metrics.New(cfg)
	return m, api.Mount{Method: http.MethodGet, Path: "/metrics", Handler: m.Handler()}
}
