package api_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/api"
)

// TestReveal: whoever asks for one text with its secrets gets it, and nothing keeps it.
func TestReveal(t *testing.T) {
	d := deps()
	var log bytes.Buffer
	d.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	d.Store.(*store).secret = planted()
	addr, _ := start(t, api.Config{}, d)
	whole := []string{`"text":"text ` + planted() + `"`, "Cache-Control: no-store"}
	ask := func(body string) scenario {
		return scenario{name: body, method: "POST", url: "/api/reveal", body: body, status: 200, want: whole, not: []string{"redacted", "Etag"}}
	}
	refuse := func(status int, body string, want ...string) scenario {
		return scenario{name: body, method: "POST", url: "/api/reveal", body: body, status: status, want: want, not: []string{planted()}}
	}
	runAll(t, addr, []scenario{
		ask(`{"session":"acme:one","text":"prompt","turn":0}`),
		ask(`{"session":"one","text":"reply","turn":0}`),
		ask(`{"session":"acme:one","text":"response","turn":0,"roundTrip":0}`),
		ask(`{"session":"acme:one","text":"thinking","turn":0,"roundTrip":0}`),
		ask(`{"session":"acme:one","text":"arguments","call":0}`),
		ask(`{"session":"acme:one","text":"result","call":0}`),
		{name: "a call's error", method: "POST", url: "/api/reveal", body: `{"session":"acme:one","text":"error","call":0}`, status: 200, want: []string{planted(), "no-store"}},
		{name: "a turn's error", method: "POST", url: "/api/reveal", body: `{"session":"acme:one","text":"error","turn":0}`, status: 200, want: []string{planted(), "no-store"}},
		{name: "a record", method: "POST", url: "/api/reveal", body: `{"session":"acme:one","text":"record","offset":5,"length":7}`, status: 200, want: []string{planted(), "no-store"}},

		refuse(422, `{"session":"acme:one","text":"everything","turn":0}`, "text"),
		refuse(400, `{"session":"acme:one","text":"prompt"}`, "name the turn"),
		refuse(400, `{"session":"acme:one","text":"prompt","call":0}`, "a call has no prompt"),
		refuse(400, `{"session":"acme:one","text":"arguments","turn":0}`, "a turn has no arguments"),
		refuse(404, `{"session":"acme:one","text":"response","turn":0,"roundTrip":7}`, "no such round trip"),
		refuse(404, `{"session":"acme:none","text":"prompt","turn":0}`, "not_found"),
		refuse(422, `{"session":"acme:one","text":"record","offset":-1,"length":7}`, "offset"),
		{name: "not by an address", url: "/api/reveal?session=acme:one&text=prompt&turn=0", status: 404, not: []string{planted()}},
		{
			name: "not for another site's page", method: "POST", url: "/api/reveal", body: `{"session":"acme:one","text":"prompt","turn":0}`, headers: map[string]string{"Origin": "http://evil.example"},
			status: 403, not: []string{planted()},
		},
		{
			name: "not for a form of another port", method: "POST", url: "/api/reveal", body: `{"session":"acme:one","text":"prompt","turn":0}`, headers: map[string]string{"Sec-Fetch-Site": "same-site"},
			status: 403, not: []string{planted()},
		},
	})
	if strings.Contains(log.String(), planted()) {
		t.Errorf("the log has it: %s", log.String())
	}
}

// TestRevealAsksForTheToken: beyond this machine the same door.
func TestRevealAsksForTheToken(t *testing.T) {
	d := deps()
	d.Store.(*store).secret = planted()
	addr, _ := start(t, api.Config{Token: token}, d)
	scenario{method: "POST", url: "/api/reveal", body: `{"session":"acme:one","text":"prompt","turn":0}`, status: 401, not: []string{planted()}}.run(t, addr)
}
