package redact

import "bytes"

// words is a set of lower-case words to be found in a text. Most pairs of letters begin no word, so one look-up per byte
// sorts out nearly all places.
type words struct {
	begins [1 << 16]bool // by the first two bytes
	byPair map[uint16][][]byte
}

// newWords returns a set of words of at least two bytes each.
func newWords(list map[string]bool) *words {
	w := &words{byPair: map[uint16][][]byte{}}
	for word := range list {
		p := pair(word[0], word[1])
		w.begins[p] = true
		w.byPair[p] = append(w.byPair[p], []byte(word))
	}
	return w
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

// find calls found with every place of a word in s until it returns false.
func (w *words) find(s []byte, found func(from, to int) bool) {
	for i := 0; i+1 < len(s); i++ {
		p := pair(s[i], s[i+1])
		if !w.begins[p] {
			continue
		}
		for _, word := range w.byPair[p] {
			if bytes.HasPrefix(s[i:], word) && !found(i, i+len(word)) {
				return
			}
		}
	}
}

// anyIn reports whether s holds a word.
func (w *words) anyIn(s []byte) bool {
	found := false
	w.find(s, func(int, int) bool {
		found = true
		return false
	})
	return found
}
