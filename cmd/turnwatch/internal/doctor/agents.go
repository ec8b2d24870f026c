package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/collector"
)

// listed is how many files are named one by one.
const listed = 3

// agent looks where an agent keeps its logs, and whether they can be read.
func (e *examination) agent(ctx context.Context, s collector.Source) {
	name := string(s.Agent())
	logs, bad := 0, []string{}
	var roots []string
	for st, err := range s.Discover(ctx) {
		if err != nil {
			bad = append(bad, err.Error())
			continue
		}
		if st.Kind == collector.StreamDirectory {
			e.dirs[st.Path] = true
			if _, err := os.Stat(st.Path); err == nil {
				roots = append(roots, st.Path)
			}
			continue
		}
		e.dirs[filepath.Dir(st.Path)] = true
		e.streams = append(e.streams, st)
		if st.Kind == collector.StreamLog {
			logs++
		}
		if err := readable(st.Path); err != nil {
			bad = append(bad, err.Error())
		}
	}
	e.logs += logs
	switch {
	case logs > 0:
		e.add(name, OK, fmt.Sprintf("%s in %s%s", plural(logs, "log"), strings.Join(topmost(roots), ", "), versions(e.Versions[s.Agent()])), "")
	case len(roots) > 0:
		e.add(name, Note, "no log yet in "+strings.Join(topmost(roots), ", "), "")
	default:
		e.add(name, Note, "not found", "")
	}
	if u, ok := s.(collector.Unverified); ok && len(roots) > 0 {
		e.add(name, Note, "its numbers are unverified: "+u.Unverified(), "")
	}
	if n := len(bad); n > 0 {
		text := strings.Join(bad[:min(n, listed)], "; ")
		if n > listed {
			text += fmt.Sprintf("; and %d more", n-listed)
		}
		e.add(name, Problem, fmt.Sprintf("%s cannot be read: %s", plural(n, "thing"), text), "give your user the right to read them: chmod u+rX, or chown if another user made them")
	}
}

func readable(path string) error {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() { // to open a pipe would wait for whoever writes it
		return fmt.Errorf("%s is no file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// topmost leaves out directories within others.
func topmost(dirs []string) []string {
	slices.Sort(dirs)
	var top []string
	for _, d := range dirs {
		if slices.ContainsFunc(top, func(t string) bool { return d == t || strings.HasPrefix(d, t+string(filepath.Separator)) }) {
			continue // not always right behind it: "a-b" sorts between "a" and "a/b"
		}
		top = append(top, d)
	}
	return top
}

func versions(seen []string) string {
	switch {
	case seen == nil: // no log of the agent was read yet
		return ""
	case len(seen) == 0:
		return ", which do not name the program's version"
	}
	return "; versions seen: " + strings.Join(seen, ", ")
}

// soon is how long before its end a log's deletion is told.
const soon = 7 * 24 * time.Hour

// cleanUps says which logs their agents will delete.
func (e *examination) cleanUps() {
	now := e.Now()
	for _, c := range e.CleanUps {
		keep := time.Duration(c.Days) * 24 * time.Hour
		due := 0
		var first time.Time
		for _, st := range e.streams {
			if st.Kind != collector.StreamLog || !strings.HasPrefix(st.Path, c.Root+string(filepath.Separator)) {
				continue
			}
			end := time.Unix(0, st.ModTime).Add(keep)
			if end.Sub(now) < soon {
				due++
			}
			if first.IsZero() || end.Before(first) {
				first = end
			}
		}
		set := "set in " + c.Settings
		if c.Default {
			set = "its default"
		}
		found := fmt.Sprintf("deletes logs that are %s old (%s, %s)", plural(c.Days, "day"), c.Setting, set)
		if due == 0 {
			e.add("clean-up", Note, fmt.Sprintf("%s %s; none is due within a week", c.Agent, found), "")
			continue
		}
		e.add("clean-up", Note, fmt.Sprintf("%s %s; %s due within a week, the first %s", c.Agent, found, plural(due, "log"), deadline(first, now)),
			fmt.Sprintf("numbers and previews are kept, whole texts go with the log: set %s higher in %s, or keep a session with turnwatch export", c.Setting, c.Settings))
	}
}

func deadline(at, now time.Time) string {
	if at.Before(now) {
		return "at its next start"
	}
	return "on " + at.Format(time.DateOnly)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
