package api_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/turnwatch/turnwatch/api"
)

// BenchmarkTurns answers /turns for a session of 5,000 calls in 500 turns, with masking and encoding. Goal: 30 ms.
func BenchmarkTurns(b *testing.B) {
	d := deps()
	st := d.Store.(*store)
	st.turns = 500
	st.secret = "I changed src/api/client.ts so that the token is refreshed: see line 42, and the test in client_test.ts fails no more. " +
		"Next the flaky one: go test ./... -run TestLogin -count=20 passes 20 times of 20 on this machine, 2026-11-30."
	addr, _ := start(b, api.Config{}, d)
	b.ReportAllocs()
	for b.Loop() {
		resp, err := http.Get("http://" + addr + "/api/sessions/acme:one/turns")
		if err != nil {
			b.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			b.Fatal(resp.Status, err)
		}
		b.SetBytes(n)
	}
	http.DefaultClient.CloseIdleConnections()
}
