package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/turnwatch/turnwatch/collector"
)

// Gauges are asked when somebody asks for the metrics.
type Gauges struct {
	States   func(context.Context) ([]collector.StateCount, error)
	Revision func(context.Context) (int64, error) // of the store: while it stays, so do the states
	Size     func(context.Context) (int64, error) // of the store, in bytes
	Backlog  func() map[collector.Agent]int64     // bytes that wait to be read
	Clients  func() int                           // WebSocket clients
	Dropped  func() int64                         // messages that were dropped for clients that do not read
}

// Watch adds the gauges. It is called once, before anything is served.
func (m *Metrics) Watch(g Gauges) {
	m.registry.MustRegister(&gauges{Gauges: g, labels: &m.labels, agents: m.cfg.Agents})
}

var (
	sessionsDesc = desc("sessions", "Sessions without sub-agents, by what they do now.", "agent", "state")
	backlogDesc  = desc("ingest_backlog_bytes", "Bytes that wait to be read.", "agent")
	sizeDesc     = desc("store_size_bytes", "Size of the database.")
	clientsDesc  = desc("websocket_clients", "Connected WebSocket clients.")
	droppedDesc  = desc("websocket_dropped_messages_total", "Messages that were dropped because a client did not read; it is told to ask again.")
)

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

// gauges is the Collector of Gauges.
type gauges struct {
	Gauges
	labels *labels
	agents []collector.Agent

	mu       sync.Mutex
	revision int64
	states   []collector.StateCount // as of revision; nil = not asked yet
}

// statesNow asks for the states if they may have changed: counting 10,000 sessions takes 20 ms.
func (g *gauges) statesNow(ctx context.Context) ([]collector.StateCount, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	revision, err := g.Revision(ctx)
	if err != nil || g.states != nil && revision == g.revision {
		return g.states, err
	}
	states, err := g.States(ctx)
	if err == nil {
		g.states, g.revision = states, revision
	}
	return states, err
}

// Describe implements prometheus.Collector.
func (g *gauges) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{sessionsDesc, backlogDesc, sizeDesc, clientsDesc, droppedDesc} {
		ch <- d
	}
}

// patience is how long a scrape waits for the store.
const patience = 2 * time.Second

// Collect implements prometheus.Collector.
func (g *gauges) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, kind, v, labels...)
	}
	send(clientsDesc, prometheus.GaugeValue, float64(g.Clients()))
	send(droppedDesc, prometheus.CounterValue, float64(g.Dropped()))
	backlog := g.Backlog()
	for _, a := range g.agents {
		send(backlogDesc, prometheus.GaugeValue, float64(backlog[a]), string(a))
	}
	if size, err := g.Size(ctx); err != nil {
		ch <- prometheus.NewInvalidMetric(sizeDesc, err)
	} else {
		send(sizeDesc, prometheus.GaugeValue, float64(size))
	}
	states, err := g.statesNow(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(sessionsDesc, err)
		return
	}
	count := map[[2]string]int{}
	for _, a := range g.agents {
		for _, s := range []collector.SessionState{collector.SessionBusy, collector.SessionIdle, collector.SessionWaiting, collector.SessionEnded, collector.SessionCrashed} {
			count[[2]string{string(a), string(s)}] = 0
		}
	}
	for _, s := range states {
		key := [2]string{g.labels.agent(s.Agent), string(s.State)}
		count[key] += s.Sessions
	}
	for key, n := range count {
		send(sessionsDesc, prometheus.GaugeValue, float64(n), key[0], key[1])
	}
}
