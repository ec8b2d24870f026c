package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	realrunning "github.com/turnwatch/turnwatch/collector/running"
)

var _ api.Running = (*realrunning.Tools)(nil)

// hooked takes hooks of acme, and says that what it took runs.
type hooked struct {
	mu     sync.Mutex
	took   []string
	seen   []string
	secret string
}

const hookToken = "the-token-of-acme"

func (*hooked) Verify(agent, token string) bool {
	return (agent == "acme" || agent == "ghost") && token == hookToken
}

func (h *hooked) Receive(agent collector.Agent, event string, payload []byte) (collector.Agent, collector.HookKind, error) {
	if agent == "ghost" {
		return agent, collector.HookUnknown, &collector.Error{Code: collector.CodeNotFound, Message: "no hooks"}
	}
	if !json.Valid(payload) {
		return agent, collector.HookUnknown, &collector.Error{Code: collector.CodeInvalid, Message: "no JSON"}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.took = append(h.took, fmt.Sprint(agent, " ", event, " ", len(payload)))
	if event == "new" {
		return agent, collector.HookUnknown, nil
	}
	if event == "lent" {
		agent = "rival"
	}
	return agent, collector.HookToolStarted, nil
}

func (h *hooked) Running(id collector.SessionID) []collector.RunningTool {
	turn, seq := 1, 2
	return []collector.RunningTool{{ID: "c", Session: "acme:one", Tool: "sh", Category: collector.CategoryShell, Args: h.secret + " for " + string(id), Turn: &turn, Call: &seq}}
}

func (*hooked) Unknown() []collector.UnknownCount {
	return []collector.UnknownCount{{Agent: "acme", Type: "hook new", Count: 4}}
}

// hookDeps returns fakes for everything, with hooks.
func hookDeps() (api.Deps, *hooked) {
	h := &hooked{}
	d := deps()
	d.Running, d.HookTokens, d.UnnamedHooks = h, h, "acme"
	d.HookSeen = func(agent, event string, result collector.HookResult) {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.seen = append(h.seen, fmt.Sprintf("%s/%s %s", agent, event, result))
	}
	return d, h
}

func TestHook(t *testing.T) {
	d, h := hookDeps()
	addr, _ := start(t, api.Config{Token: "the page's own token"}, d)
	token := map[string]string{"X-Turnwatch-Token": hookToken}
	for _, s := range []scenario{
		{name: "taken", url: "/hook/acme/start", headers: token, body: `{"a":1}`, status: 204},
		{name: "without an agent", url: "/hook/start", headers: token, body: `{"a":1}`, status: 204},
		{name: "fired by another agent's program", url: "/hook/acme/lent", headers: token, body: `{}`, status: 204},
		{name: "unknown event", url: "/hook/acme/new", headers: token, body: `{}`, status: 204},
		{name: "no JSON", url: "/hook/acme/start", headers: token, body: `{`, status: 400},
		{name: "no event's name", url: "/hook/acme/st%0aart", headers: token, body: `{}`, status: 400},
		{name: "no agent of that name", url: "/hook/ghost/start", headers: token, body: `{}`, status: 404},
		{name: "no token", url: "/hook/acme/start", body: `{}`, status: 401, not: []string{hookToken}},
		{name: "wrong token", url: "/hook/acme/start", headers: map[string]string{"X-Turnwatch-Token": "x"}, body: `{}`, status: 403, not: []string{hookToken}},
		{name: "another agent's token", url: "/hook/brand/start", headers: token, body: `{}`, status: 403},
		{name: "the page's token", url: "/hook/acme/start", headers: map[string]string{"Authorization": "Bearer the page's own token"}, body: `{}`, status: 401},
		{name: "another site's page", url: "/hook/acme/start", headers: map[string]string{"X-Turnwatch-Token": hookToken, "Origin": "http://evil.example"}, body: `{}`, status: 403},
		{name: "another name of ours", url: "/hook/acme/start", headers: map[string]string{"X-Turnwatch-Token": hookToken, "Host": "evil.example"}, body: `{}`, status: 403},
		{name: "a whole tool result", url: "/hook/acme/big", headers: token, body: `"` + strings.Repeat("x", 15<<20) + `"`, status: 204},
		{name: "a hook's token opens nothing else", method: "GET", url: "/api/running-tools", headers: token, status: 401},
	} {
		if s.method == "" {
			s.method = http.MethodPost
		}
		t.Run(s.name, func(t *testing.T) {
			resp, body := ask(t, addr, s)
			if resp.StatusCode != s.status {
				t.Errorf("status %d, want %d: %s", resp.StatusCode, s.status, body)
			}
			if s.status == http.StatusNoContent && body != "" {
				t.Errorf("the answer is %q; an agent would take it for a decision", body)
			}
			for _, n := range s.not {
				if strings.Contains(body, n) {
					t.Errorf("%q in %s", n, body)
				}
			}
		})
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if diff := cmp.Diff([]string{"acme start 7", "acme start 7", "acme lent 2", "acme new 2", "acme big 15728642"}, h.took); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
	want := []string{
		"acme/start ok", "acme/start ok", "rival/lent ok", "acme/ unknown", "acme/ malformed", "acme/ malformed", "/ unknown",
		"/ refused", "/ refused", "/ refused", "/ refused", "acme/big ok",
	}
	if diff := cmp.Diff(want, h.seen); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
}

// TestNoHooks: without installed hooks' tokens the routes are not there, and guarded like the rest.
func TestNoHooks(t *testing.T) {
	addr, _ := start(t, api.Config{}, deps())
	scenario{method: http.MethodPost, url: "/hook/acme/start", headers: map[string]string{"X-Turnwatch-Token": ""}, body: `{}`, status: 405}.run(t, addr)
	scenario{url: "/api/running-tools", status: 200, want: []string{`"tools":[]`}}.run(t, addr)
}

func TestRunningTools(t *testing.T) {
	d, h := hookDeps()
	h.secret = planted()
	addr, _ := start(t, api.Config{}, d)
	for _, s := range []scenario{
		{url: "/api/running-tools", status: 200, want: []string{`"tool":"sh"`, `"turn":1`, `"call":2`}, not: []string{h.secret}},
		{url: "/api/sessions/one/running-tools", status: 200, want: []string{"for acme:one"}, not: []string{h.secret}},
		{url: "/api/sessions/nobody/running-tools", status: 404},
		{url: "/api/health", status: 200, want: []string{`"type":"hook new","count":4`}},
	} {
		s.run(t, addr)
	}
	ws := dial(t, addr, "")
	ws.next() // hello
	tools := collector.RunningTools{Tools: h.Running("acme:one")}
	d.Broker.Publish(
		collector.Message{Type: collector.MessageHookReceived, Session: "acme:one", Data: collector.HookReceived{Agent: "acme", Event: "start"}},
		collector.Message{Type: collector.MessageRunningTools, Session: "acme:one", Data: tools},
	)
	if got := ws.next(); got.Type != collector.MessageHookReceived || string(got.Data) != `{"agent":"acme","event":"start"}` {
		t.Errorf("got %s %s", got.Type, got.Data)
	}
	got := ws.next()
	if got.Type != collector.MessageRunningTools || !bytes.Contains(got.Data, []byte(`"tool":"sh"`)) || bytes.Contains(got.Data, []byte(h.secret)) {
		t.Errorf("got %s %s", got.Type, got.Data)
	}
	if !strings.Contains(tools.Tools[0].Args, h.secret) {
		t.Error("the message of everybody else was changed")
	}
}

func askHook(t testing.TB, s *api.Server, agent, event, token string, body []byte) (status int, answer []byte) {
	target := "http://" + api.InProcess + "/hook/" + url.PathEscape(agent) + "/" + url.PathEscape(event)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		t.Skip(err) // no client can send what the fuzzer made up
	}
	req.Header.Set("X-Turnwatch-Token", strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, token))
	resp, err := s.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if answer, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// FuzzHook looks for requests that are answered by anything but a plain yes or no.
func FuzzHook(f *testing.F) {
	d, _ := hookDeps()
	s := api.New(api.Config{AllowedHosts: []string{api.InProcess}, Limits: api.Limits{Hooks: api.Rate{PerSecond: 1e9, Burst: 1e9}}}, d)
	f.Add("acme", "start", hookToken, []byte(`{"session_id":"1"}`))
	f.Add("ghost", "%2e%2e%2fx", "", []byte("{"))
	f.Fuzz(func(t *testing.T, agent, event, token string, body []byte) {
		status, answer := askHook(t, s, agent, event, token, body)
		switch status {
		case http.StatusNoContent:
			if len(answer) != 0 {
				t.Errorf("204 with %q", answer)
			}
		case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed:
		default:
			t.Errorf("status %d: %s", status, answer)
		}
	})
}

func BenchmarkHook(b *testing.B) {
	d, _ := hookDeps()
	d.Running = &taken{}
	s := api.New(api.Config{AllowedHosts: []string{api.InProcess}, Limits: api.Limits{Hooks: api.Rate{PerSecond: 1e9, Burst: 1e9}}}, d)
	body := []byte(`{"session_id":"1","tool_name":"sh","tool_input":{"command":"ls"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if status, answer := askHook(b, s, "acme", "start", hookToken, body); status != http.StatusNoContent {
			b.Fatal(status, string(answer))
		}
	}
}

// taken takes everything.
type taken struct{ hooked }

func (*taken) Receive(agent collector.Agent, _ string, _ []byte) (collector.Agent, collector.HookKind, error) {
	return agent, collector.HookToolStarted, nil
}
