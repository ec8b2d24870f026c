package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

func TestCompareAnswers(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	runAll(t, addr, []scenario{
		{
			name: "sessions", url: "/api/compare?a=acme:one&b=acme:one~kid", status: 200,
			want: []string{`"kind":"sessions"`, `"sentence":"Neither called a tool`, `"a":{"label":"title "`, `"id":"acme:one~kid"`, `"key":"failRate"`, `"labels":[]`, `"sequence":[]`},
			not:  []string{`"prompts"`, `"turn"`, `"group"`, `:null,"labels"`, "/log"},
		},
		{name: "a bare id", url: "/api/compare?a=one&b=one", status: 200, want: []string{`"verdict":"same"`}, not: []string{`"verdict":"worse"`}},
		{name: "turns", url: "/api/compare?a=acme:one&turnA=0&turnB=2", status: 200, want: []string{`"kind":"turns"`, `"turn":0`, `"turn":2`, `"change":"same"`, `"prompts":{"a":{"text":"text `, `"clipped":true`, `"bytes":500`}, not: []string{`"group"`}},
		{
			name: "groups", url: "/api/compare?groupA=acme:one&groupB=repo:x,label:y", status: 200,
			want: []string{`"kind":"groups"`, `"label":"1 picked"`, `"label":"repo:x, label:y"`, "No difference can be told from 1 run against 2", `"runs":[{"session":"acme:one"`, `"told":false`},
			not:  []string{`"interval"`, `"prompts"`},
		},
		{name: "an empty group", url: "/api/compare?groupA=label:none&groupB=label:y", status: 200, want: []string{"Nothing to compare: A has 0 runs, B has 2", `"sessions":[]`}},
		{name: "one side", url: "/api/compare?a=acme:one", status: 400, want: []string{`"code":"invalid"`, "two sessions"}},
		{name: "one turn", url: "/api/compare?a=acme:one&b=acme:one&turnA=1", status: 400, want: []string{`"code":"invalid"`}},
		{name: "nothing", url: "/api/compare", status: 400, want: []string{`"code":"invalid"`}},
		{name: "a group and a session", url: "/api/compare?groupA=acme:one&b=acme:one", status: 400, want: []string{"groups are compared with groups"}},
		{name: "no such session", url: "/api/compare?a=acme:one&b=acme:none", status: 404, want: []string{"there is no session acme:none"}},
		{name: "an ambiguous id", url: "/api/compare?a=two&b=acme:one", status: 409, want: []string{`"code":"conflict"`}},
		{name: "no such turn", url: "/api/compare?a=acme:one&turnA=0&turnB=99", status: 404, want: []string{`"code":"not_found"`}},
		{name: "no such session in a group", url: "/api/compare?groupA=acme:none&groupB=acme:one", status: 404, want: []string{"acme:none"}},
		{name: "no such zone", url: "/api/compare?groupA=from:2026-01-01&groupB=acme:one&tz=Mars/Base", status: 400, want: []string{"time zone"}},
		{name: "no day", url: "/api/compare?groupA=from:yesterday&groupB=acme:one", status: 400, want: []string{"2026-01-31"}},
	})
}

