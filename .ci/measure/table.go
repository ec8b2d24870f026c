package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// row is one line of the result.
type row struct {
	what, goal, got string
	ok              bool
}

func (b *bench) add(ok bool, what, goal, format string, args ...any) {
	r := row{what, goal, fmt.Sprintf(format, args...), ok}
	b.rows = append(b.rows, r)
	step("%s: %s (goal %s)", r.what, r.got, r.goal)
}

func table(rows []row) string {
	var s strings.Builder
	s.WriteString("| what | goal | measured | |\n|---|---|---|---|\n")
	for _, r := range rows {
		met := "met"
		if !r.ok {
			met = "**missed**"
		}
		fmt.Fprintf(&s, "| %s | %s | %s | %s |\n", r.what, r.goal, r.got, met)
	}
	return s.String()
}

// machine names what it was measured on.
func machine() string {
	cpu, load := "unknown CPU", ""
	if data, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = ", load " + strings.Join(strings.Fields(string(data))[:3], " ")
	}
	return fmt.Sprintf("%s, %d × %s, %s/%s, %s%s", time.Now().Format("2006-01-02"), runtime.NumCPU(), cpu, runtime.GOOS, runtime.GOARCH, runtime.Version(), load)
}

// median returns the middle value, or the mean of the two in the middle.
func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// quantile returns the smallest value that at least q of the values do not exceed.
func quantile(v []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(v))
	if len(s) == 0 {
		return 0
	}
	return s[min(len(s)-1, max(0, int(q*float64(len(s))+0.999999)-1))]
}

func spread(v []float64, format string) string {
	if len(v) == 1 {
		return fmt.Sprintf(format, v[0])
	}
	return fmt.Sprintf(format+" ["+format+" … "+format+"]", median(v), slices.Min(v), slices.Max(v))
}
