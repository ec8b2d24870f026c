package insights

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

var csvHeader = []string{
	"id", "agent", "title", "repo", "branch", "model", "cwd", "labels", "started_at", "last_at", "children", "turns", "round_trips", "calls",
	"failed_calls", "errors", "flags", "compactions", "input", "cache_read", "cache_write", "output", "reasoning", "tokens", "tokens_quality",
	"cost_usd", "cost_usd_quality", "premium_requests", "credits", "tools_per_turn", "fail_rate", "cache_hit_rate", "cache_hit_rate_quality", "wall_ms", "model_ms",
	"tool_ms", "wait_ms", "lines_added", "lines_removed",
}

// CSV writes sessions for a spreadsheet, a line each. Times are RFC 3339 in UTC; what is unknown is empty.
func CSV(sessions []SessionSums) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(csvHeader); err != nil {
		return nil, fmt.Errorf("csv: %w", err)
	}
	for i := range sessions {
		if err := w.Write(csvLine(&sessions[i])); err != nil {
			return nil, fmt.Errorf("csv: %w", err)
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

func csvLine(s *SessionSums) []string {
	t := s.Tokens
	return []string{
		harmless(string(s.ID)), harmless(string(s.Agent)), harmless(s.Title), harmless(s.Repo), harmless(s.Branch), harmless(s.Model), harmless(s.Cwd),
		harmless(strings.Join(s.Labels, ",")), csvTime(s.StartedAt), csvTime(s.LastAt), whole(s.Children), whole(s.Turns), whole(s.RoundTrips),
		whole(s.Calls), whole(s.FailedCalls), whole(s.Errors), whole(s.Sums.Flags), whole(s.Compactions),
		csvCount(t.Input), csvCount(t.CacheRead), csvCount(t.CacheWrite5m.Plus(t.CacheWrite1h)), csvCount(t.Output), csvCount(t.Reasoning),
		csvCount(s.TotalTokens), s.TotalTokens.Quality.String(), csvAmount(s.CostUSD), csvQuality(s.CostUSD), csvAmount(s.PremiumRequests), csvAmount(s.Credits),
		csvRate(s.ToolsPerTurn), csvRate(s.FailRate), csvShare(s.CacheHitRate), csvQuality(s.CacheHitRate), long(s.WallMs), long(s.ModelMs), long(s.ToolMs), long(s.WaitMs),
		whole(s.LinesAdded), whole(s.LinesRemoved),
	}
}

// harmless keeps a spreadsheet from taking a text for a formula, also where full-width signs count.
func harmless(s string) string {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		return "'" + s
	}
	return s
}

func whole(n int) string { return strconv.Itoa(n) }

func long(n int64) string { return strconv.FormatInt(n, 10) }

func csvTime(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).UTC().Format(time.RFC3339)
}

func csvCount(c collector.Count) string {
	if c.Quality == collector.QualityUnknown {
		return ""
	}
	return long(c.Value)
}

func csvAmount(a *collector.Amount) string {
	if a == nil || a.Quality == collector.QualityUnknown {
		return ""
	}
	return strconv.FormatFloat(a.Value, 'f', -1, 64)
}

func csvQuality(a *collector.Amount) string {
	if a == nil {
		return ""
	}
	return a.Quality.String()
}

func csvShare(a *collector.Amount) string {
	if a == nil || a.Quality == collector.QualityUnknown {
		return ""
	}
	return csvRate(&a.Value)
}

func csvRate(r *float64) string {
	if r == nil {
		return ""
	}
	return strconv.FormatFloat(*r, 'f', 4, 64)
}
