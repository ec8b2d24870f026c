package jsonl

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// escape returns what the escape sequence at the start of s (a backslash) stands for and how long it is. A
// lone surrogate is U+FFFD. An unknown or cut sequence stands for itself: r is -1 and n how much of it to copy.
//
// The second half of the cases are Go's escapes: fastjson writes those for a string that somebody has read by
// GetStringBytes before. JSON has no such escapes, so they are no ambiguity.
func escape(s []byte) (r rune, n int) {
	if len(s) < 2 {
		return -1, len(s)
	}
	switch s[1] {
	case '"', '\\', '/':
		return rune(s[1]), 2
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'u':
		return unicodeEscape(s)
	case 'a':
		return '\a', 2
	case 'v':
		return '\v', 2
	case 'x':
		if x, ok := hex(s, 2, 4); ok && x < utf8.RuneSelf {
			return x, 4
		}
	case 'U':
		if x, ok := hex(s, 2, 10); ok && x <= utf8.MaxRune {
			return x, 10
		}
	}
	return -1, 2
}

func unicodeEscape(s []byte) (r rune, n int) {
	x, ok := hex(s, 2, 6)
	if !ok {
		return -1, 2
	}
	if !utf16.IsSurrogate(x) {
		return x, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if y, ok := hex(s, 8, 12); ok {
			if r := utf16.DecodeRune(x, y); r != utf8.RuneError {
				return r, 12
			}
		}
	}
	return utf8.RuneError, 6
}

func hex(s []byte, from, to int) (rune, bool) {
	if len(s) < to {
		return 0, false
	}
	x, err := strconv.ParseUint(string(s[from:to]), 16, 32)
	return rune(x), err == nil
}

// unescapedLen returns how long the escaped string s is unescaped.
func unescapedLen(s []byte) int {
	total := 0
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return total + len(s)
		}
		r, n := escape(s[i:])
		total += i
		if r < 0 {
			total += n
		} else {
			total += utf8.RuneLen(r)
		}
		s = s[i+n:]
	}
}

// appendUnescaped appends the escaped string s to dst until dst is limit bytes long (0 = no limit), cut neither
// inside a character nor inside an escape sequence.
func appendUnescaped(dst, s []byte, limit int) []byte {
	for len(s) > 0 {
		i := bytes.IndexByte(s, '\\')
		plain := s
		if i >= 0 {
			plain = s[:i]
		}
		before := len(dst)
		dst = appendText(dst, plain, false, limit)
		if len(dst)-before < len(plain) || i < 0 {
			return dst
		}
		r, n := escape(s[i:])
		before = len(dst)
		if r < 0 {
			dst = append(dst, s[i:i+n]...)
		} else {
			dst = utf8.AppendRune(dst, r)
		}
		if limit > 0 && len(dst) > limit {
			return dst[:before]
		}
		s = s[i+n:]
	}
	return dst
}
