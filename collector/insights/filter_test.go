package insights_test

import (
	"testing"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// tree has a sub-agent that works after its parent, with another model.
func tree() collector.Run {
	r := run("acme:t", turn("2026-03-01T09:00:00Z", "first"), turn("2026-03-02T23:50:00Z", "second"))
	r.Session.Model = "second"
	return collector.Run{Session: r.Session, Parts: append(r.Parts, run("acme:t~kid", turn("2026-03-03T00:20:00Z", "small")).Parts...)}
}

func TestFilter(t *testing.T) {
	day := func(text string) int64 { return at(text + "T00:00:00Z") }
	silent := run("acme:s")
	silent.Session.Model = "chosen"
	for _, c := range []struct {
		name string
		run  collector.Run
		f    insights.Filter
		want bool
	}{
		{"nothing asked", silent, insights.Filter{}, true},
		{"the latest model", tree(), insights.Filter{Model: "second"}, true},
		{"a model before it was changed", tree(), insights.Filter{Model: "first"}, true},
		{"a sub-agent's model", tree(), insights.Filter{Model: "small"}, true},
		{"part of a model's name", tree(), insights.Filter{Model: "sec"}, false},
		{"a model that was chosen and has not answered yet", silent, insights.Filter{Model: "chosen"}, true},
		{"the first day", tree(), insights.Filter{From: day("2026-03-01"), To: day("2026-03-02")}, true},
		{"a day of the sub-agent alone", tree(), insights.Filter{From: day("2026-03-03"), To: day("2026-03-04")}, true},
		{"the day after", tree(), insights.Filter{From: day("2026-03-04")}, false},
		{"the day before", tree(), insights.Filter{To: day("2026-03-01")}, false},
		{"no turn at all", silent, insights.Filter{From: 1}, false},
		{"day and model, in different parts", tree(), insights.Filter{Model: "first", From: day("2026-03-03")}, true},
		{"day, but not the model", tree(), insights.Filter{Model: "third", From: day("2026-03-03")}, false},
	} {
		if got := c.f.Takes(c.run); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
}

// TestADaySelectsWhatItCounts: whatever the zone, the runs that a day selects are as many as the day says.
func TestADaySelectsWhatItCounts(t *testing.T) {
	runs := []collector.Run{
		tree(), run("acme:a", turn("2026-03-01T23:30:00Z", "m"), turn("2026-03-04T10:00:00Z", "m")),
		run("acme:b", turn("2026-03-29T00:59:59Z", "m"), turn("2026-03-29T01:00:00Z", "m")), run("acme:c"),
	}
	for _, name := range []string{"UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Los_Angeles", "Pacific/Chatham"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range merge(name, runs...).Days {
			first, err := time.ParseInLocation(time.DateOnly, d.Day, zone)
			if err != nil {
				t.Fatal(err)
			}
			f := insights.Filter{From: first.UnixMilli(), To: first.AddDate(0, 0, 1).UnixMilli()}
			n := 0
			for _, r := range runs {
				if f.Takes(r) {
					n++
				}
			}
			if n != d.Sessions {
				t.Errorf("%s, %s: the day counts %d sessions and selects %d", name, d.Day, d.Sessions, n)
			}
		}
	}
}
