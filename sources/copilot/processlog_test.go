package copilot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/copilot"
)

const telemetry = `2026-03-16T10:40:00.100Z [INFO] Starting Copilot CLI: 1.0.20
2026-03-16T10:40:00.959Z [INFO] [Telemetry] cli.telemetry:
{
  "kind": "assistant_usage",
  "properties": {
    "event_id": "e1",
    "model": "m",
    "initiator": "user",
    "api_call_id": "a1"
  },
  "metrics": {
    "input_tokens": 56706,
    "output_tokens": 1155,
    "cache_read_tokens": 706,
    "cache_write_tokens": 0,
    "cost": 3
  },
  "session_id": "s",
  "created_at": "2026-03-16T10:40:00.958Z"
}
2026-03-16T10:40:01.000Z [INFO] [Telemetry] cli.restricted_telemetry:
{
  "kind": "assistant_usage"
}
2026-03-16T10:40:01.100Z [INFO] [Telemetry] cli.telemetry:
{
  "kind": "brand_new",
2026-03-16T10:40:02.000Z [INFO] [Telemetry] cli.telemetry:
{
  "kind": "other"
}
`

// TestProcessLog puts the lines of telemetry together, also when they come in two parts, wherever the cut is.
func TestProcessLog(t *testing.T) {
	three := collector.Exact(3.0)
	want := []collector.Event{
		{
			Kind: collector.EventUsage, Session: "copilot:s", Time: 1773657600958, Key: "a2026-03-16T10:40:00.958Z/e1", Model: "m",
			Usage: &collector.Usage{Rank: collector.UsageTable, Premium: &three, Tokens: collector.Tokens{
				Input: collector.Exact[int64](56_000), CacheRead: collector.Exact[int64](706), CacheWrite5m: collector.Exact[int64](0),
				CacheWrite1h: collector.Exact[int64](0), Output: collector.Exact[int64](1155)}},
		},
		{Kind: collector.EventUnknown, Name: "telemetry other"},
	}
	path := filepath.Join(t.TempDir(), "process-1-2.log")
	st := collector.Stream{ID: "copilot/facts/process/process-1-2", Agent: "copilot", Kind: collector.StreamFacts, Path: path}
	src := recorded(t, "1.0.102-hello")
	for cut := 0; cut <= len(telemetry); cut += 7 {
		var cp collector.Checkpoint
		var got []collector.Event
		for _, text := range []string{telemetry[:cut], telemetry} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, ev := range readOn(t, src, st, &cp) {
				got = append(got, ev.Event)
			}
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("cut at %d (-want +got):\n%s", cut, diff)
		}
		if cp.Offset != int64(len(telemetry)) {
			t.Errorf("cut at %d: checkpoint at %d, want %d", cut, cp.Offset, len(telemetry))
		}
	}
}

// FuzzDecode: no record of any stream brings Decode down.
func FuzzDecode(f *testing.F) {
	for _, name := range []string{"1.0.102-tools-then-resume", "1.0.102-interactive-compact-rename-exit", "1.0.20-tools-then-resume"} {
		files, err := filepath.Glob(filepath.Join(recordings, name, "home/.copilot/session-state/*/events.jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for l := range strings.Lines(string(data)) {
				f.Add(0, 500, []byte(l))
			}
		}
	}
	f.Add(1, 0, []byte("name: x\ncwd: '"))
	f.Add(2, 10, []byte(telemetry[strings.Index(telemetry, "\n")+1:]))
	f.Add(3, 10, []byte(`{"source":"assistant_usage_events","id":1,"session_id":"s","input_tokens":1.5}`))
	kinds := []collector.StreamID{"copilot/log/x", "copilot/facts/workspace/x", "copilot/facts/process/x", "copilot/facts/store/x", "copilot/directory/x"}
	src := copilot.New(collector.Host{})
	f.Fuzz(func(t *testing.T, kind, limit int, data []byte) {
		st := collector.Stream{ID: kinds[uint(kind)%uint(len(kinds))], Session: root}
		limit = int(uint(limit) % 4096)
		events, err := src.Decode(nil, st, collector.Record{Data: data, TextLimit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range events {
			if limit > 0 && (len(ev.Text.Preview) > limit || len(ev.Args.Preview) > limit || len(ev.Error) > limit) {
				t.Errorf("a text of more than %d bytes: %+v", limit, ev)
			}
		}
	})
}
