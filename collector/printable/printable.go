// Package printable makes text of logs safe to print. What an agent, a web page or a file name put into a log may hold
// sequences that colour, clear or retitle a terminal, type into it, or turn the order of characters around; what is
// printed here does none of it.
//
// It refuses to judge what a text says: every visible character stays.
package printable

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s for a terminal. Colours and cursor moves are taken off; every other control character, and what is invisible
// or changes the direction of writing, is spelled out. Lines and tabs stay.
func Text(s string) string { return clean(s, "\n", "\t") }

// Line is Text on one line: what breaks lines, and tabs, are spaces.
func Line(s string) string { return clean(s, " ", " ") }

func clean(s, newline, tab string) string {
	if harmless(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if n := sequence(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == '\r' && i < len(s) && s[i] == '\n': // the newline says it
		case r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			b.WriteString(newline)
		case r == '\t':
			b.WriteString(tab)
		case r < ' ':
			b.WriteRune('\u2400' + r) // the picture of the control character
		case hidden(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r) // U+FFFD for a byte that is no UTF-8
		}
	}
	return b.String()
}

// harmless reports whether s is printable ASCII, as most texts are.
func harmless(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// hidden reports whether r is no character to see: C1 controls, which some terminals obey, format characters (bidi overrides,
// tags), and those that take no place. The joiners stay: scripts and emoji are written with them.
func hidden(r rune) bool {
	if r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	return r == 0x7f || r >= 0x80 && r < 0xa0 || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r) ||
		r == '\u034f' || r == '\u3164'
}

// maxSequence is how far the end of a terminal's sequence is looked for. A longer one is no sequence of a program's.
const maxSequence = 4 << 10

// sequence returns the length of the terminal's control sequence that s begins with, 0 if it begins with none that ends.
func sequence(s string) int {
	if len(s) < 2 || s[0] != '\x1b' {
		return 0
	}
	switch s[1] {
	case '[': // CSI: parameters, intermediates, a final byte
		for i := 2; i < min(len(s), maxSequence); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return 0
			}
		}
	case ']', 'P', 'X', '^', '_': // OSC, DCS, SOS, PM, APC: up to BEL or ESC \
		for i := 2; i < min(len(s), maxSequence); i++ {
			if s[i] == '\a' {
				return i + 1
			}
			if s[i] == '\x1b' {
				if i+1 < len(s) && s[i+1] == '\\' {
					return i + 2
				}
				return 0
			}
		}
	}
	return 0
}
