package redact

import "strings"

// words is a set of lower-case words to be found in a text. Most pairs of letters begin no word, so one look-up per byte
// sorts out nearly all places.
type words struct {
	begins [1 << 16]uint8 // by the first two bytes: index into lists; 0 = none
	lists  [][]string
}

// newWords returns a set of words of at least two bytes each, with fewer than 256 different beginnings.
func newWords(set map[string]bool) *words {
	w := &words{lists: [][]string{nil}}
	for word := range set {
		p := pair(word[0], word[1])
		if w.begins[p] == 0 {
			w.begins[p] = uint8(len(w.lists))
			w.lists = append(w.lists, nil)
		}
		w.lists[w.begins[p]] = append(w.lists[w.begins[p]], word)
	}
	if len(w.lists) > 256 {
		panic("redact: more beginnings of keywords than a byte counts") // the rules are compiled in
	}
	return w
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// find calls found with every place of a word in s until it returns false.
func (w *words) find(s string, found func(from, to int) bool) {
	for i := 0; i+1 < len(s); i++ {
		list := w.begins[pair(s[i], s[i+1])]
		if list == 0 {
			continue
		}
		for _, word := range w.lists[list] {
			if strings.HasPrefix(s[i:], word) && !found(i, i+len(word)) {
				return
			}
		}
	}
}

// anyIn reports whether s holds a word.
func (w *words) anyIn(s string) bool {
	found := false
	w.find(s, func(int, int) bool {
		found = true
		return false
	})
	return found
}
