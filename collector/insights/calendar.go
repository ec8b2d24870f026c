package insights

import (
	"maps"
	"slices"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// calendar adds quarters of an hour up to the days of a time zone.
type calendar struct {
	zone *time.Location
	nth  int // number of the session that is being added
	sums map[civilDay]*daySums
}

// civilDay is a date: days since 1970-01-01.
type civilDay int64

type daySums struct {
	totals   collector.Totals
	sessions int
	last     int // nth of the session that was counted last
}

func newCalendar(zone *time.Location) *calendar {
	return &calendar{zone: zone, sums: map[civilDay]*daySums{}}
}

// session says that what is added from now on belongs to another session.
func (c *calendar) session() { c.nth++ }

func (c *calendar) add(quarter int64, t *collector.Totals) {
	day := dayOf(time.UnixMilli(quarter * quarterMs).In(c.zone))
	d := c.sums[day]
	if d == nil {
		d = &daySums{totals: collector.ZeroTotals()}
		c.sums[day] = d
	}
	d.totals = d.totals.Plus(*t)
	if d.last != c.nth {
		d.last = c.nth
		d.sessions++
	}
}

const daySeconds = 24 * 60 * 60

// dayOf is the day that a clock in the zone of t shows.
func dayOf(t time.Time) civilDay {
	_, offset := t.Zone()
	shown := t.Unix() + int64(offset)
	day := shown / daySeconds
	if shown%daySeconds < 0 {
		day--
	}
	return civilDay(day)
}

func (d civilDay) String() string {
	return time.Unix(int64(d)*daySeconds, 0).UTC().Format(time.DateOnly)
}

// maxGap is up to how many days without a turn are listed: a wrong clock must not make a list of a thousand years.
const maxGap = 366

// days lists every day from the first to the last.
func (c *calendar) days() []Day {
	days := make([]Day, 0, len(c.sums))
	var last civilDay
	for _, day := range slices.Sorted(maps.Keys(c.sums)) {
		if len(days) > 0 && day-last <= maxGap {
			for last++; last < day; last++ {
				days = append(days, Day{Day: last.String(), Sums: SumsOf(collector.ZeroTotals())})
			}
		}
		d := c.sums[day]
		days = append(days, Day{day.String(), d.sessions, SumsOf(d.totals)})
		last = day
	}
	return days
}
