package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/api"
)

// planted returns a token that is none, put together at run time so that no scanner finds it in this file.
func planted() string { return "gh" + "p_" + strings.Repeat("a1B2c3D4e5F6", 3) }

// TestNoSecretLeaves plants a secret in every text and asks every route.
func TestNoSecretLeaves(t *testing.T) {
	d := deps()
	d.Store.(*store).secret = planted()
	addr, s := start(t, api.Config{}, d)
	masked := 0
	for _, r := range routes(s) {
		resp, body := ask(t, addr, scenario{method: r[0], url: r[1]})
		if strings.Contains(body, planted()) || strings.Contains(fmt.Sprint(resp.Header), planted()) {
			t.Errorf("%s %s leaks: %.300s", r[0], r[1], body)
		}
		masked += strings.Count(body, "«redacted: github-pat»")
	}
	if masked < 40 {
		t.Errorf("%d masked places; the fakes plant more", masked)
	}
}

// TestLongSessionInTime asks for the turns of a session of 5,000 calls. BenchmarkTurns measures; the bound here leaves room
// for a busy machine and the race detector (0.43 s seen with both), and only catches what is hopeless.
func TestLongSessionInTime(t *testing.T) {
	d := deps()
	st := d.Store.(*store)
	st.turns, st.secret = 500, "a look at src/api/client.ts: the token is refreshed in line 42 "+strings.Repeat("and tested ", 30)
	addr, _ := start(t, api.Config{}, d)
	best := time.Hour
	for range 5 {
		begin := time.Now()
		resp, body := ask(t, addr, scenario{url: "/api/sessions/acme:one/turns"})
		best = min(best, time.Since(begin))
		if resp.StatusCode != http.StatusOK || len(body) < 500_000 {
			t.Fatalf("status %d, %d bytes", resp.StatusCode, len(body))
		}
	}
	if best > 10*time.Second {
		t.Errorf("500 turns in %v", best)
	}
	t.Logf("500 turns in %v", best)
}