func TestInsightAnswers(t *testing.T) {
	d := deps()
	addr, _ := start(t, api.Config{}, d)
	runAll(t, addr, []scenario{
		{
			name: "insights", url: "/api/insights", status: 200,
			want: []string{`"total":2`, `"tz":"UTC"`, `"pricesDate":"2026-01-02"`, `"summary":{"sessions":2`, `"sessions":[{"id":"acme:one"`, `"labels":[]`, `"flagCounts":{"fail":1}`, `"tool":"Shell"`, `"priced":false`},
			not:  []string{`"labels":null`, `"days":null`, `"tools":null`, "rollup", "Parts", `"costUsd":null`},
		},
		{name: "csv", url: "/api/insights.csv", status: 200, want: []string{"Content-Type: text/csv", "attachment; filename=", "id,agent,title", "acme:one,acme,title"}, not: []string{"{", "null"}},
		{name: "nobody", url: "/api/insights?label=none", status: 200, want: []string{`"sessions":[]`, `"days":[]`, `"tools":[]`, `"models":[]`, `"flags":[]`}, not: []string{"NaN"}},
		{name: "no such zone", url: "/api/insights?tz=Mars/Base", status: 400, want: []string{"time zone"}},
		{name: "the server's zone", url: "/api/insights?tz=Local", status: 400, want: []string{"time zone"}},
		{name: "no day", url: "/api/insights?to=2026-13-01", status: 400, want: []string{`"code":"invalid"`}},
		{name: "too many", url: "/api/insights?limit=100000", status: 422, want: []string{"limit"}},
	})
	st := d.Store.(*store)
	if _, made := st.rollups[odd]; !made || len(st.rollups) != 1 {
		t.Errorf("roll-ups were made for %d sessions, want one for that which had none", len(st.rollups))
	}
	for query, want := range map[string]collector.RunQuery{
		"limit=7&agent=acme&repo=r&branch=b&label=l": {Agent: "acme", Repo: "r", Branch: "b", Label: "l", Limit: 7},
		"limit=7&model=m":                      {}, // of all, since the store does not know who used it
		"limit=7&from=2026-03-29":              {},
		"limit=7&brush=2026-03-29..2026-03-30": {Limit: 7},
	} {
		ask(t, addr, scenario{url: "/api/insights?" + query})
		if diff := cmp.Diff(want, st.rquery); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// TestInsightFilters asks a store of 2,000 sessions, one an hour from 2023-11-14 22:13:20 UTC on, each with a turn every half
// hour for two hours.
func TestInsightFilters(t *testing.T) {
	addr := manyServer(t)
	for query, want := range map[string]string{
		"":                      "200 of 2000, cut",
		"limit=3&model=model-3": "3 of 286, cut",
		"model=model-7":         "0 of 0",
		"to=2023-11-14":         "2 of 2",
		"from=2023-11-14&to=2023-11-14&tz=Europe/Berlin":        "1 of 1",
		"from=2023-11-16&to=2023-11-16":                         "26 of 26", // two began the day before
		"limit=5&from=2023-11-16&to=2023-11-16":                 "5 of 26, cut",
		"limit=5&to=2023-11-16&brush=2023-11-16..2023-11-16":    "5 of 5, cut",
		"limit=5&brush=2023-11-16..2023-11-16":                  "0 of 0, cut", // the newest five are of February
		"limit=5000&brush=2023-11-16..2023-11-17&model=model-0": "7 of 7",
	} {
		_, body := ask(t, addr, scenario{url: "/api/insights?" + query})
		var in insights.Insights
		if err := json.Unmarshal([]byte(body), &in); err != nil {
			t.Fatal(query, err)
		}
		got := fmt.Sprintf("%d of %d", len(in.Sessions), in.Total)
		if in.Truncated {
			got += ", cut"
		}
		if got != want || in.Summary.Sessions != len(in.Sessions) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
	runAll(t, addr, []scenario{
		{name: "a brush of one day", url: "/api/insights?brush=2023-11-16", status: 400, want: []string{"2026-01-30..2026-01-31"}},
		{name: "a brush of no days", url: "/api/insights?brush=a..b", status: 400, want: []string{"2026-01-31"}},
		{
			name: "groups by model and day", url: "/api/compare?groupA=model:model-3,to:2023-11-16&groupB=model:model-4,to:2023-11-16", status: 200,
			want: []string{`"label":"model:model-3, to:2023-11-16"`, `n = 7 vs 7`},
		},
	})
}

func TestAnalysisAnswers(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	runAll(t, addr, []scenario{
		{name: "analysis", url: "/api/analysis/acme:one", status: 200, want: []string{`"path":"log of acme:one"`, `"tool":"Shell"`, `"differences":["turn 1: title "]`, `"same":false`, `"labels":[]`}, not: []string{`"roundTrips":[`, `"toolCalls":[`, `"markers":[`, `"differences":null`}},
		{name: "a bare id", url: "/api/analysis/one", status: 200, want: []string{`"id":"acme:one"`}},
		{name: "no such session", url: "/api/analysis/acme:none", status: 404, want: []string{`"code":"not_found"`}},
	})
}

func TestLabelAnswers(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	const path = "/api/sessions/acme:one/labels"
	runAll(t, addr, []scenario{
		{name: "none", url: path, status: 200, want: []string{`{"labels":[]}`}},
		{name: "add", method: "POST", url: path, body: `{"label":"x"}`, status: 200, want: []string{`{"labels":["x"]}`}},
		{name: "list", url: path, status: 200, want: []string{`{"labels":["x"]}`}},
		{name: "no body", method: "POST", url: path, status: 400, want: []string{`"code":"invalid"`}},
		{name: "a misspelt field", method: "POST", url: path, body: `{"name":"x"}`, status: 422, want: []string{"label"}},
		{name: "from another site", method: "POST", url: path, body: `{"label":"y"}`, headers: map[string]string{"Origin": "http://evil.example"}, status: 403},
		{name: "remove from another site", method: "DELETE", url: path + "?label=x", headers: map[string]string{"Origin": "http://evil.example"}, status: 403},
		{name: "remove", method: "DELETE", url: path + "?label=x", status: 200, want: []string{`{"labels":[]}`}},
		{name: "remove again", method: "DELETE", url: path + "?label=x", status: 404, want: []string{`"code":"not_found"`}},
		{name: "remove nothing", method: "DELETE", url: path, status: 422, want: []string{"label"}},
		{name: "all labels", url: "/api/labels", status: 200, want: []string{`{"labels":[]}`}},
	})
}

// TestNoSecretInRuns plants a secret in every text that comparisons, sums and analyses show.
func TestNoSecretInRuns(t *testing.T) {
	d := deps()
	d.Store.(*store).secret = planted()
	addr, _ := start(t, api.Config{}, d)
	for _, url := range []string{
		"/api/compare?a=acme:one&b=acme:one~kid", "/api/compare?a=acme:one&turnA=0&turnB=1", "/api/compare?groupA=acme:one&groupB=label:" + planted(),
		"/api/insights", "/api/insights.csv", "/api/analysis/acme:one",
	} {
		_, body := ask(t, addr, scenario{url: url})
		if strings.Contains(body, planted()) || !strings.Contains(body, "redacted: github-pat") {
			t.Errorf("%s: %.300s", url, body)
		}
	}
}
