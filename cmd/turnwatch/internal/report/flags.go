package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
)

// Raised is a flag with the turn that it was raised in.
type Raised struct {
	Session   collector.SessionID `json:"session"`
	Turn      int                 `json:"turn"`      // index
	StartedAt int64               `json:"startedAt"` // unix ms, of the turn; 0 = unknown
	collector.Flag
}

// Flags lists flags, and how many there are of each kind.
func Flags(s *screen.Screen, all []Raised, short Shorten) {
	if len(all) == 0 {
		s.Println("No flag.")
		return
	}
	t := screen.Table{Columns: []screen.Column{{Head: "TURN BEGAN", Right: true, Drop: 1}, {Head: "SESSION", Whole: true}, {Head: "AGENT", Drop: 2}, {Head: "TURN", Right: true}, {Head: "FLAG"}, {Head: "REASON"}}}
	n := map[collector.FlagKind]int{}
	for _, f := range all {
		n[f.Kind]++
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: s.When(f.StartedAt), Style: screen.Dim}, {Text: screen.Line(short(f.Session)), Style: screen.Name}, {Text: string(f.Session.Agent())}, {Text: strconv.Itoa(f.Turn + 1)},
			{Text: string(f.Kind), Style: screen.Care}, {Text: screen.Line(f.Reason)},
		})
	}
	s.Table(t)
	kinds := slices.SortedFunc(maps.Keys(n), func(a, b collector.FlagKind) int { return cmp.Or(n[b]-n[a], cmp.Compare(a, b)) })
	parts := make([]string, 0, len(kinds))
	for _, k := range kinds {
		parts = append(parts, fmt.Sprintf("%d %s", n[k], k))
	}
	s.Println(s.In(screen.Dim, "\n"+strings.Join(parts, " · ")))
}

// Explain says what a kind of flag means.
func Explain(s *screen.Screen, kind, doc string) {
	s.Println(s.In(screen.Care, kind))
	for _, line := range screen.Wrap(doc, max(0, s.Width-len(indent))) {
		s.Println(indent + line)
	}
}
