package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strconv"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/export"
	"github.com/turnwatch/turnwatch/collector/flow"
)

type exportCmd struct {
	ID     string `arg:"" help:"The session's id, or its beginning."`
	Format string `short:"f" help:"md, html or json." enum:"md,html,json" default:"html"`
	Output string `short:"o" help:"Write to FILE instead of the terminal." type:"path" placeholder:"FILE"`
}

// Help is the command's longer help.
func (exportCmd) Help() string {
	return `Writes a session with all its texts, as far as the agent's log is still there. Secrets are masked, as on the page. The HTML file needs
nothing else: no script, no network; it shows the flow, can be printed, and is light or dark as its reader likes.

  turnwatch export 7f3c21aa -o login-bug.html
  turnwatch export 7f3c21aa --format md | less
  turnwatch export 7f3c21aa --format json | jq '.turns[].prompt.preview'`
}

// Run exports.
func (c *exportCmd) Run(ctx context.Context, g *globals, s *screen.Screen) error {
	r, err := g.open(ctx, s)
	if err != nil {
		return err
	}
	defer r.close()
	id, err := r.resolve(c.ID)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return r.export(ctx, w, id, c.Format) }
	if c.Output == "" {
		return buffered(s.Out, write)
	}
	size, err := writeFile(c.Output, func(w io.Writer) error { return buffered(w, write) })
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	s.Notef("wrote %s (%s)", screen.Line(c.Output), screen.Size(size))
	return nil
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// export writes a session turn by turn: it may be larger than the memory.
func (r *reader) export(ctx context.Context, w io.Writer, id collector.SessionID, format string) error {
	defer r.screen.Progress("")
	if format == "json" {
		return r.exportJSON(ctx, w, id)
	}
	doc, err := r.document(ctx, id, format == "html")
	if err != nil {
		return err
	}
	if format == "md" {
		return export.Markdown(w, doc)
	}
	return export.HTML(w, doc)
}

// document describes a session and its descendants. The flow of a turn has that of the sub-agents in it.
func (r *reader) document(ctx context.Context, id collector.SessionID, withFlow bool) (export.Document, error) {
	doc := export.Document{Session: &collector.Session{}, Version: programVersion(), At: r.screen.Now().In(r.screen.Zone)}
	if _, err := r.get(ctx, ofSession(id, ""), nil, doc.Session); err != nil {
		return doc, err
	}
	doc.Turns = func(yield func(export.Turn, error) bool) {
		for turn, err := range r.wholeTurns(ctx, id) {
			t := export.Turn{Turn: turn.Turn}
			if err == nil && withFlow {
				t.Flow, err = r.flowOf(ctx, id, turn.Index)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
	for _, child := range doc.Session.Children {
		c, err := r.document(ctx, child.ID, false)
		if err != nil {
			return doc, err
		}
		doc.Children = append(doc.Children, c)
	}
	return doc, nil
}

func (r *reader) flowOf(ctx context.Context, id collector.SessionID, turn int) (g flow.Graph, err error) {
	_, err = r.get(ctx, ofSession(id, "/flow"), url.Values{"turn": {strconv.Itoa(turn)}}, &g)
	return g, err
}

// wholeTurn is a turn, and the API's answer that it was read from.
type wholeTurn struct {
	*collector.Turn
	body []byte
}

// wholeTurns reads all turns of a session, with whole texts while the log is there.
func (r *reader) wholeTurns(ctx context.Context, id collector.SessionID) iter.Seq2[wholeTurn, error] {
	return func(yield func(wholeTurn, error) bool) {
		var page collector.TurnPage
		if _, err := r.get(ctx, ofSession(id, "/turns"), nil, &page); err != nil {
			yield(wholeTurn{}, err)
			return
		}
		full := true
		for i, listed := range page.Turns {
			turn, body, whole, err := r.turn(ctx, id, listed.Index, full)
			full = whole
			if !yield(wholeTurn{turn, body}, err) || err != nil {
				return
			}
			r.screen.Progress(fmt.Sprintf("%d of %d turns", i+1, len(page.Turns)))
		}
	}
}

// exportJSON writes the API's answers about a session as one object.
func (r *reader) exportJSON(ctx context.Context, w io.Writer, id collector.SessionID) error {
	session, err := r.get(ctx, ofSession(id, ""), nil, nil)
	if err != nil {
		return err
	}
	j := jsonWriter{w: w}
	j.text("{\n  \"session\": ")
	j.value(session, "  ")
	j.text(",\n  \"turns\": [")
	separator := "\n    "
	for turn, err := range r.wholeTurns(ctx, id) {
		if err != nil {
			return err
		}
		j.text(separator)
		j.value(turn.body, "    ")
		if separator = ",\n    "; j.err != nil {
			return j.err
		}
	}
	graph, err := r.get(ctx, ofSession(id, "/flow"), nil, nil)
	if err != nil {
		return err
	}
	j.text("\n  ],\n  \"flow\": ")
	j.value(graph, "  ")
	j.text("\n}\n")
	return j.err
}

// jsonWriter writes a document piece by piece, until it cannot.
type jsonWriter struct {
	w   io.Writer
	err error
}

func (j *jsonWriter) text(s string) {
	if j.err == nil {
		_, j.err = io.WriteString(j.w, s)
	}
}

func (j *jsonWriter) value(doc []byte, prefix string) {
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(doc), prefix, "  "); err != nil && j.err == nil {
		j.err = err
	}
	j.text(string(screen.JSON(b.Bytes())))
}
