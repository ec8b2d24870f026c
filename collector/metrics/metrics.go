// Package metrics counts what agents do while Turnwatch runs, and shows it to Prometheus. It watches what the pipeline
// committed, never takes part in it, and keeps a Registry of its own.
//
// Counters count what happened since Turnwatch started, once. History that is read, be it at start, after a break or from
// a home that appears later, adds nothing: what a record says happened at its own time, and only times since the start
// count. (A place in a stream would not do: files are rewritten, moved and copied.) Whatever has no time does not count, nor
// does what claims to be more than a minute ahead.
//
// Labels refuse whatever could grow without end: no session, turn, path, directory or user, and of tools, models and
// versions only so many names, since logs may call things what they like.
package metrics

import (
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/turnwatch/turnwatch/collector"
)

// Config says what is counted.
type Config struct {
	Agents  []collector.Agent
	Flags   []collector.FlagKind
	Cost    func(model string, t collector.Tokens) collector.Amount // in USD; nil = nothing has a price
	Events  []string                                                // the hook events that agents have
	Version string                                                  // of this program
	Now     func() time.Time
	Logger  *slog.Logger
}

// Metrics is everything that is counted.
type Metrics struct {
	cfg      Config
	log      *slog.Logger
	started  time.Time
	registry *prometheus.Registry
	count    counters
	labels   labels

	turns ledger[countedTurn]
	trips ledger[countedTrip]
	calls ledger[countedCall]
}

// New returns metrics whose counters are 0.
func New(cfg Config) *Metrics {
	m := &Metrics{
		cfg: cfg, log: cfg.Logger, started: cfg.Now(), registry: prometheus.NewRegistry(),
		count: newCounters(), labels: newLabels(cfg),
		turns: newLedger[countedTurn](remembered), trips: newLedger[countedTrip](remembered), calls: newLedger[countedCall](remembered),
	}
	m.registry.MustRegister(m.count.all()...)
	m.registry.MustRegister(buildInfo(cfg.Version), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.initialise()
	return m
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog:            slog.NewLogLogger(m.log.Handler(), slog.LevelWarn),
		ErrorHandling:       promhttp.ContinueOnError, // what cannot be read now hides nothing else
		EnableOpenMetrics:   true,
		MaxRequestsInFlight: 4,
	})
}

func buildInfo(version string) prometheus.Collector {
	revision := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "1; its labels say which Turnwatch this is.",
		ConstLabels: prometheus.Labels{"version": version, "revision": revision, "goversion": runtime.Version(), "goos": runtime.GOOS, "goarch": runtime.GOARCH},
	})
	g.Set(1)
	return g
}
