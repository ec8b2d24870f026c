package analyzers_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/analyzers"
	"github.com/turnwatch/turnwatch/collector"
)

// kinds are the flags in the order of All, and of the confusion table.
func kinds(all []collector.Analyzer) []collector.FlagKind {
	var list []collector.FlagKind
	for _, a := range all {
		list = append(list, a.Flag)
	}
	return list
}

// TestLabelled compares what the analyzers say about every labelled turn with its label. Run with -v it prints
// the confusion table, in targets: a turn with no target on either side counts once as rightly not flagged.
func TestLabelled(t *testing.T) {
	all := analyzers.All(analyzers.Config{})
	sets := readLabelled(t)
	type row struct{ positive, negative, nearMiss, tp, fp, fn, tn int }
	table := map[collector.FlagKind]*row{}
	for _, k := range kinds(all) {
		table[k] = &row{}
	}
	turns := 0
	for set, cases := range sets {
		if table[set] == nil {
			t.Fatalf("testdata/flags/%s.json: no such flag", set)
		}
		for _, c := range cases {
			turns++
			switch c.Label {
			case "positive":
				table[set].positive++
			case "negative":
				table[set].negative++
			case "near-miss":
				table[set].nearMiss++
			default:
				t.Fatalf("%s/%s: label %q", set, c.Name, c.Label)
			}
			got := named(analyzers.Flags(all, c.Turn.turn()))
			if !slices.Equal(got, c.Want) {
				t.Errorf("%s/%s: got %q, want %q", set, c.Name, got, c.Want)
			}
			for k, r := range table {
				tp, fp, fn := compare(of(k, got), of(k, c.Want))
				r.tp, r.fp, r.fn = r.tp+tp, r.fp+fp, r.fn+fn
				if tp+fp+fn == 0 {
					r.tn++
				}
			}
		}
	}
	if turns < 60 {
		t.Errorf("%d labelled turns, want at least 60", turns)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d turns\n| flag | positive | near-miss | negative | TP | FP | FN | TN |\n|---|---|---|---|---|---|---|---|\n", turns)
	for _, k := range kinds(all) {
		r := table[k]
		if r.positive < 3 || r.negative < 3 || r.nearMiss < 3 {
			t.Errorf("%s: %d positive, %d near-miss, %d negative; want 3 of each", k, r.positive, r.nearMiss, r.negative)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", k, r.positive, r.nearMiss, r.negative, r.tp, r.fp, r.fn, r.tn)
	}
	t.Log(b.String())
}

func named(flags []collector.Flag) []string {
	list := []string{}
	for _, f := range flags {
		list = append(list, fmt.Sprintf("%s %s %d", f.Kind, f.At.Kind, f.At.Seq))
	}
	return list
}

func of(k collector.FlagKind, list []string) []string {
	var own []string
	for _, s := range list {
		if strings.HasPrefix(s, string(k)+" ") {
			own = append(own, s)
		}
	}
	return own
}

func compare(got, want []string) (tp, fp, fn int) {
	for _, s := range got {
		if slices.Contains(want, s) {
			tp++
		} else {
			fp++
		}
	}
	return tp, fp, len(want) - tp
}

// TestPure checks that no analyzer changes its turn, that each says the same again, and that every flag is complete.
func TestPure(t *testing.T) {
	all := analyzers.All(analyzers.Config{})
	for set, cases := range readLabelled(t) {
		for _, c := range cases {
			turn, same := c.Turn.turn(), c.Turn.turn()
			first := analyzers.Flags(all, turn)
			if d := cmp.Diff(same, turn); d != "" {
				t.Errorf("%s/%s: the turn changed:\n%s", set, c.Name, d)
			}
			if d := cmp.Diff(first, analyzers.Flags(all, turn)); d != "" {
				t.Errorf("%s/%s: says something else the second time:\n%s", set, c.Name, d)
			}
			for _, f := range first {
				if f.Reason == "" || len(f.Evidence) == 0 || f.Evidence[0].Text == "" {
					t.Errorf("%s/%s: incomplete flag %+v", set, c.Name, f)
				}
			}
		}
	}
}

// TestReasons pins the words of one flag of each kind: they are the product's text.
func TestReasons(t *testing.T) {
	all := analyzers.All(analyzers.Config{ThrashRoundTrips: 3})
	f := func(set collector.FlagKind, name string, want ...string) {
		t.Helper()
		for _, c := range readLabelled(t)[set] {
			if c.Name != name {
				continue
			}
			var got []string
			for _, flag := range analyzers.Flags(all, c.Turn.turn()) {
				if flag.Kind != set {
					continue
				}
				got = append(got, flag.Reason)
				for _, e := range flag.Evidence {
					got = append(got, "- "+e.Text)
				}
			}
			if d := cmp.Diff(got, want); d != "" {
				t.Errorf("%s/%s: (-got +want)\n%s", set, name, d)
			}
			return
		}
		t.Errorf("%s: no case %q", set, name)
	}
	f("fail", "shell exits 1", "Bash failed with exit code 1: «Tests: 2 failed, 40 passed»",
		"- call 1 (Bash) «npm test»")
	f("fail", "hook failed", "The hook PostToolUse failed: «black: command not found»", "- The hook PostToolUse failed: «black: command not found»")
	f("fail", "turn failed, no marker says why", "The turn ended with an error: «context window exceeded»", "- turn 4 failed: «context window exceeded»")
	f("retry", "same command after a failure, now fine", "Bash was called again with the same arguments after call 1 failed with exit code 1: «ECONNRESET»",
		"- call 1 (Bash) «npm install»: failed with exit code 1, «ECONNRESET»", "- call 2 (Bash) «npm install»: ok")
	f("retry", "twice: each names the failure before it", "Bash was called again with another command, «go build ./...», after call 1, «go build», failed with exit code 1: «a.go:1»",
		"- call 1 (Bash) «go build»: failed with exit code 1, «a.go:1»", "- call 2 (Bash) «go build ./...»: failed with exit code 1, «b.go:1»",
		"Bash was called again with another command, «go vet», after call 2, «go build ./...», failed with exit code 1: «b.go:1»",
		"- call 2 (Bash) «go build ./...»: failed with exit code 1, «b.go:1»", "- call 3 (Bash) «go vet»: ok")
	f("loop", "two identical reads, another read between", "Read ×2 with the same arguments, no edit in between, and the same result (calls 1 to 3)",
		"- call 1 (Read) «a.go»: ok", "- call 3 (Read) «a.go»: ok")
	f("fanout", "two different tools", "Round trip 2 asked for 2 calls at once: Bash ×2", "- call 1 (Bash) «git status»: ok", "- call 2 (Bash) «git diff»: ok")
	f("compaction-loss", "two agents running", "History was compacted while call 1 (Task), call 2 (Task) were still running; the model may not remember what came of it",
		"- call 1 (Task) «a»: ok", "- call 2 (Task) «b»: ok")
	f("thrash", "three round trips", "Turn 1 took 3 round trips; 3 or more suggest that it makes no headway", "- 3 round trips: 2 calls (Read ×2), 0 failed")
}

// TestQuote checks how text of a log is quoted: one line, no colours, cut at a character.
func TestQuote(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		turn := &collector.Turn{ToolCalls: []*collector.ToolCall{{Tool: "Bash", Status: collector.CallFailed, Error: text}}}
		if got := analyzers.Flags(analyzers.All(analyzers.Config{}), turn)[0].Reason; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	f("", "Bash failed; the log does not say why")
	f(" \n\t ", "Bash failed; the log does not say why")
	f("\x1b[31mred\x1b[0m \n\n error\xff: x ", "Bash failed: «red error: x»")
	f(strings.Repeat("ü", 140), "Bash failed: «"+strings.Repeat("ü", 140)+"»")
	f(strings.Repeat("ü", 141), "Bash failed: «"+strings.Repeat("ü", 140)+"…»")
	f(strings.Repeat("a", 139)+" b", "Bash failed: «"+strings.Repeat("a", 139)+"…»")
}

// TestHugeLoop checks that a flag stays small however often a call repeats, and names both ends.
func TestHugeLoop(t *testing.T) {
	turn := &collector.Turn{Status: collector.TurnOK}
	for i := range 5000 {
		turn.RoundTrips = append(turn.RoundTrips, &collector.RoundTrip{Seq: i})
		turn.ToolCalls = append(turn.ToolCalls, &collector.ToolCall{Seq: i, RoundTrip: i, Tool: "Read", Status: collector.CallOK, ArgsHash: 1, ResultHash: 2})
	}
	flags := analyzers.Flags(analyzers.All(analyzers.Config{}), turn)
	got := named(flags)
	if want := []string{"loop call 4999", "thrash roundTrip 4999"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	e := flags[0].Evidence
	if len(e) != 100 || e[0].At.Seq != 0 || e[99].At.Seq != 4999 {
		t.Errorf("evidence: %d entries from %d to %d, want 100 from 0 to 4999", len(e), e[0].At.Seq, e[len(e)-1].At.Seq)
	}
	if !strings.Contains(flags[0].Reason, "×5000") {
		t.Errorf("reason %q does not count all calls", flags[0].Reason)
	}
}

// TestFlagsNeverNull checks that a turn without flags has an empty list on the wire.
func TestFlagsNeverNull(t *testing.T) {
	got, err := json.Marshal(analyzers.Flags(analyzers.All(analyzers.Config{}), &collector.Turn{}))
	if err != nil || string(got) != "[]" {
		t.Errorf("got %s, %v; want []", got, err)
	}
}
