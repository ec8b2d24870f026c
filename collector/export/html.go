package export

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/printable"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var style string

// HTML writes a document as one HTML file: no script, and nothing is loaded from anywhere.
func HTML(w io.Writer, d Document) error {
	var failed error // of reading
	page, err := template.New("page").Funcs(template.FuncMap{
		"line": line, "text": text, "said": said, "plural": plural, "count": count, "took": took, "status": status, "clipped": clipped, "totals": totals,
		"clock": d.clock, "moment": d.moment, "title": title, "steps": steps, "add": func(a, b int) int { return a + b }, "words": words,
		"sum": func(parts ...string) string { return strings.Join(nonEmpty(parts...), " · ") },
		"id":  func(d view, kind string, seq int) string { return d.Prefix + kind + strconv.Itoa(seq) },
		"child": func(d view, c Document) view {
			return view{Document: c, Prefix: string(c.Session.ID) + "/", Level: d.Level + 1}
		},
		"turns": func(d view) iter.Seq[Turn] {
			return func(yield func(Turn) bool) {
				for t, err := range d.Turns {
					if failed = cmp.Or(failed, err); failed != nil || !yield(t) {
						return
					}
				}
			}
		},
		"draw": func(t Turn) drawing { return draw(t.Flow, t.Index) },
		"href": func(id collector.SessionID) string { return string(id) + "/" },
	}).Parse(pageSource)
	if err != nil {
		return err
	}
	err = page.Execute(w, map[string]any{
		"Doc": view{Document: d}, "Style": template.CSS(style), "Version": cmp.Or(d.Version, "dev"), "At": d.moment(d.At.UnixMilli()), //nolint:gosec // our own file
	})
	return cmp.Or(failed, err)
}

// view is a document in the page: the ids of what stands in it begin with Prefix, as those of the flow's nodes do.
type view struct {
	Document
	Prefix string
	Level  int
}

// Facts are the lines of the head.
func (v view) Facts() []fact { return v.facts() }

func text(t collector.Text) string { return strings.Trim(printable.Text(t.Preview), "\n") }

// words writes a name of the vocabulary for people.
func words(kind collector.MarkerKind) string { return strings.ReplaceAll(string(kind), "_", " ") }
