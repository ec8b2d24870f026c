package insights

import "time"

// DayStart returns when a day begins in a zone: its first moment. That is not always midnight, which some zones skip when
// summer time begins, and others have twice when it ends; time.Date then answers with a moment of the day before, or the
// later one.
func DayStart(year int, month time.Month, day int, zone *time.Location) time.Time {
	want := time.Date(year, month, day, 0, 0, 0, 0, time.UTC) // normal, for what is no date
	y, m, d := want.Date()
	t := time.Date(y, m, d, 0, 0, 0, 0, zone)
	begin, end := t.ZoneBounds()
	if t.Day() != d && !end.IsZero() && end.Day() == d {
		return end
	}
	// The clock was put back since: it may have shown this midnight before.
	if !begin.IsZero() {
		_, now := t.Zone()
		_, before := begin.Add(-1).Zone()
		if first := t.Add(-time.Duration(before-now) * time.Second); before > now && first.Before(begin) && first.Day() == d {
			return first
		}
	}
	return t
}
