package api_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
)

// scenario is one request and what must, and must not, come back.
type scenario struct {
	name    string
	method  string // "" = GET
	url     string
	headers map[string]string
	body    string
	status  int
	want    []string // in the body or the headers
	not     []string
}

// ask makes the request. A Host header replaces the host.
func ask(t *testing.T, addr string, s scenario) (*http.Response, string) {
	t.Helper()
	method := s.method
	if method == "" {
		method = http.MethodGet
	}
	req, err := http.NewRequestWithContext(t.Context(), method, "http://"+addr+s.url, strings.NewReader(s.body))
	if err != nil {
		t.Fatal(err)
	}
	if s.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for k, v := range s.headers {
		req.Header.Set(k, v)
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func (s scenario) run(t *testing.T, addr string) {
	t.Helper()
	resp, body := ask(t, addr, s)
	if resp.StatusCode != s.status {
		t.Errorf("status %d, want %d: %s", resp.StatusCode, s.status, body)
	}
	var all strings.Builder
	_ = resp.Header.Write(&all)
	all.WriteString(body)
	for _, w := range s.want {
		if !strings.Contains(all.String(), w) {
			t.Errorf("no %q in %s", w, all.String())
		}
	}
	for _, n := range s.not {
		if strings.Contains(all.String(), n) {
			t.Errorf("%q in %s", n, all.String())
		}
	}
	if page := strings.Contains(s.headers["Accept"], "text/html"); resp.StatusCode >= 400 && !page && resp.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("a problem of type %s", resp.Header.Get("Content-Type"))
	}
}

func runAll(t *testing.T, addr string, scenarios []scenario) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) { s.run(t, addr) })
	}
}

func TestAnswers(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	path := "/api/sessions/" + url.PathEscape(string(odd))
	runAll(t, addr, []scenario{
		{name: "health", url: "/api/health", status: 200, want: []string{`"ok":true`, `"version":"1.2.3"`, `"ready":true`, `"attachedSession":null`, `"revision":41`, `"liveSessions":1`, `"bytes":4096`, `"candidates":[]`, `"unknownRecords":[]`, `"warnings":[]`, `"roots":[]`, `"unverified":[]`, `"runningUnknown":[]`}, not: []string{"$schema", "null,\"autoAttach\":null"}},
		{name: "flags", url: "/api/flags", status: 200, want: []string{`{"kind":"retry","doc":"Tried again."}`}},
		{name: "sessions", url: "/api/sessions", status: 200, want: []string{`"sessions":[{"id":"acme:one"`, `"children":[{"id":"acme:one~kid"`, `"total":2`}, not: []string{`"children":null`}},
		{name: "live", url: "/api/sessions/live", status: 200, want: []string{`{"sessions":[{"id":"acme:one"`}},
		{name: "a session with an odd id", url: path, status: 200, want: []string{`"id":"acme:100%~sub/agent ü:1"`}},
		{name: "its turns", url: path + "/turns", status: 200, want: []string{`"total":3`, `"calls":{}`, `"flags":[{`}, not: []string{"roundTrips\":[", "null"}},
		{name: "its raw log", url: path + "/raw?offset=5&length=7", status: 200, want: []string{`"path":"log of acme:100%~sub/agent ü:1"`, `"offset":5`, `"length":7`}},
		{name: "an id that is not encoded", url: "/api/sessions/acme:one~kid", status: 200, want: []string{`"id":"acme:one~kid"`}},
		{name: "a bare own id", url: "/api/sessions/one/turns/1", status: 200, want: []string{`"index":1`, `"toolCalls":[`, `"evidence":[`}},
		{name: "an ambiguous own id", url: "/api/sessions/two/turns", status: 409, want: []string{`"code":"conflict"`, `"details":["acme:two","brand:two"]`}},
		{name: "no such session", url: "/api/sessions/acme:none", status: 404, want: []string{`"code":"not_found"`, "there is no session acme:none"}},
		{name: "no such turn", url: "/api/sessions/acme:one/turns/9", status: 404, want: []string{`"code":"not_found"`}},
		{name: "a turn that is no number", url: "/api/sessions/acme:one/turns/last", status: 422, want: []string{`"code":"invalid"`, "path.index"}},
		{name: "a negative turn", url: "/api/sessions/acme:one/turns/-1", status: 422, want: []string{`"code":"invalid"`}},
		{name: "a whole turn", url: "/api/sessions/acme:one/turns/0?full=1", status: 200, want: []string{`"index":0`}},
		{name: "a call", url: "/api/sessions/acme:one/calls/1", status: 200, want: []string{`"tool":"Shell"`}},
		{name: "messages", url: "/api/sessions/acme:one/messages?from=2", status: 200, want: []string{`"messages":[{"turn":2,"roundTrip":null,"role":"user"`}},
		{name: "series", url: "/api/sessions/acme:one/series", status: 200, want: []string{`{"turn":0,"at":0,"tokens":{"value":10,"quality":"exact"}}`, `{"turn":2,"at":2,"tokens":{"value":30,`}},
		{name: "a state that is none", url: "/api/sessions?state=sleepy", status: 422, want: []string{`"code":"invalid"`, "query.state"}},
		{name: "too many at once", url: "/api/sessions?limit=501", status: 422, want: []string{"query.limit"}},
		{name: "no such route", url: "/api/nothing", status: 404, want: []string{`"code":"not_found"`}},
		{name: "a wrong method", method: "DELETE", url: "/api/sessions", status: 404, want: []string{`"code":"not_found"`}},
		{name: "an inner error stays inside", url: "/api/sessions/broken", status: 500, want: []string{`"code":"internal"`}, not: []string{"closed network"}},
		{name: "a panic stays inside", url: "/api/sessions/panic", status: 500, want: []string{`"code":"internal"`}, not: []string{"store:"}},
		{name: "a long query", url: "/api/sessions?text=" + strings.Repeat("x", 20_000), status: 200},
		{name: "the document", url: "/api/openapi.json", status: 200, want: []string{`"openapi": "3.1.0"`, "application/json"}},
		{name: "metrics", url: "/metrics", status: 200, want: []string{"turns 1"}},
		{name: "mounted", method: "POST", url: "/mounted", body: `{}`, status: 204},
		{name: "no socket", url: "/ws", status: 426},
	})
}

