package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/turnwatch/turnwatch/collector"
)

const namespace = "turnwatch"

// counters are what events add to.
type counters struct {
	turns        *prometheus.CounterVec
	roundTrips   *prometheus.CounterVec
	toolCalls    *prometheus.CounterVec
	callDuration *prometheus.HistogramVec
	tokens       *prometheus.CounterVec
	cost         *prometheus.CounterVec
	premium      *prometheus.CounterVec
	flags        *prometheus.CounterVec
	readBytes    *prometheus.CounterVec
	records      *prometheus.CounterVec
	unknown      *prometheus.CounterVec
	lag          *prometheus.HistogramVec
	hookEvents   *prometheus.CounterVec
}

func newCounters() counters {
	return counters{
		turns:        counter("turns_total", "Turns that ended, by how they first ended.", "agent", "outcome"),
		roundTrips:   counter("model_round_trips_total", "Responses of models, without those that only made a summary of history.", "agent", "model"),
		toolCalls:    counter("tool_calls_total", "Tool calls that were answered or given up, by how that first stood.", "agent", "tool", "status"),
		callDuration: histogram("tool_call_duration_seconds", "How long tool calls took that ran, as far as the log says.", callBuckets, "agent", "tool"),
		tokens:       counter("tokens_total", "Tokens as responses state them, or turns where no response does; reasoning is part of output.", "agent", "model", "type"),
		cost:         counter("cost_usd_total", "List price of the tokens of models whose price is known.", "agent", "model"),
		premium:      counter("premium_requests_total", "Premium requests, a billing unit of its own.", "agent"),
		flags:        counter("anomaly_flags_total", "Anomalies that were flagged.", "agent", "kind"),
		readBytes:    counter("ingest_read_bytes_total", "Bytes of records that were read, of a table those of its rows as they are read.", "agent", "source"),
		records:      counter("ingest_records_total", "Records that were read: skipped ones are of a type that is not known.", "agent", "result"),
		unknown:      counter("unknown_records_total", "Records of a type that is not known, by the version of the agent's program.", "agent", "version"),
		lag:          histogram("ingest_lag_seconds", "From the time of a log's record to its commit.", lagBuckets, "agent"),
		hookEvents:   counter("hook_events_total", "Hook events that were received, by the agent whose program fired them.", "agent", "event", "result"),
	}
}

func (c *counters) all() []prometheus.Collector {
	return []prometheus.Collector{
		c.turns, c.roundTrips, c.toolCalls, c.callDuration, c.tokens, c.cost, c.premium, c.flags,
		c.readBytes, c.records, c.unknown, c.lag, c.hookEvents,
	}
}

// Calls take from milliseconds to the half hour that long builds need; records are committed within milliseconds unless
// something is wrong.
var (
	callBuckets = []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800}
	lagBuckets  = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}
)

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

// histogram has buckets for everybody, and a native histogram for a Prometheus that asks for it.
func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: namespace, Name: name, Help: help, Buckets: buckets,
		NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour,
	}, labels)
}

// initialise sets everything to 0 whose labels are known, so that a rate sees the first one too.
func (m *Metrics) initialise() {
	for _, a := range m.cfg.Agents {
		agent := string(a)
		for _, s := range []collector.TurnStatus{collector.TurnOK, collector.TurnFailed, collector.TurnInterrupted, collector.TurnAbandoned} {
			m.count.turns.WithLabelValues(agent, string(s))
		}
		for _, k := range m.cfg.Flags {
			m.count.flags.WithLabelValues(agent, string(k))
		}
		for _, r := range []collector.ReadResult{collector.ReadOK, collector.ReadSkipped, collector.ReadMalformed} {
			m.count.records.WithLabelValues(agent, string(r))
		}
		for _, k := range []collector.StreamKind{collector.StreamLog, collector.StreamFacts} {
			m.count.readBytes.WithLabelValues(agent, string(k))
		}
		m.count.hookEvents.WithLabelValues(agent, other, string(collector.HookResultMalformed))
		m.count.hookEvents.WithLabelValues(agent, other, string(collector.HookResultUnknown))
		m.count.premium.WithLabelValues(agent)
		m.count.lag.WithLabelValues(agent)
	}
	m.count.hookEvents.WithLabelValues(other, other, string(collector.HookResultRefused)) // whose it was is not believed
}
