package insights_test

import (
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector/insights"
)

// TestDayStart: every moment of two years is on the day that began last, also where a clock skips midnight, shows it twice,
// or is set by half an hour; and the sums of days put it there too.
func TestDayStart(t *testing.T) {
	for _, c := range []struct {
		zone string
		year int
	}{
		{"UTC", 2026}, {"Europe/Berlin", 2026}, {"America/New_York", 2026}, {"Asia/Kathmandu", 2026}, {"Australia/Lord_Howe", 2026},
		{"America/Havana", 2024}, {"America/Sao_Paulo", 2018}, {"Africa/Cairo", 2023}, {"Asia/Beirut", 2024}, {"America/Santiago", 2024},
		{"Asia/Amman", 2015}, {"America/Asuncion", 2023}, {"Atlantic/Azores", 2024},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(c.year, 1, 1, 12, 0, 0, 0, zone)
		for end := at.AddDate(2, 0, 0); at.Before(end); at = at.Add(15 * time.Minute) {
			y, m, d := at.Date()
			from, to := insights.DayStart(y, m, d, zone), insights.DayStart(y, m, d+1, zone)
			if at.Before(from) || !at.Before(to) {
				t.Fatalf("%s: %s is not between %s and %s", c.zone, at, from, to)
			}
			if from.Day() != d || from.Add(-1).Day() == d {
				t.Fatalf("%s: %s is not the first moment of its day", c.zone, from)
			}
		}
	}
}

// TestDaysOfAChangingClock: turns of the days around a change of the clock count on the day that the user saw, once.
func TestDaysOfAChangingClock(t *testing.T) {
	for _, c := range []struct{ zone, turn, day string }{
		{"Europe/Berlin", "2026-03-28T22:59:00Z", "2026-03-28"},
		{"Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29"},
		{"Europe/Berlin", "2026-03-29T21:59:00Z", "2026-03-29"}, // a day of 23 hours
		{"Europe/Berlin", "2026-03-29T22:00:00Z", "2026-03-30"},
		{"Europe/Berlin", "2026-10-25T22:59:00Z", "2026-10-25"}, // one of 25
		{"America/Havana", "2024-03-10T04:59:00Z", "2024-03-09"},
		{"America/Havana", "2024-03-10T05:00:00Z", "2024-03-10"}, // begins at 1 o'clock
		{"America/Havana", "2024-11-03T04:30:00Z", "2024-11-03"}, // half past midnight, the first
		{"America/Havana", "2024-11-03T05:30:00Z", "2024-11-03"}, // and the second
		{"Asia/Kathmandu", "2026-05-01T18:14:00Z", "2026-05-01"},
		{"Asia/Kathmandu", "2026-05-01T18:15:00Z", "2026-05-02"},
	} {
		all := merge(c.zone, run("acme:a", turn(c.turn, "m")))
		if len(all.Days) != 1 || all.Days[0].Day != c.day {
			t.Errorf("%s in %s is on %v, want %s", c.turn, c.zone, all.Days, c.day)
		}
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		day, err := time.Parse(time.DateOnly, c.day)
		if err != nil {
			t.Fatal(err)
		}
		for add, want := range map[int]bool{-1: false, 0: true, 1: false} {
			y, m, d := day.AddDate(0, 0, add).Date()
			f := insights.Filter{From: insights.DayStart(y, m, d, zone).UnixMilli(), To: insights.DayStart(y, m, d+1, zone).UnixMilli()}
			if got := f.Takes(run("acme:a", turn(c.turn, "m"))); got != want {
				t.Errorf("%s in %s, day %+d: taken %t", c.turn, c.zone, add, got)
			}
		}
	}
}
