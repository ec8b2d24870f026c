package screen_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
)

func noon() time.Time { return time.Date(2026, 6, 15, 12, 0, 0, 0, time.UTC) }

// on returns a screen of that width, and what was written on it.
func on(width int) (*screen.Screen, *strings.Builder) {
	var out strings.Builder
	return &screen.Screen{Out: &out, Err: &out, Width: width, Zone: time.FixedZone("there", 2*3600), Now: noon}, &out
}

var table = screen.Table{
	Columns: []screen.Column{{Head: "ID"}, {Head: "N", Right: true, Drop: 2}, {Head: "NEVER"}, {Head: "WORD", Drop: 1}, {Head: "TEXT"}},
	Rows: [][]screen.Cell{
		{{Text: "a"}, {Text: "5"}, {}, {Text: "日本"}, {Text: "short"}},
		{{Text: "bbb"}, {Text: "1234"}, {}, {Text: "x"}, {Text: "a text that is too long for a narrow terminal"}},
	},
}

func TestTable(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		want  string
	}{
		{"a file", 0, "ID      N  WORD  TEXT\na       5  日本  short\nbbb  1234  x     a text that is too long for a narrow terminal\n"},
		{"wide", 80, "ID      N  WORD  TEXT\na       5  日本  short\nbbb  1234  x     a text that is too long for a narrow terminal\n"},
		{"without numbers", 40, "ID   WORD  TEXT\na    日本  short\nbbb  x     a text that is too long for …\n"},
		{"without words", 30, "ID   TEXT\na    short\nbbb  a text that is too long …\n"},
		{"as narrow as can be", 8, "ID  TEXT\na   sho…\nb…  a t…\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, out := on(test.width)
			s.Table(table)
			if diff := cmp.Diff(out.String(), test.want); diff != "" {
				t.Errorf("(got -, want +):\n%s", diff)
			}
			for line := range strings.Lines(out.String()) {
				if n := screen.Cells(strings.TrimSuffix(line, "\n")); test.width > 0 && n > test.width {
					t.Errorf("%q takes %d columns of %d", line, n, test.width)
				}
			}
		})
	}
}

func TestColor(t *testing.T) {
	s, _ := on(80)
	if got := s.In(screen.Bad, "failed"); got != "failed" {
		t.Errorf("without colour: %q", got)
	}
	s.Color = true
	if got, want := s.In(screen.Bad, "failed"), "\033[31mfailed\033[0m"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNoColor(t *testing.T) {
	t.Setenv("COLUMNS", "91")
	for _, test := range []struct {
		mode screen.ColorMode
		want bool
	}{{screen.ColorAuto, false}, {screen.ColorNever, false}, {screen.ColorAlways, true}} { // a test's output is no terminal
		s := screen.Std(test.mode)
		if s.Color != test.want || s.Width != 91 || !s.Plain {
			t.Errorf("%s: %+v", test.mode, s)
		}
	}
}

func TestMoments(t *testing.T) {
	s, _ := on(80)
	at := func(text string) int64 {
		v, err := time.ParseInLocation("2006-01-02 15:04:05", text, s.Zone)
		if err != nil {
			t.Fatal(err)
		}
		return v.UnixMilli()
	}
	for in, want := range map[string]string{
		"2026-06-15 00:00:01": "00:00:01", "2026-06-14 23:59:59": "14 Jun 23:59", "2025-12-31 23:59:59": "2025-12-31",
	} {
		if got := s.When(at(in)); got != want {
			t.Errorf("%s: got %q, want %q", in, got, want)
		}
	}
	if got := s.When(0) + s.Moment(0) + s.Clock(0); got != "" {
		t.Errorf("unknown: got %q", got)
	}
	s.Plain = true
	if got, want := s.When(at("2026-06-15 13:00:00")), "2026-06-15 13:00:00"; got != want {
		t.Errorf("in a file: got %q, want %q", got, want)
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 999: "999", 1000: "1.0k", 99_949: "99.9k", 99_950: "100k", 999_499: "999k", 999_500: "1.0M", 99_949_999: "99.9M",
		99_950_000: "100M", 1_500_000_000: "1.5G", -1500: "-1.5k",
	} {
		if got := screen.Short(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
	for ms, want := range map[int64]string{
		0: "0 ms", 999: "999 ms", 1000: "1.0 s", 9949: "9.9 s", 9950: "10 s", 119_000: "119 s", 120_000: "2 min", 7_199_000: "119 min",
		7_200_000: "2 h", 172_800_000: "2 days",
	} {
		if got := screen.Took(ms); got != want {
			t.Errorf("%d ms: got %q, want %q", ms, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 kB", 2048: "2 kB", 3 << 20: "3 MB", 3 << 29: "1.5 GB"} {
		if got := screen.Size(n); got != want {
			t.Errorf("%d bytes: got %q, want %q", n, got, want)
		}
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct {
		in    string
		cells int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 8, []string{"one two", "three"}},
		{"one two three", 0, []string{"one two three"}},
		{"a\n\n\tb", 10, []string{"a", "", "    b"}},
		{"aVeryLongWordWithoutSpaces", 10, []string{"aVeryLongW", "ordWithout", "Spaces"}},
		{"日本語日本語", 5, []string{"日本", "語日", "本語"}},
		{"日", 1, []string{"日"}}, // wider than the terminal
	} {
		if diff := cmp.Diff(screen.Wrap(test.in, test.cells), test.want); diff != "" {
			t.Errorf("wrap %q at %d (got -, want +):\n%s", test.in, test.cells, diff)
		}
	}
	if got, want := screen.Line("  a\n\tb \x1b[2J c "), "a b c"; got != want {
		t.Errorf("line: got %q, want %q", got, want)
	}
	if got, want := string(screen.JSON([]byte("\"a\u009b2J\u202eb\x7f\u00e9\""))), `"a\u009b2J\u202eb\u007fé"`; got != want {
		t.Errorf("JSON: got %s, want %s", got, want)
	}
}

func TestProgress(t *testing.T) {
	s, out := on(80)
	s.Progress("half")
	if out.Len() > 0 {
		t.Errorf("where there is no terminal it wrote %q", out)
	}
	s.Live = true
	s.Progress("half")
	s.Progress("")
	if got, want := out.String(), "\r\033[Khalf\r\033[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
