package compare

import (
	"strconv"

	"github.com/turnwatch/turnwatch/collector"
)

// Change is what became of a call from A to B.
type Change string

// The changes.
const (
	Same    Change = "same"    // same tool, same arguments
	Added   Change = "added"   // only in B
	Dropped Change = "dropped" // only in A
	Changed Change = "changed" // same tool at the same place, other arguments
)

// Step is one row of two call sequences side by side.
type Step struct {
	Change Change    `json:"change" enum:"same,added,dropped,changed"`
	A      *StepCall `json:"a,omitempty"`
	B      *StepCall `json:"b,omitempty"`
}

// StepCall is a call in a Step.
type StepCall struct {
	Seq        int                  `json:"seq"`
	Tool       string               `json:"tool"`
	Category   collector.Category   `json:"category"`
	Args       string               `json:"args" doc:"Preview"`
	Status     collector.CallStatus `json:"status"`
	DurationMs collector.Count      `json:"durationMs"`
}

// Align lays two sequences of calls side by side: a longest common subsequence of equal calls, and between those, calls of
// the same tool as changed ones.
func Align(a, b []*collector.ToolCall) []Step {
	steps := make([]Step, 0, max(len(a), len(b)))
	i, j := 0, 0
	for _, p := range common(keys(a, exactKey), keys(b, exactKey)) {
		steps = gap(steps, a[i:p.a], b[j:p.b])
		steps = append(steps, Step{Same, stepCall(a[p.a]), stepCall(b[p.b])})
		i, j = p.a+1, p.b+1
	}
	return gap(steps, a[i:], b[j:])
}

// gap aligns what stands between two equal calls.
func gap(steps []Step, a, b []*collector.ToolCall) []Step {
	i, j := 0, 0
	only := func(toA, toB int) {
		for ; i < toA; i++ {
			steps = append(steps, Step{Change: Dropped, A: stepCall(a[i])})
		}
		for ; j < toB; j++ {
			steps = append(steps, Step{Change: Added, B: stepCall(b[j])})
		}
	}
	toolKey := func(c *collector.ToolCall) string { return c.Tool }
	for _, p := range common(keys(a, toolKey), keys(b, toolKey)) {
		only(p.a, p.b)
		steps = append(steps, Step{Changed, stepCall(a[i]), stepCall(b[j])})
		i, j = i+1, j+1
	}
	only(len(a), len(b))
	return steps
}

func stepCall(c *collector.ToolCall) *StepCall {
	return &StepCall{c.Seq, c.Tool, c.Category, c.Args.Preview, c.Status, c.DurationMs}
}

// exactKey is equal for calls that ask for the same. Without a hash of the arguments their preview has to do.
func exactKey(c *collector.ToolCall) string {
	if c.ArgsHash == 0 {
		return c.Tool + "\x00" + c.Args.Preview
	}
	return c.Tool + "\x01" + strconv.FormatUint(c.ArgsHash, 16)
}

// keys returns the key of each call.
func keys(calls []*collector.ToolCall, key func(*collector.ToolCall) string) []string {
	all := make([]string, len(calls))
	for i, c := range calls {
		all[i] = key(c)
	}
	return all
}

// pair is an element of both sequences, by its index in each.
type pair struct{ a, b int }

// common returns a longest common subsequence. It takes time in proportion to the product of the lengths, but memory
// only to their sum (Hirschberg): turns of thousands of calls exist.
func common(a, b []string) []pair {
	var pairs []pair
	hirschberg(a, b, 0, 0, &pairs)
	return pairs
}

func hirschberg(a, b []string, offA, offB int, out *[]pair) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		*out = append(*out, pair{offA, offB})
		a, b, offA, offB = a[1:], b[1:], offA+1, offB+1
	}
	end := 0
	for end < min(len(a), len(b)) && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	middleA, middleB := a[:len(a)-end], b[:len(b)-end]
	switch {
	case len(middleA) == 0 || len(middleB) == 0:
	case len(middleA) == 1:
		for j, s := range middleB {
			if s == middleA[0] {
				*out = append(*out, pair{offA, offB + j})
				break
			}
		}
	default:
		half := len(middleA) / 2
		ahead := lengths(middleA[:half], middleB, false)
		behind := lengths(middleA[half:], middleB, true)
		best, cut := -1, 0
		for j := range ahead {
			if n := ahead[j] + behind[len(middleB)-j]; n > best {
				best, cut = n, j
			}
		}
		hirschberg(middleA[:half], middleB[:cut], offA, offB, out)
		hirschberg(middleA[half:], middleB[cut:], offA+half, offB+cut, out)
	}
	for i := range end {
		*out = append(*out, pair{offA + len(middleA) + i, offB + len(middleB) + i})
	}
}

// lengths returns, for every prefix of b (or suffix, read backwards), how much it has in common with a.
func lengths(a, b []string, backwards bool) []int {
	at := func(s []string, i int) string {
		if backwards {
			return s[len(s)-1-i]
		}
		return s[i]
	}
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if at(a, i) == at(b, j) {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row
}
