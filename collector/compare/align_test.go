package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/compare"
)

// calls reads "Read1 Shell2": tools with a hash of their arguments; 0 = no hash, and the tool's name as preview.
func calls(text string) []*collector.ToolCall {
	var all []*collector.ToolCall
	for i, word := range strings.Fields(text) {
		n := word[len(word)-1] - '0'
		all = append(all, &collector.ToolCall{Seq: i, Tool: word[:len(word)-1], ArgsHash: uint64(n), Args: collector.Text{Preview: word}})
	}
	return all
}

// show writes steps as "=Read1 ~Shell1>Shell2 -Read3 +Read4".
func show(steps []compare.Step) string {
	var words []string
	for _, s := range steps {
		switch s.Change {
		case compare.Same:
			words = append(words, "="+s.A.Args)
		case compare.Changed:
			words = append(words, "~"+s.A.Args+">"+s.B.Args)
		case compare.Dropped:
			words = append(words, "-"+s.A.Args)
		case compare.Added:
			words = append(words, "+"+s.B.Args)
		}
	}
	return strings.Join(words, " ")
}

func TestAlign(t *testing.T) {
	f := func(a, b, want string) {
		t.Helper()
		if got := show(compare.Align(calls(a), calls(b))); got != want {
			t.Errorf("%q and %q: got %q, want %q", a, b, got, want)
		}
	}
	f("", "", "")
	f("Read1", "", "-Read1")
	f("", "Read1", "+Read1")
	f("Read1 Shell2", "Read1 Shell2", "=Read1 =Shell2")
	f("Read1 Shell2", "Read1 Shell3", "=Read1 ~Shell2>Shell3")
	f("Read1 Shell2 Read3", "Read1 Read3", "=Read1 -Shell2 =Read3")
	f("Read1 Read3", "Read1 Shell2 Read3", "=Read1 +Shell2 =Read3")
	f("Read1 Edit2 Shell3", "Read1 Shell3 Edit2", "=Read1 -Edit2 =Shell3 +Edit2")
	f("Read1 Shell1 Read2", "Glob1 Read3 Read2", "+Glob1 ~Read1>Read3 -Shell1 =Read2")
	f("Read0 Shell0", "Read0 Shell0", "=Read0 =Shell0")
	f("A1 B1 C1 A2 B2", "A1 C1 B1 A2 D1 B2", "=A1 -B1 =C1 +B1 =A2 +D1 =B2")
	f("Read1 Read1 Read1", "Read1 Read1", "=Read1 =Read1 -Read1")
}

// TestAlignKeepsAll: each side reads in order and whole, and a longest common subsequence is as long both ways.
func TestAlignKeepsAll(t *testing.T) {
	seed := uint32(7)
	word := func() string {
		seed = seed*1664525 + 1013904223
		return fmt.Sprintf("%c%d", 'A'+seed>>24%3, 1+seed>>28%3)
	}
	for range 200 {
		var a, b []string
		for range seed >> 27 {
			a = append(a, word())
		}
		for range seed >> 27 {
			b = append(b, word())
		}
		there := compare.Align(calls(strings.Join(a, " ")), calls(strings.Join(b, " ")))
		back := compare.Align(calls(strings.Join(b, " ")), calls(strings.Join(a, " ")))
		var gotA, gotB []string
		same := map[bool]int{}
		for _, s := range there {
			if s.A != nil {
				gotA = append(gotA, s.A.Args)
			}
			if s.B != nil {
				gotB = append(gotB, s.B.Args)
			}
			if s.Change == compare.Same {
				same[true]++
			}
		}
		for _, s := range back {
			if s.Change == compare.Same {
				same[false]++
			}
		}
		if strings.Join(gotA, " ") != strings.Join(a, " ") || strings.Join(gotB, " ") != strings.Join(b, " ") || same[true] != same[false] {
			t.Fatalf("%v and %v: %s (%d same), back %s (%d same)", a, b, show(there), same[true], show(back), same[false])
		}
	}
}

// TestAlignLongTurns aligns two turns with nothing in common, the worst case, of more calls than a table of all pairs would be kept for.
func TestAlignLongTurns(t *testing.T) {
	var a, b []*collector.ToolCall
	for i := range 800 {
		a = append(a, &collector.ToolCall{Tool: "A", ArgsHash: uint64(1 + i)})
		b = append(b, &collector.ToolCall{Tool: "B", ArgsHash: uint64(1 + i)})
	}
	if steps := compare.Align(a, b); len(steps) != 1600 {
		t.Errorf("%d steps, want every call dropped or added", len(steps))
	}
}
