package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// zoneName is the name of a time zone for the API, which wants one that means the same everywhere.
func zoneName(zone *time.Location) string {
	if name := zone.String(); name != "Local" {
		return name
	}
	candidates := []string{strings.TrimPrefix(os.Getenv("TZ"), ":")}
	if link, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, found := strings.Cut(link, "zoneinfo/"); found {
			candidates = append(candidates, name)
		}
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

var ago = regexp.MustCompile(`^(\d+)\s*(m|min|h|d|w)$`)

var agoUnits = map[string]time.Duration{
	"m": time.Minute, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
}

// since reads when something began: 90m, 24h, 7d, 2w, a day, today, yesterday or all.
func since(written string, now time.Time) (time.Time, error) {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	switch written {
	case "all":
		return time.UnixMilli(0), nil
	case "today":
		return today, nil
	case "yesterday":
		return today.AddDate(0, 0, -1), nil
	}
	if m := ago.FindStringSubmatch(written); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil && n < 100_000 {
			return now.Add(-time.Duration(n) * agoUnits[m[2]]), nil
		}
	}
	if day, err := time.ParseInLocation(time.DateOnly, written, now.Location()); err == nil {
		return day, nil
	}
	return time.Time{}, &collector.Error{Code: collector.CodeInvalid,
		Message: fmt.Sprintf("%q is no time: want such as 24h, 7d, 2w, 2026-01-31, today, yesterday or all", written)}
}
