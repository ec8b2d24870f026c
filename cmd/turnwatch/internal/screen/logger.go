package screen

import (
	"log/slog"
	"time"

	"github.com/lmittmann/tint"

	"github.com/turnwatch/turnwatch/collector/printable"
)

// Logger logs on Err: for a person in front of a terminal with the time of day and levels in colour, else in full, as
// programs read it.
func (s *Screen) Logger(level slog.Level) *slog.Logger {
	if !s.Live {
		return slog.New(slog.NewTextHandler(s.Err, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(tint.NewTextHandler(s.Err, &tint.Options{Level: level, TimeFormat: time.TimeOnly, NoColor: !s.ErrColor, ReplaceAttr: tame}))
}

// tame makes text of what could steer the terminal, such as a file's name: tint lets escape sequences through.
func tame(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case slog.Level, time.Time, time.Duration, bool, int64, uint64, float64:
		return a
	case error:
		return slog.String(a.Key, printable.Line(v.Error()))
	}
	return slog.String(a.Key, printable.Line(a.Value.String()))
}
