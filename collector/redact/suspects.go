package redact

import (
	"slices"
	"strings"

	"github.com/zricethezav/gitleaks/v8/config"
)

const (
	minSecret = 8  // shorter texts hold none that a rule knows
	minMasked = 4  // shorter finds would tear other words apart
	minToken  = 16 // of a token that a rule knows by its own letters
	minValue  = 10 // of a value that a rule knows by the name before it
	nameSpan  = 64 // of a name; the longest keyword and what a rule lets follow it
	maxToken  = 4 << 10
	curlSpan  = 1 << 10
	pieceSize = 1 << 10
	overlap   = 384
)

// assignment is the part of a rule's expression that makes it look for a name, an operator and a value.
const assignment = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`

// suspects finds the places where a rule could match. There are two kinds of rules. Tokens have letters of their
// own (ghp_…): suspicious is a keyword within a token of some length. Values are told by their name (api_key = …):
// suspicious is a value with a digit or a sign, after an operator, after a name.
type suspects struct {
	tokens *words
	names  *words
}

func newSuspects(rules map[string]config.Rule) *suspects {
	tokens, names := map[string]bool{}, map[string]bool{}
	for _, r := range rules {
		if r.Regex == nil || r.Path != nil {
			continue // asks for a file's name, and texts have none
		}
		expr := r.Regex.String()
		for _, k := range r.Keywords {
			k = strings.ToLower(k)
			if strings.Contains(expr, assignment) {
				names[k] = true
			}
			if !strings.Contains(expr, assignment) || strings.Contains(expr, `|\b`) {
				tokens[k] = true
			}
		}
	}
	return &suspects{tokens: newWords(tokens), names: newWords(names)}
}

// window is a part of a text.
type window struct{ from, to int }

// windows returns the suspicious parts of s, in order; long ones are cut into pieces that overlap.
func (su *suspects) windows(s string) []window {
	lower := lowerASCII(s)
	found := su.values(lower)
	su.tokens.find(lower, func(from, to int) bool {
		if w, ok := tokenAround(lower, from, to); ok {
			found = append(found, w)
		}
		return true
	})
	return cut(lower, merge(found, len(s)))
}

// tokenAround judges the keyword at from…to.
func tokenAround(s string, from, to int) (window, bool) {
	keyword := s[from:to]
	bare := true // letters and digits only: part of many words, so it must begin one
	for i := from; i < to; i++ {
		bare = bare && is(s[i], word)
	}
	if bare && len(keyword) <= 5 && from > 0 && is(s[from-1], word) {
		return window{}, false
	}
	if keyword == "curl" {
		return window{from, to + curlSpan}, true // its rules look for options, some lines on
	}
	begin, end := from, to
	for begin > 0 && from-begin < maxToken && is(s[begin-1], token) {
		begin--
	}
	for end < len(s) && end-to < maxToken && is(s[end], token) {
		end++
	}
	if end-begin < minToken || len(keyword) < 4 && !strings.ContainsAny(s[begin:end], "0123456789") {
		return window{}, false
	}
	return window{begin, end}, true
}

// values finds values after a name and an operator.
func (su *suspects) values(s string) []window {
	var found []window
	for i := 0; i < len(s); {
		if !is(s[i], value) {
			i++
			continue
		}
		begin, telling := i, false
		for i < len(s) && is(s[i], value) {
			telling = telling || !is(s[i], letter)
			i++
		}
		if i-begin < minValue || !telling && i-begin < 2*minValue {
			continue
		}
		// The operator may itself consist of characters that a value can have: name=value.
		if op := operator(s, begin, i); op >= 0 && su.names.anyIn(name(s, op)) {
			found = append(found, window{max(0, op-nameSpan), min(i, begin+maxToken)})
		}
	}
	return found
}

// operator returns where the operator of the value at begin…end stands, or -1.
func operator(s string, begin, end int) int {
	for i := begin; i < end; i++ {
		if s[i] == '=' && end-i > minValue {
			return i
		}
	}
	for i := begin - 1; i >= 0 && begin-i <= 10; i-- {
		switch s[i] {
		case '=', '>', ':', '|', ',':
			return i
		case ' ', '\t', '\n', '\r', '\'', '"', '`', '\\':
		default:
			return -1
		}
	}
	return -1
}

// name returns what stands before the operator at op, quotes left out.
func name(s string, op int) string {
	end := op
	for end > 0 && op-end < 5 && strings.IndexByte(" \t\n\r'\"\\=:>|?", s[end-1]) >= 0 {
		end--
	}
	begin := end
	for begin > 0 && end-begin < nameSpan && (is(s[begin-1], word) || strings.IndexByte(" \t.-", s[begin-1]) >= 0) {
		begin--
	}
	return s[begin:end]
}

// merge sorts windows, widens them by what stands around a secret, and joins those that meet.
func merge(found []window, size int) []window {
	const around = 80
	slices.SortFunc(found, func(a, b window) int { return a.from - b.from })
	var merged []window
	for _, w := range found {
		w = window{max(0, w.from-around), min(size, w.to+around)}
		if n := len(merged); n > 0 && w.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, w.to)
			continue
		}
		merged = append(merged, w)
	}
	return merged
}

// cut cuts long windows into pieces, at ends of tokens: for every find the detector reads the whole line again, so that
// 600 finds in a line of 20 KB took 3.4 s.
func cut(s string, windows []window) []window {
	var pieces []window
	for _, w := range windows {
		for w.to-w.from > pieceSize+overlap {
			to := tokenEnd(s, w.from+pieceSize, w.to)
			pieces = append(pieces, window{w.from, to})
			w.from = tokenEnd(s, max(to-overlap, w.from+1), to)
		}
		pieces = append(pieces, w)
	}
	return pieces
}

// tokenEnd returns the end of the token that i is in, at most limit.
func tokenEnd(s string, i, limit int) int {
	for i < limit && is(s[i], token) {
		i++
	}
	return i
}
