package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/insights"
)

// zoneName is the name of a time zone for the API, which wants one that means the same everywhere.
func zoneName(zone *time.Location) string {
	name := zone.String()
	if name != "Local" && !filepath.IsAbs(name) {
		return name
	}
	var candidates []string
	if link, err := os.Readlink("/etc/localtime"); err == nil {
		candidates = append(candidates, withinZones(link))
	}
	if text, err := os.ReadFile("/etc/timezone"); err == nil { // Debian, where the other may be a copy
		candidates = append(candidates, strings.TrimSpace(string(text)))
	}
	if filepath.IsAbs(name) { // TZ=/usr/share/zoneinfo/…
		candidates = []string{withinZones(name)}
	}
	for _, name := range candidates {
		if _, err := time.LoadLocation(name); err == nil && name != "" && name != "Local" {
			return name
		}
	}
	// The system does not say: a zone with the present offset is next best. The signs of Etc are turned around.
	_, offset := time.Now().In(zone).Zone()
	if hours := offset / 3600; hours != 0 && offset%3600 == 0 {
		return fmt.Sprintf("Etc/GMT%+d", -hours)
	}
	return "UTC"
}

// withinZones is the name of a zone whose file that is; "" = none.
func withinZones(path string) string {
	_, name, _ := strings.Cut(path, "zoneinfo/")
	return strings.TrimPrefix(strings.TrimPrefix(name, "posix/"), "right/")
}

var ago = regexp.MustCompile(`^(\d+)\s*(m|min|h|d|w)$`)

var agoMinutes = map[string]int{"m": 1, "min": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}

// longestAgo is a century, in minutes: as good as ever, and no more than a Duration takes.
const longestAgo = 100 * 366 * 24 * 60

// since reads when something began: 90m, 24h, 7d, 2w, a day, today, yesterday or all.
func since(written string, now time.Time) (time.Time, error) {
	y, m, d := now.Date()
	switch written {
	case "all":
		return time.UnixMilli(0), nil
	case "today":
		return insights.DayStart(y, m, d, now.Location()), nil
	case "yesterday":
		return insights.DayStart(y, m, d-1, now.Location()), nil
	}
	if m := ago.FindStringSubmatch(written); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n < 100_000 {
			return now.Add(-time.Duration(min(n*agoMinutes[m[2]], longestAgo)) * time.Minute), nil
		}
	}
	if day, err := time.Parse(time.DateOnly, written); err == nil {
		y, m, d := day.Date()
		return insights.DayStart(y, m, d, now.Location()), nil
	}
	return time.Time{}, &collector.Error{Code: collector.CodeInvalid,
		Message: fmt.Sprintf("%q is no time: want such as 24h, 7d, 2w, 2026-01-31, today, yesterday or all", written)}
}