func TestAttachAnswers(t *testing.T) {
	d := deps()
	addr, _ := start(t, api.Config{}, d)
	runAll(t, addr, []scenario{
		{name: "attach without a body", method: "POST", url: "/api/attach", status: 409, want: []string{`"details":["acme:one","acme:100%~sub/agent ü:1"]`}},
		{name: "attach nothing given", method: "POST", url: "/api/attach", body: `{}`, status: 409, want: []string{`"code":"conflict"`}},
		{name: "attach", method: "POST", url: "/api/attach", body: `{"sessionId":"acme:one","fromStart":true}`, status: 200, want: []string{`"attachedSession":"acme:one"`, `"fromStart":true`}},
		{name: "health says so", url: "/api/health", status: 200, want: []string{`"attachedSession":"acme:one"`}},
		{name: "a misspelt field", method: "POST", url: "/api/attach", body: `{"session":"acme:one"}`, status: 422, want: []string{"session"}},
		{name: "no JSON", method: "POST", url: "/api/attach", body: `{`, status: 400, want: []string{`"code":"invalid"`}},
		{name: "detach", method: "POST", url: "/api/detach", status: 200, want: []string{`"attachedSession":null`}},
		{name: "detach again", method: "POST", url: "/api/detach", status: 200, want: []string{`"attachedSession":null`}},
		{name: "auto-attach", method: "POST", url: "/api/auto-attach/start", body: `{"intervalMs":250,"onMultiple":"newest"}`, status: 200, want: []string{`"intervalMs":250`, `"onMultiple":"newest"`}},
		{name: "auto-attach with defaults", method: "POST", url: "/api/auto-attach/start", status: 200, want: []string{`"autoAttach":{`}},
		{name: "a guess", method: "POST", url: "/api/auto-attach/start", body: `{"onMultiple":"guess"}`, status: 422, want: []string{"onMultiple"}},
		{name: "stop", method: "POST", url: "/api/auto-attach/stop", status: 200, want: []string{`"state":"off"`}},
	})
}

func TestQueriesReachTheStore(t *testing.T) {
	d := deps()
	addr, _ := start(t, api.Config{}, d)
	ask(t, addr, scenario{url: "/api/sessions?agent=acme&repo=r&state=idle&text=t%20%26&sort=tokens&limit=7&cursor=c"})
	ask(t, addr, scenario{url: "/api/sessions/acme:one/turns?from=1&limit=2&text=x&tool=Bash&category=web&flag=compaction-loss&errors=1"})
	st := d.Store.(*store)
	if diff := cmp.Diff(collector.SessionQuery{Agent: "acme", Repo: "r", State: "idle", Text: "t &", Sort: "tokens", Limit: 7, Cursor: "c"}, st.query); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(collector.TurnQuery{From: 1, Limit: 2, Text: "x", Tool: "Bash", Category: "web", Flag: "compaction-loss", ErrorsOnly: true}, st.tquery); diff != "" {
		t.Error(diff)
	}
}

// TestSlowReadsEnd has a store that never answers: fasthttp does not tell when a client goes away, so the deadline is ours.
func TestSlowReadsEnd(t *testing.T) {
	d := deps()
	d.Store.(*store).slow = true
	addr, _ := start(t, api.Config{QueryTimeout: 20 * time.Millisecond}, d)
	scenario{url: "/api/sessions", status: 503, want: []string{`"code":"unavailable"`, "took too long"}}.run(t, addr)
}

func TestTooLargeABody(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+addr+"/api/attach", strings.NewReader(strings.Repeat(" ", 2<<20)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d, want 413", resp.StatusCode)
	}
	http.DefaultClient.CloseIdleConnections()
}
