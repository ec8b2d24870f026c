package main_test

import (
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

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
