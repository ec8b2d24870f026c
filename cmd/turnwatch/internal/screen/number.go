package screen

import (
	"fmt"
	"strconv"
	"time"
)

// Short writes a number in at most five characters or so: 950, 12.3k, 4.5M.
func Short(n int64) string {
	f := float64(n)
	switch {
	case n < 0:
		return "-" + Short(-n)
	case n < 1000:
		return strconv.FormatInt(n, 10)
	case n < 99_950:
		return strconv.FormatFloat(f/1e3, 'f', 1, 64) + "k"
	case n < 999_500:
		return strconv.FormatFloat(f/1e3, 'f', 0, 64) + "k"
	case n < 99_950_000:
		return strconv.FormatFloat(f/1e6, 'f', 1, 64) + "M"
	case n < 999_500_000:
		return strconv.FormatFloat(f/1e6, 'f', 0, 64) + "M"
	}
	return strconv.FormatFloat(f/1e9, 'f', 1, 64) + "G"
}

// Size writes a number of bytes.
func Size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d kB", n>>10)
}

// Plural writes a number with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Took writes a duration of ms milliseconds.
func Took(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case ms < 1000:
		return strconv.FormatInt(ms, 10) + " ms"
	case ms < 9950:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// When writes a moment in unix ms: the time for today, else the day; "" if it is unknown. In a file it is written in
// full, so that it stays true.
func (s *Screen) When(ms int64) string {
	if ms == 0 || s.Plain {
		return s.Moment(ms)
	}
	t, now := time.UnixMilli(ms).In(s.Zone), s.Now().In(s.Zone)
	switch {
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return t.Format("15:04:05")
	case t.Year() == now.Year():
		return t.Format("2 Jan 15:04")
	}
	return t.Format(time.DateOnly)
}

// Moment writes a moment in unix ms in full; "" if it is unknown.
func (s *Screen) Moment(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).In(s.Zone).Format("2006-01-02 15:04:05")
}

// Clock writes the time of day of a moment in unix ms; "" if it is unknown.
func (s *Screen) Clock(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).In(s.Zone).Format("15:04:05")
}
