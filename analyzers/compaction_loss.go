package analyzers

import (
	"fmt"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// compactionLossAnalyzer flags compactions that came while calls were running: the summary cannot hold their results. A
// compaction that failed left the history as it was.
func compactionLossAnalyzer() collector.Analyzer {
	return collector.Analyzer{
		Flag: collector.FlagCompactionLoss,
		Doc:  "History was compacted while a tool call was still running, so its result may be missing from what the model remembers. Lists the calls.",
		Run:  compactionLoss,
	}
}

func compactionLoss(t *collector.Turn) []collector.Flag {
	var flags []collector.Flag
	var calls map[int]*collector.ToolCall
	for _, m := range t.Markers {
		if m.Kind != collector.MarkerCompaction || m.Status == collector.MarkerFailed || len(m.InFlight) == 0 || m.Inherited || t.Inherited {
			continue
		}
		if calls == nil {
			calls = make(map[int]*collector.ToolCall, len(t.ToolCalls))
			for _, c := range t.ToolCalls {
				calls[c.Seq] = c
			}
		}
		if f, ok := lossFlag(m, calls); ok {
			flags = append(flags, f)
		}
	}
	return flags
}

func lossFlag(m *collector.Marker, calls map[int]*collector.ToolCall) (collector.Flag, bool) {
	const most = 3 // named in the reason; the evidence lists all
	var names []string
	var list []collector.Evidence
	for _, seq := range m.InFlight {
		c := calls[seq]
		if c == nil { // asked for by an earlier turn
			names = append(names, fmt.Sprintf("call %d", seq+1))
			list = append(list, collector.Evidence{Text: names[len(names)-1] + " of an earlier turn", At: collector.Target{Kind: collector.TargetCall, Seq: seq}})
		} else if !c.Inherited {
			names = append(names, callName(c))
			list = append(list, callEvidence(c))
		}
	}
	if len(names) == 0 {
		return collector.Flag{}, false
	}
	who, was := strings.Join(names[:min(most, len(names))], ", "), "was"
	if rest := len(names) - most; rest > 0 {
		who += fmt.Sprintf(" and %d more", rest)
	}
	if len(names) > 1 {
		was = "were"
	}
	return collector.Flag{
		Kind:     collector.FlagCompactionLoss,
		Reason:   fmt.Sprintf("History was compacted while %s %s still running; the model may not remember what came of it", who, was),
		At:       collector.Target{Kind: collector.TargetMarker, Seq: m.Seq},
		Evidence: list[:min(maxEvidence, len(list))],
	}, true
}
