// Package shortid lets people write session ids as short as they are clear, and helps when one is not. It knows names
// only, no sessions.
package shortid

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

// Ids are all ids there are, the newest session first.
type Ids []collector.SessionID

// Find returns the ids that written may mean: one, if it is clear; none, if it is wrong. A beginning of the agent's own
// id will do, with or without the agent before it; a child's own id is what follows its "~".
func (ids Ids) Find(written string) []collector.SessionID {
	var exact, begun []collector.SessionID
	for _, id := range ids {
		switch {
		case string(id) == written:
			return []collector.SessionID{id}
		case id.Own() == written:
			exact = append(exact, id)
		case written != "" && begins(id, written):
			begun = append(begun, id)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return withoutChildren(begun)
}

// begins reports whether written is a beginning of an id in one of its forms.
func begins(id collector.SessionID, written string) bool {
	if strings.Contains(written, ":") {
		return strings.HasPrefix(string(id), written)
	}
	_, rest, _ := strings.Cut(string(id), ":")
	return strings.HasPrefix(id.Own(), written) || strings.HasPrefix(rest, written)
}

// withoutChildren leaves out the descendants of sessions that are meant themselves: their ids begin alike.
func withoutChildren(ids []collector.SessionID) []collector.SessionID {
	return slices.DeleteFunc(slices.Clone(ids), func(id collector.SessionID) bool {
		return slices.ContainsFunc(ids, func(o collector.SessionID) bool { return o != id && o.Covers(id) })
	})
}

// shortest is how much of an id is shown at least: less means nothing to anybody.
const shortest = 8

// Shorten returns the shortest beginnings of own ids by which Find finds them.
func (ids Ids) Shorten() func(collector.SessionID) string {
	own := make([]string, 0, len(ids))
	for _, id := range ids {
		own = append(own, id.Own())
		if _, rest, _ := strings.Cut(string(id), ":"); rest != id.Own() {
			own = append(own, rest)
		}
	}
	slices.Sort(own)
	return func(id collector.SessionID) string {
		s := id.Own()
		i, _ := slices.BinarySearch(own, s)
		n := shortest
		if i > 0 {
			n = max(n, common(own[i-1], s)+1)
		}
		if i+1 < len(own) {
			if own[i+1] == s { // of two agents, or of two parents
				return string(id)
			}
			// Its children's ids begin with its own, and Find prefers it.
			if next := own[i+1]; !strings.HasPrefix(next, s+"~") {
				n = max(n, common(next, s)+1)
			} else if j := after(own, s); j < len(own) {
				n = max(n, common(own[j], s)+1)
			}
		}
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		return s[:min(n, len(s))]
	}
}

// after returns the index of the first of sorted that is behind s and its children.
func after(sorted []string, s string) int {
	i, _ := slices.BinarySearch(sorted, s+"~\U0010ffff")
	return i
}

// common is how many bytes two ids have in common at their beginning.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Near returns up to n ids that are written almost like that; if there are none, the newest.
func (ids Ids) Near(written string, n int) []collector.SessionID {
	_, own, found := strings.Cut(written, ":")
	if !found {
		own = written
	}
	type near struct {
		id   collector.SessionID
		away int
	}
	var all []near
	for _, id := range ids {
		o := id.Own()
		if d := Distance(own, o[:min(len(own), len(o))]); d <= 1+len(own)/6 {
			all = append(all, near{id, d})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.away - b.away })
	var out []collector.SessionID
	for _, x := range all[:min(n, len(all))] {
		out = append(out, x.id)
	}
	if len(out) == 0 || len(own) < 3 {
		return ids[:min(n, len(ids))]
	}
	return out
}

// Distance is how many letters have to be put in, taken out, changed or swapped with their neighbour to make b of a.
func Distance(a, b string) int {
	two, one, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range one {
		one[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(one[j]+1, row[j-1]+1, one[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], two[j-2]+1)
			}
		}
		two, one, row = one, row, two
	}
	return one[len(b)]
}
