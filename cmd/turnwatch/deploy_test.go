package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
