package pipeline_test

import (
	"bufio"
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/metrics"
	"github.com/turnwatch/turnwatch/sources"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// counting is metrics with a clock that stands still.
type counting struct {
	*metrics.Metrics
	now atomic.Int64 // unix s
}

// newCounting returns metrics that start sec seconds after homes.Lines begins to count.
func newCounting(sec int) *counting {
	c := &counting{}
	c.set(sec)
	c.Metrics = metrics.New(metrics.Config{
		Agents: []collector.Agent{collector.SessionID(homes.Session("")).Agent()}, Now: func() time.Time { return time.Unix(c.now.Load(), 0) },
		Flags: []collector.FlagKind{collector.FlagFail}, Logger: slog.New(slog.DiscardHandler),
	})
	return c
}

func (c *counting) set(sec int) { c.now.Store(homes.Day.Unix() + int64(sec)) }

// scraped returns every counter that is not 0, without the agent's label; of histograms how often they observed.
func scraped(t testing.TB, m *metrics.Metrics) map[string]float64 {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	all := map[string]float64{}
	lines := bufio.NewScanner(w.Body)
	for lines.Scan() {
		name, value, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "turnwatch_"), "} ")
		if !strings.Contains(name, "_total{") && !strings.Contains(name, "_count{") {
			continue
		}
		n, err := strconv.ParseFloat(value, 64)
		must(t, err)
		if n != 0 {
			name, labels, _ := strings.Cut(name, "{")
			_, rest, _ := strings.Cut(labels, `"`) // agent comes first
			_, rest, _ = strings.Cut(rest, `"`)
			all[name+strings.NewReplacer(`"`, "", ",", " ").Replace(rest)] += n
		}
	}
	return all
}

// counted waits until everything was counted, and nothing twice.
func (r *running) counted(c *counting, what string, want map[string]float64) {
	r.t.Helper()
	r.until(what, func() (bool, string) {
		diff := cmp.Diff(want, scraped(r.t, c.Metrics))
		return diff == "", "(-want +got): " + diff
	})
}

// turnsOfLines is what n turns of homes.Lines add up to; they have so many bytes.
func turnsOfLines(n int, lines [][]byte) map[string]float64 {
	f := float64(n)
	model := " model=" + homes.Model
	return map[string]float64{
		"turns_total outcome=ok":                     f,
		"model_round_trips_total" + model:            2 * f,
		"tool_calls_total status=ok tool=Bash":       f,
		"tool_call_duration_seconds_count tool=Bash": f,
		"tokens_total" + model + " type=input":       20 * f,
		"tokens_total" + model + " type=output":      14 * f,
		"tokens_total" + model + " type=cache_read":  200 * f,
		"ingest_records_total result=ok":             4 * f,
		"ingest_lag_seconds_count":                   4 * f,
		"ingest_read_bytes_total source=log":         float64(len(bytes.Join(lines, nil)) - len(lines)),
	}
}

// turns returns how many turns the store has.
func (r *running) turns() (n float64) {
	r.t.Helper()
	page, err := r.db.Sessions(r.t.Context(), collector.SessionQuery{Limit: 500})
	must(r.t, err)
	for _, s := range page.Sessions {
		n += float64(s.TreeTotals.Turns)
	}
	return n
}

func agents(home string) (all []collector.Agent) {
	for _, s := range sources.All(host(home)) {
		all = append(all, s.Agent())
	}
	return all
}

// sinceLongAgo is a clock that was first looked at long ago.
func sinceLongAgo() func() time.Time {
	looked := false
	return func() time.Time {
		if looked {
			return time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		looked = true
		return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	}
}
