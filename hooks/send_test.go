package hooks_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks"
)

func TestSend(t *testing.T) {
	url, got := listener(t, 204)
	w := newWorld(t)
	w.url = url
	w.install(hooks.Request{Agent: "codex"})
	must(t, hooks.Send(t.Context(), w.home, "codex", "Stop", strings.NewReader("{}")))
	if r := <-got; r.path != "/hook/codex/Stop" || string(r.body) != "{}" || !w.hooks.Registry().Verify("codex", r.token) {
		t.Errorf("received %+v", r)
	}
	for _, c := range []struct {
		agent collector.Agent
		event string
	}{{"claude", "Stop"}, {"../hook/codex", "Stop"}, {"", "Stop"}, {"codex", ""}, {"codex", "../../x"}, {"codex", "a?b"}} {
		if err := hooks.Send(t.Context(), w.home, c.agent, c.event, strings.NewReader("{}")); err == nil {
			t.Errorf("%v was sent", c)
		}
	}
	write(t, filepath.Join(w.home, ".local/share/turnwatch/hook/codex"), "nonsense")
	if err := hooks.Send(t.Context(), w.home, "codex", "Stop", strings.NewReader("{}")); err == nil {
		t.Error("sent to an address that is none")
	}
	if len(got) > 0 {
		t.Errorf("received %+v", <-got)
	}
}

// TestSendDoesNotWait for an input that does not end.
func TestSendDoesNotWait(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	begun := time.Now()
	if err := hooks.Send(t.Context(), t.TempDir(), "codex", "Stop", in); err == nil || time.Since(begun) > patience {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}
