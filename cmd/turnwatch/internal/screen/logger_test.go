package screen_test

import (
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
)

// TestLogger: levels, and what a name of a log can do to a terminal, on a terminal with and without colours, and in a file.
func TestLogger(t *testing.T) {
	for name, test := range map[string]struct {
		screen screen.Screen
		want   string
	}{
		"colours": {screen.Screen{Live: true, ErrColor: true}, `^\x1b\[2m\d\d:\d\d:\d\d\x1b\[0m \x1b\[93mWRN\x1b\[0m no watch \x1b\[2mpath=\x1b\[0m"a b" \x1b\[2merr=\x1b\[0m"no ␇"\n$`},
		"plain":   {screen.Screen{Live: true}, `^\d\d:\d\d:\d\d WRN no watch path="a b" err="no ␇"\n$`},
		"a file":  {screen.Screen{}, `^time=20\S+ level=WARN msg="no watch" path="a\\x1b\[2J b" err="no \\a"\n$`},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			test.screen.Err = &out
			logger := test.screen.Logger(slog.LevelWarn)
			logger.Info("quiet")
			logger.Warn("no watch", "path", "a\x1b[2J b", "err", errors.New("no \a"))
			if !regexp.MustCompile(test.want).MatchString(out.String()) {
				t.Errorf("%q, want %s", out.String(), test.want)
			}
		})
	}
}
