package main_test

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/testdata"
	"github.com/turnwatch/turnwatch/testdata/corpus"
	"github.com/turnwatch/turnwatch/testdata/homes"
)

// watched is a running program whose home holds the recordings, and in which an agent begins to work.
type watched struct {
	*server
	live  *corpus.Live
	turns int // that have ended
}

func watch(t *testing.T) *watched {
	t.Helper()
	home := t.TempDir()
	if err := testdata.WriteDemo(home); err != nil {
		t.Fatal(err)
	}
	w := &watched{server: serve(t, home, "--data-dir", filepath.Join(home, "data")).ready()}
	if n := w.count("turnwatch_turns_total"); n != 0 {
		t.Fatalf("%v turns of history were counted", n)
	}
	live, err := corpus.NewLive(home, 1, 2, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	w.live = live
	return w
}

// work has the agent end so many turns, each with two calls, begin another one, and write a record that nobody knows.
func (w *watched) work(turns int) {
	w.t.Helper()
	if err := w.live.Append(5 * turns); err != nil {
		w.t.Fatal(err)
	}
	if err := homes.Append(w.live.Path, homes.Unknown("of-tomorrow")); err != nil {
		w.t.Fatal(err)
	}
	w.turns += turns
}

// metrics returns what /metrics says.
func (w *watched) metrics() string {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.url+"/metrics", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		w.t.Fatalf("/metrics: %s %v %s", resp.Status, err, text)
	}
	return string(text)
}

// count returns the sum of a metric over all labels.
func (w *watched) count(metric string) (sum float64) {
	w.t.Helper()
	for line := range strings.Lines(w.metrics()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name, _, _ = strings.Cut(name, "{"); name == metric {
			n, err := strconv.ParseFloat(value[strings.LastIndexByte(value, ' ')+1:], 64)
			if err != nil {
				w.t.Fatalf("%s: %v", line, err)
			}
			sum += n
		}
	}
	return sum
}

// eventually asks again and again until ok holds.
func eventually(t *testing.T, what string, ok func() (bool, string)) {
	t.Helper()
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for late := time.After(time.Minute); ; {
		good, got := ok()
		if good {
			return
		}
		select {
		case <-again.C:
		case <-late:
			t.Fatalf("%s: %s", what, got)
		}
	}
}

// counted waits until the turns that ended were counted.
func (w *watched) counted() {
	w.t.Helper()
	eventually(w.t, "the turns are counted", func() (bool, string) {
		n, unknown := w.count("turnwatch_turns_total"), w.count("turnwatch_unknown_records_total")
		return n == float64(w.turns) && unknown > 0, w.metrics()
	})
}

// dashboard is what of Grafana's dashboard matters here.
type dashboard struct {
	Title      string
	Templating struct {
		List []struct{ Definition string }
	}
	Annotations struct {
		List []struct{ Expr string }
	}
	Panels []struct {
		ID      int
		Type    string
		Title   string
		GridPos struct{ X, Y, W, H int }
		Targets []struct{ Expr, LegendFormat string }
	}
}

func loadDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, "deploy/grafana/dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// queries returns every query of the dashboard, as Grafana would send it.
func (d dashboard) queries() (all []string) {
	fill := strings.NewReplacer("$agent", ".*", "$__rate_interval", "1m", "$__range", "5m")
	for _, a := range d.Annotations.List {
		all = append(all, fill.Replace(a.Expr))
	}
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			all = append(all, fill.Replace(q.Expr))
		}
	}
	return all
}

func TestDashboardIsInOrder(t *testing.T) {
	d := loadDashboard(t)
	ids := map[int]bool{}
	taken := map[[2]int]string{}
	for _, p := range d.Panels {
		if p.ID == 0 || ids[p.ID] || p.Title == "" {
			t.Errorf("panel %q has the id %d", p.Title, p.ID)
		}
		ids[p.ID] = true
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("panel %q asks nothing", p.Title)
		}
		g := p.GridPos
		if g.W <= 0 || g.H <= 0 || g.X < 0 || g.X+g.W > 24 {
			t.Errorf("panel %q lies outside", p.Title)
		}
		for x := g.X; x < g.X+g.W; x++ {
			for y := g.Y; y < g.Y+g.H; y++ {
				if o := taken[[2]int{x, y}]; o != "" {
					t.Fatalf("panel %q lies on %q", p.Title, o)
				}
				taken[[2]int{x, y}] = p.Title
			}
		}
	}
}

// told checks that deploy's README names every metric of ours, and no other.
func told(t *testing.T, exists map[string]bool) {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "deploy/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(turnwatch_[a-z_]+)` ").FindAllStringSubmatch(string(readme), -1) {
		listed[m[1]] = true
	}
	histogram := strings.NewReplacer("_bucket", "", "_sum", "", "_count", "")
	ours := map[string]bool{}
	for name := range exists {
		if strings.HasPrefix(name, "turnwatch_") {
			ours[histogram.Replace(name)] = true
		}
	}
	if diff := cmp.Diff(ours, listed); diff != "" {
		t.Errorf("deploy/README.md (-metrics +listed): %s", diff)
	}
}

var metricName = regexp.MustCompile(`[a-z_:]*(?:turnwatch|process|go)_[a-z0-9_:]+`)

func TestRefusedHooksAreCounted(t *testing.T) {
	w := watch(t)
	for range 2 {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/hook/nobody/Stop", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
	}
	has(t, w.metrics(), `turnwatch_hook_events_total{agent="other",event="other",result="refused"} 2`+"\n")
}

// TestDeployNamesMetricsThatExist: what the dashboard and the rules ask for is there, once an agent has worked.
func TestDeployNamesMetricsThatExist(t *testing.T) {
	w := watch(t)
	w.work(3)
	w.counted()
	exists := map[string]bool{}
	for line := range strings.Lines(w.metrics()) {
		name, _, _ := strings.Cut(line, "{")
		name, _, _ = strings.Cut(name, " ")
		exists[name] = true
	}
	told(t, exists)
	d := loadDashboard(t)
	asked := strings.Join(d.queries(), "\n")
	for _, v := range d.Templating.List {
		asked += "\n" + v.Definition
	}
	rules, err := os.ReadFile(filepath.Join(root, "deploy/prometheus/rules.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)record: (\S+)$`).FindAllStringSubmatch(string(rules), -1) {
		exists[m[1]] = true
	}
	names := metricName.FindAllString(asked+"\n"+string(rules), -1)
	if len(names) < 40 {
		t.Fatalf("only %d names were found", len(names))
	}
	for _, name := range names {
		if !exists[name] {
			t.Errorf("there is no metric %s", name)
		}
	}
}
