package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/export"
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
	var body []byte
	if c.Format == "json" {
		body, err = r.exportJSON(ctx, id)
	} else {
		body, err = r.exportText(ctx, id, c.Format)
	}
	if err != nil {
		return err
	}
	if c.Output == "" {
		s.Printf("%s", body)
		return nil
	}
	if err := os.WriteFile(c.Output, body, 0o600); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	s.Notef("wrote %s (%s)", screen.Line(c.Output), screen.Size(int64(len(body))))
	return nil
}

func (r *reader) exportText(ctx context.Context, id collector.SessionID, format string) ([]byte, error) {
	doc, err := r.document(ctx, id)
	if err != nil {
		return nil, err
	}
	if _, err := r.get(ctx, ofSession(id, "/flow"), nil, &doc.Graph); err != nil {
		return nil, err
	}
	write := export.HTML
	if format == "md" {
		write = export.Markdown
	}
	var out bytes.Buffer
	err = write(&out, doc)
	return out.Bytes(), err
}

// document reads a session and its descendants.
func (r *reader) document(ctx context.Context, id collector.SessionID) (export.Document, error) {
	doc := export.Document{Session: &collector.Session{}, Version: programVersion(), At: r.screen.Now().In(r.screen.Zone)}
	if _, err := r.get(ctx, ofSession(id, ""), nil, doc.Session); err != nil {
		return doc, err
	}
	var err error
	if doc.Turns, _, err = r.wholeTurns(ctx, id); err != nil {
		return doc, err
	}
	for _, child := range doc.Session.Children {
		c, err := r.document(ctx, child.ID)
		if err != nil {
			return doc, err
		}
		doc.Children = append(doc.Children, c)
	}
	return doc, nil
}

// wholeTurns reads all turns of a session, with whole texts while the log is there.
func (r *reader) wholeTurns(ctx context.Context, id collector.SessionID) (turns []*collector.Turn, bodies []json.RawMessage, err error) {
	var page collector.TurnPage
	if _, err := r.get(ctx, ofSession(id, "/turns"), nil, &page); err != nil {
		return nil, nil, err
	}
	full := true
	for i, listed := range page.Turns {
		turn, body, whole, err := r.turn(ctx, id, listed.Index, full)
		if err != nil {
			return nil, nil, err
		}
		full = whole
		turns, bodies = append(turns, turn), append(bodies, body)
		r.screen.Progress(fmt.Sprintf("%d of %d turns", i+1, len(page.Turns)))
	}
	r.screen.Progress("")
	return turns, bodies, nil
}

// exportJSON writes the API's answers about a session as one object.
func (r *reader) exportJSON(ctx context.Context, id collector.SessionID) ([]byte, error) {
	session, err := r.get(ctx, ofSession(id, ""), nil, nil)
	_, turns, err2 := r.wholeTurns(ctx, id)
	graph, err3 := r.get(ctx, ofSession(id, "/flow"), nil, nil)
	if err := errors.Join(err, err2, err3); err != nil {
		return nil, err
	}
	body, err := json.MarshalIndent(map[string]any{"session": json.RawMessage(session), "turns": turns, "flow": json.RawMessage(graph)}, "", "  ")
	return append(screen.JSON(body), '\n'), err
}
