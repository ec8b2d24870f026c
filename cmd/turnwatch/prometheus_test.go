package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// prometheus is a running one.
type prometheus struct {
	t   *testing.T
	url string
}

var listening = regexp.MustCompile(`msg="Listening on".* address=(\S+)`)

// startPrometheus starts the program with deploy's configuration, but for where Turnwatch is and how often it is asked.
func startPrometheus(t *testing.T, program, target string) *prometheus {
	t.Helper()
	config, err := os.ReadFile(filepath.Join(root, "deploy/prometheus/prometheus.yml"))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := filepath.Abs(filepath.Join(root, "deploy/prometheus/rules.yml"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.NewReplacer("127.0.0.1:4174", target, "rules.yml", rules, "15s", "200ms").Replace(string(config))
	dir := t.TempDir()
	path := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "--config.file="+path, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address=127.0.0.1:0", "--enable-feature=native-histograms")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	var said bytes.Buffer
	for lines := bufio.NewScanner(log); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			go func() { // it must be able to go on writing
				for lines.Scan() {
				}
			}()
			return &prometheus{t, "http://" + m[1]}
		}
	}
	t.Fatalf("it does not listen: %s", said.String())
	return nil
}

// get asks the API.
func (p *prometheus) get(path string, to any) error {
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return fmt.Errorf("%s: %w", resp.Status, err)
	}
	if answer.Status != "success" {
		return fmt.Errorf("%s: %s", resp.Status, answer.Error)
	}
	return json.Unmarshal(answer.Data, to)
}

// query returns the values that an expression has now.
func (p *prometheus) query(expr string) (values []string, err error) {
	var data struct {
		Result []struct {
			Value [2]any
		}
	}
	err = p.get("/api/v1/query?query="+url.QueryEscape(expr), &data)
	for _, r := range data.Result {
		values = append(values, fmt.Sprint(r.Value[1]))
	}
	return values, err
}

// becomes waits until an expression has the one value.
func (p *prometheus) becomes(expr, want string) {
	p.t.Helper()
	eventually(p.t, expr+" = "+want, func() (bool, string) {
		got, err := p.query(expr)
		return err == nil && len(got) == 1 && got[0] == want, fmt.Sprint(got, err)
	})
}

// programs returns the programs that .ci/prometheus names; without it the test is left out.
func programs(t *testing.T) (server, tool string) {
	t.Helper()
	server, tool = os.Getenv("TURNWATCH_PROMETHEUS"), os.Getenv("TURNWATCH_PROMTOOL")
	if server == "" || tool == "" {
		t.Skip("make test-prometheus runs this")
	}
	return server, tool
}

// TestPrometheusCountsTurns has a real Prometheus watch while an agent works.
func TestPrometheusCountsTurns(t *testing.T) {
	server, _ := programs(t)
	w := watch(t)
	p := startPrometheus(t, server, strings.TrimPrefix(w.url, "http://"))
	p.becomes(`up{job="turnwatch"}`, "1")
	p.becomes("sum(turnwatch_turns_total)", "0")
	w.work(7)
	p.becomes("sum(turnwatch_turns_total)", "7")
	p.becomes(`sum(turnwatch_tool_calls_total{status="ok"})`, "14")
	p.becomes(`histogram_count(sum(turnwatch_tool_call_duration_seconds)) > 0`, "14") // the native histogram
	p.becomes("count(turnwatch_build_info)", "1")
	eventually(t, "an increase", func() (bool, string) {
		got, err := p.query("sum(increase(turnwatch_turns_total[5m])) > 0")
		return err == nil && len(got) == 1, fmt.Sprint(got, err)
	})
	for _, q := range loadDashboard(t).queries() {
		if _, err := p.query(q); err != nil {
			t.Errorf("the dashboard asks %s: %v", q, err)
		}
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string }
		}
	}
	eventually(t, "all rules are fine", func() (bool, string) {
		if err := p.get("/api/v1/rules", &rules); err != nil {
			return false, err.Error()
		}
		n := 0
		for _, g := range rules.Groups {
			for _, r := range g.Rules {
				n++
				if r.Health != "ok" {
					return false, fmt.Sprint(r)
				}
			}
		}
		return n > 10, fmt.Sprint(n, " rules")
	})
}

// TestPrometheusTools has promtool look at the metrics and at what deploy/ holds.
func TestPrometheusTools(t *testing.T) {
	_, tool := programs(t)
	w := watch(t)
	w.work(1)
	w.counted()
	check := func(stdin string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), tool, args...)
		cmd.Dir = filepath.Join(root, "deploy/prometheus")
		cmd.Stdin = strings.NewReader(stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v: %s", strings.Join(args, " "), err, out)
		}
	}
	check(w.metrics(), "check", "metrics")
	check("", "check", "config", "prometheus.yml")
	check("", "check", "rules", "rules.yml")
	check("", "test", "rules", "rules_test.yml")
}
