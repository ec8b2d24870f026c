package transcript

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

// What a view may hold.
const (
	viewLines       = 250 // of text, over all rows
	viewResultLines = 6
	viewBytes       = 256 << 10 // of JSON, with viewOverhead per row, turn and the whole
	viewOverhead    = 64
	viewWindow      = 4 << 20  // bytes of the log that are read, if a turn begins within
	viewCeiling     = 32 << 20 // bytes of the log that are read at most
)

// View returns the newest turns of a session, small enough for a phone. Whole turns are left out from the oldest on; only
// the newest is cut.
func (r *Reader) View(ctx context.Context, id collector.SessionID) (collector.View, error) {
	none := collector.View{Status: collector.ViewNone, Turns: []collector.ViewTurn{}}
	l, err := r.log(ctx, id)
	if gone(err) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	_, stored, err := r.store.Log(ctx, id)
	if err != nil {
		return none, err
	}
	starts, err := r.store.TurnStarts(ctx, id, 0, 0)
	if err != nil || len(starts) == 0 {
		return none, err
	}
	end := stored.Checkpoint.Offset
	from := len(starts) - 1
	if end-starts[from].Ref.Offset > viewCeiling {
		none.Status = collector.ViewTooLarge
		return none, nil
	}
	for from > 0 && len(starts)-from < viewLines && end-starts[from-1].Ref.Offset <= viewWindow {
		from--
	}
	c := conversation{log: l, index: r.store, id: id}
	b := newBuilder()
	b.unknown = true
	for s, err := range c.read(ctx, starts[from].Ref, viewBytes) {
		if errors.Is(err, fs.ErrNotExist) {
			return none, nil // went away meanwhile
		}
		if err != nil {
			return none, err
		}
		for i := range s.events {
			b.add(&s.events[i], s.ref)
		}
	}
	turns := viewTurns(b.messages)
	if len(turns) == 0 {
		return none, nil
	}
	kept, all := fit(turns)
	return collector.View{Status: collector.ViewOK, Turns: kept, Truncated: from > 0 || !all}, nil
}

// viewTurns groups messages into turns. What stands before the first prompt is left out.
func viewTurns(messages []message) []collector.ViewTurn {
	var turns []collector.ViewTurn
	for i, m := range messages {
		switch m.Kind {
		case collector.KindPrompt, collector.KindTask, collector.KindNotification, collector.KindCommand:
			if i > 0 && m.Kind == collector.KindCommand && len(m.Content) > 0 && m.Content[0].Type == collector.PartToolUse {
				break // typed while a turn was on
			}
			turns = append(turns, collector.ViewTurn{At: viewTime(m.At), Rows: []collector.ViewRow{}})
		}
		if len(turns) == 0 {
			continue
		}
		t := &turns[len(turns)-1]
		t.Rows = append(t.Rows, viewRows(m)...)
	}
	return turns
}

func viewTime(ms int64) *string {
	if ms == 0 {
		return nil
	}
	at := time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z")
	return &at
}

func viewRows(m message) []collector.ViewRow {
	speaker := collector.RowUser
	if m.Type == collector.RoleAssistant {
		speaker = collector.RowAssistant
	}
	var rows []collector.ViewRow
	for _, p := range m.Content {
		switch p.Type {
		case collector.PartToolUse:
			rows = append(rows, collector.ViewRow{Kind: collector.RowTool, Text: p.Name})
			if p.Result != nil {
				rows = append(rows, resultRow(p.Result.ConversationText))
			}
		case collector.PartToolResult:
			rows = append(rows, resultRow(p.ConversationText))
		default:
			if m.Kind == collector.KindUnknown {
				rows = append(rows, collector.ViewRow{Kind: collector.RowUnknown, Text: "[unknown block: " + p.Name + "]"})
			} else if p.Text != "" {
				rows = append(rows, collector.ViewRow{Kind: speaker, Text: uncut(p.ConversationText), Clipped: p.Truncated})
			}
		}
	}
	return rows
}

// uncut takes off what marks a cut: a view has its own mark.
func uncut(t collector.ConversationText) string {
	if t.Truncated {
		return strings.TrimSuffix(t.Text, truncated)
	}
	return t.Text
}

func resultRow(t collector.ConversationText) collector.ViewRow {
	row := collector.ViewRow{Kind: collector.RowTool, Text: uncut(t), Clipped: t.Truncated}
	lines := strings.SplitN(row.Text, "\n", viewResultLines+1)
	if len(lines) > viewResultLines {
		row.Text, row.Clipped = strings.Join(lines[:viewResultLines], "\n"), true
	}
	return row
}

// fit leaves out the oldest turns until the rest fits, and cuts the newest if it does not fit alone; it reports whether
// all is there.
func fit(turns []collector.ViewTurn) (kept []collector.ViewTurn, all bool) {
	lines, bytes := 0, viewOverhead
	from := len(turns)
	for i, t := range slices.Backward(turns) {
		l, n := measure(t)
		if lines+l > viewLines || bytes+n > viewBytes {
			break
		}
		lines, bytes, from = lines+l, bytes+n, i
	}
	if from < len(turns) {
		return turns[from:], from == 0
	}
	return []collector.ViewTurn{cutTurn(turns[len(turns)-1])}, false
}

func measure(t collector.ViewTurn) (lines, bytes int) {
	bytes = viewOverhead
	for _, r := range t.Rows {
		lines += strings.Count(r.Text, "\n") + 1
		bytes += viewOverhead + encoded(r.Text)
	}
	return lines, bytes
}

// encoded is how many bytes a text is in JSON: an escape character is six.
func encoded(s string) int {
	b, err := json.Marshal(s)
	if err != nil {
		return len(s) // strings always encode
	}
	return len(b)
}

// cutTurn keeps a turn's rows from the first on; the one that crosses a limit is cut.
func cutTurn(t collector.ViewTurn) collector.ViewTurn {
	lines, bytes := 0, 2*viewOverhead
	kept := []collector.ViewRow{}
	for _, r := range t.Rows {
		room := viewLines - lines
		if room <= 0 || bytes+viewOverhead >= viewBytes {
			break
		}
		if all := strings.SplitN(r.Text, "\n", room+1); len(all) > room {
			r.Text, r.Clipped = strings.Join(all[:room], "\n"), true
		}
		for n := viewBytes - bytes - viewOverhead; encoded(r.Text) > n; {
			r.Text, r.Clipped = shorten(r.Text, encoded(r.Text)-n), true
		}
		lines += strings.Count(r.Text, "\n") + 1
		bytes += viewOverhead + encoded(r.Text)
		kept = append(kept, r)
		if r.Clipped && (lines >= viewLines || bytes >= viewBytes-viewOverhead) {
			break
		}
	}
	t.Rows = kept
	return t
}

// shorten takes a piece off the end of s that is n bytes of JSON or less: a byte may be up to six there.
func shorten(s string, n int) string {
	end := max(len(s)-max(n/6, 1), 0)
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}
