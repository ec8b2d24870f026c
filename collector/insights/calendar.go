package insights

import (
	"maps"
	"slices"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// calendar adds quarters of an hour up to the days of a time zone.
type calendar struct {
	zone  *time.Location
	nth   int                // number of the session that is being added
	dayOf map[int64]*daySums // of each quarter that was seen
	sums  map[string]*daySums
}

type daySums struct {
	totals   collector.Totals
	sessions int
	last     int // nth of the session that was counted last
}

const dayForm = "2006-01-02"

func newCalendar(zone *time.Location) *calendar {
	return &calendar{zone: zone, dayOf: map[int64]*daySums{}, sums: map[string]*daySums{}}
}

// session says that what is added from now on belongs to another session.
func (c *calendar) session() { c.nth++ }

func (c *calendar) add(quarter int64, t *collector.Totals) {
	d := c.dayOf[quarter]
	if d == nil {
		day := time.UnixMilli(quarter * quarterMs).In(c.zone).Format(dayForm)
		if d = c.sums[day]; d == nil {
			d = &daySums{totals: collector.ZeroTotals()}
			c.sums[day] = d
		}
		c.dayOf[quarter] = d
	}
	d.totals = d.totals.Plus(*t)
	if d.last != c.nth {
		d.last = c.nth
		d.sessions++
	}
}

// maxGap is up to how many days without a turn are listed: a wrong clock must not make a list of a thousand years.
const maxGap = 366

// days lists every day from the first to the last.
func (c *calendar) days() []Day {
	days := make([]Day, 0, len(c.sums))
	for _, day := range slices.Sorted(maps.Keys(c.sums)) {
		if n := len(days); n > 0 {
			days = append(days, between(days[n-1].Day, day)...)
		}
		d := c.sums[day]
		days = append(days, Day{day, d.sessions, SumsOf(d.totals)})
	}
	return days
}

// between lists the empty days between two; none if they are too many.
func between(from, to string) []Day {
	a, err1 := time.Parse(dayForm, from)
	b, err2 := time.Parse(dayForm, to)
	if err1 != nil || err2 != nil || b.Sub(a) > maxGap*24*time.Hour {
		return nil
	}
	var days []Day
	for d := a.AddDate(0, 0, 1); d.Before(b); d = d.AddDate(0, 0, 1) {
		days = append(days, Day{Day: d.Format(dayForm), Sums: SumsOf(collector.ZeroTotals())})
	}
	return days
}
