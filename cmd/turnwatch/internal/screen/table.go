package screen

import "strings"

// Column is a column of a table.
type Column struct {
	Head  string
	Right bool
	Whole bool // it is never cut: what one can type
	// Drop is when the column is left out in a narrow terminal: the highest first; 0 = never.
	Drop int
}

// Cell is a text in a style. It is one line.
type Cell struct {
	Text  string
	Style Style
}

// Table is rows in columns. The last column takes the room that is left.
type Table struct {
	Columns []Column
	Rows    [][]Cell
}

const (
	gap      = "  "
	leastEnd = 24 // cells that the last column should have
)

// Table writes a table.
func (s *Screen) Table(t Table) {
	if len(t.Rows) == 0 {
		return
	}
	shown, widths := t.layout(s.Width)
	heads := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		heads[i] = Cell{c.Head, Dim}
	}
	for _, row := range append([][]Cell{heads}, t.Rows...) {
		var line strings.Builder
		for n, i := range shown {
			last := n == len(shown)-1
			text := row[i].Text
			if s.Width > 0 || !last {
				text = Clip(text, widths[i])
			}
			pad := strings.Repeat(" ", max(0, widths[i]-Cells(text)))
			if t.Columns[i].Right {
				line.WriteString(pad + s.In(row[i].Style, text))
			} else {
				line.WriteString(s.In(row[i].Style, text))
				if !last {
					line.WriteString(pad)
				}
			}
			if !last {
				line.WriteString(gap)
			}
		}
		s.Println(strings.TrimRight(line.String(), " "))
	}
}

// layout chooses the columns that are shown, and how wide they are.
func (t Table) layout(width int) (shown, widths []int) {
	widths = make([]int, len(t.Columns))
	used := make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			widths[i] = max(widths[i], Cells(row[i].Text))
			used[i] = used[i] || row[i].Text != ""
		}
		widths[i] = max(widths[i], Cells(c.Head))
	}
	last := len(t.Columns) - 1
	for i := range t.Columns {
		if used[i] || i == last {
			shown = append(shown, i)
		}
	}
	if width == 0 {
		return shown, widths
	}
	for i := range widths[:last] {
		if !t.Columns[i].Whole {
			widths[i] = min(widths[i], max(width/3, Cells(t.Columns[i].Head)))
		}
	}
	for {
		sum, out := 0, -1
		for n, i := range shown {
			if i != last {
				sum += widths[i] + len(gap)
			}
			if d := t.Columns[i].Drop; d > 0 && (out < 0 || d > t.Columns[shown[out]].Drop) {
				out = n
			}
		}
		rest := width - sum
		if rest >= min(leastEnd, widths[last]) || out < 0 {
			widths[last] = max(rest, 1)
			return shown, widths
		}
		shown = append(shown[:out], shown[out+1:]...)
	}
}
