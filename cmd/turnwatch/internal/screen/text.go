package screen

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"

	"github.com/turnwatch/turnwatch/collector/printable"
)

// JSON writes the characters that JSON allows within strings, and some terminals obey, as escapes.
func JSON(doc []byte) []byte {
	if !bytes.ContainsFunc(doc, steers) {
		return doc
	}
	const hex = "0123456789abcdef"
	var b bytes.Buffer
	for _, r := range string(doc) {
		if !steers(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(`\u`)
		for shift := 12; shift >= 0; shift -= 4 {
			b.WriteByte(hex[r>>shift&15])
		}
	}
	return b.Bytes()
}

// steers reports whether r, which JSON needs not escape, is a control character or turns the order of characters around.
func steers(r rune) bool {
	return r >= 0x7f && r < 0xa0 || unicode.Is(unicode.Bidi_Control, r)
}

// Line makes one clean line of a text, without indentation and double spaces.
func Line(text string) string { return strings.Join(strings.Fields(printable.Line(text)), " ") }

// Cells is how many columns a text takes.
func Cells(text string) int { return runewidth.StringWidth(text) }

// Clip cuts a line to some columns; 0 = not at all.
func Clip(line string, cells int) string {
	if cells <= 0 {
		return line
	}
	return runewidth.Truncate(line, cells, "…")
}

// Wrap breaks a text into lines of at most some columns, at spaces where there are any; 0 = as the text is.
func Wrap(text string, cells int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\t", "    "), "\n") {
		lines = append(lines, wrapLine(strings.TrimRight(line, " "), cells)...)
	}
	return lines
}

func wrapLine(line string, cells int) []string {
	var lines []string
	for cells > 0 && Cells(line) > cells {
		head := runewidth.Truncate(line, cells+1, "")
		cut := strings.LastIndexByte(head, ' ')
		if cut <= len(head)/3 { // no space worth to break at
			if head = runewidth.Truncate(line, cells, ""); head == "" {
				break
			}
			cut = len(head)
		}
		lines = append(lines, strings.TrimRight(line[:cut], " "))
		line = strings.TrimLeft(line[cut:], " ")
	}
	return append(lines, line)
}
