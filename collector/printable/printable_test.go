package printable_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector/printable"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, in, text, line string }{
		{"plain", "go test ./...", "go test ./...", "go test ./..."},
		{"nothing", "", "", ""},
		{"words of many scripts", "Grüße, 世界, سلام, 👩‍💻", "Grüße, 世界, سلام, 👩‍💻", "Grüße, 世界, سلام, 👩‍💻"},
		{"lines and tabs", "a\r\n\tb\n", "a\n\tb\n", "a  b "},
		{"other line ends", "a\u2028b\u0085c", "a\nb\nc", "a b c"},
		{"a progress bar", "10 %\r20 %", "10 %\n20 %", "10 % 20 %"},
		{"colours", "\x1b[1;31mred\x1b[0m", "red", "red"},
		{"clears the screen", "\x1b[2J\x1b[Hgone?", "gone?", "gone?"},
		{"sets the title", "\x1b]0;root@bank\aok\x1b]2;x\x1b\\", "ok", "ok"},
		{"sets the clipboard", "\x1b]52;c;cm0gLXJmIH4=\adone", "done", "done"},
		{"a device string", "\x1bP$q\"p\x1b\\x", "x", "x"},
		{"a sequence that never ends", "\x1b]0;abc", "␛]0;abc", "␛]0;abc"},
		{"a bare escape", "a\x1bcb", "a␛cb", "a␛cb"},
		{"backspaces hide a word", "evil\b\b\b\bgood", "evil␈␈␈␈good", "evil␈␈␈␈good"},
		{"NUL and bell", "\x00\a", "␀␇", "␀␇"},
		{"eight-bit controls", "\u009b31m\u009d0;x\u009c", "⟨U+009B⟩31m⟨U+009D⟩0;x⟨U+009C⟩", "⟨U+009B⟩31m⟨U+009D⟩0;x⟨U+009C⟩"},
		{"delete", "\x7f", "⟨U+007F⟩", "⟨U+007F⟩"},
		{"the order turned around", "rm \u202efdp.exe\u202c", "rm ⟨U+202E⟩fdp.exe⟨U+202C⟩", "rm ⟨U+202E⟩fdp.exe⟨U+202C⟩"},
		{"isolates", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩", "⟨U+2066⟩x⟨U+2069⟩"},
		{"text in invisible tags", "ok\U000e0052\U000e004d", "ok⟨U+E0052⟩⟨U+E004D⟩", "ok⟨U+E0052⟩⟨U+E004D⟩"},
		{"zero width", "pay\u200bpal\ufeff", "pay⟨U+200B⟩pal⟨U+FEFF⟩", "pay⟨U+200B⟩pal⟨U+FEFF⟩"},
		{"no UTF-8", "a\xffb", "a\ufffdb", "a\ufffdb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := printable.Text(c.in); got != c.text {
				t.Errorf("Text: got %q, want %q", got, c.text)
			}
			if got := printable.Line(c.in); got != c.line {
				t.Errorf("Line: got %q, want %q", got, c.line)
			}
		})
	}
}

// FuzzText looks for a text that reaches the terminal with something that the terminal obeys.
func FuzzText(f *testing.F) {
	for _, s := range []string{"\x1b[31m", "\x1b\x1b[[m[m", "\x1b]0;\x1b]0;x\a\a", "\r\n\r", "\u202e", "\xc2", "\x1b[\x1b[0m0m"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := printable.Text(s)
		if i := strings.IndexFunc(got, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }); i >= 0 || !utf8.ValidString(got) {
			t.Errorf("%q became %q", s, got)
		}
		if line := printable.Line(s); strings.ContainsAny(line, "\n\t\r") {
			t.Errorf("%q is not one line: %q", s, line)
		}
		if again := printable.Text(got); again != got {
			t.Errorf("%q twice: %q, then %q", s, got, again)
		}
	})
}
