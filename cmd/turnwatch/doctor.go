package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/doctor"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/settings"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/sources"
)

type doctorCmd struct {
	format
}

// Help is the command's longer help.
func (doctorCmd) Help() string {
	return `Looks where the agents keep their logs and which versions wrote them, what cannot be read, when agents delete logs, how many
directories can be watched, who can look into the data directory, and whether Turnwatch runs. It changes nothing, and
fails if there is a problem.

  turnwatch doctor
  turnwatch doctor --json | jq '.findings[] | select(.level == "problem")'`
}

// errProblems ends doctor with a failure; what the problems are has been said.
var errProblems = errors.New("there are problems; what to do stands below each")

// Run examines.
func (c *doctorCmd) Run(ctx context.Context, g *globals, file *settings.File, s *screen.Screen) error {
	cleanup, err := g.settle()
	if err != nil {
		return err
	}
	defer cleanup()
	host := g.host()
	findings := doctor.Examine(ctx, doctor.Patient{
		Sources: sources.All(host), CleanUps: sources.CleanUps(host), Versions: seenVersions(ctx, g.DataDir), DataDir: g.DataDir, Home: g.Home,
		Proc: "/proc", Now: func() time.Time { return time.Now().In(s.Zone) },
	})
	findings = append(findings, findStore(ctx, g.DataDir), findInstance(ctx, g.DataDir))
	if file.Exists {
		findings = append(findings, doctor.Finding{About: "settings", Level: doctor.OK, Found: file.Path + " is read"})
	}
	if c.JSON {
		body, err := json.Marshal(map[string]any{"findings": findings})
		if err != nil {
			return err
		}
		if err := printJSON(s, body); err != nil {
			return err
		}
	} else {
		printFindings(s, findings)
	}
	if slices.ContainsFunc(findings, func(f doctor.Finding) bool { return f.Level == doctor.Problem }) {
		return errProblems
	}
	return nil
}

var levelSigns = map[doctor.Level]screen.Cell{
	doctor.OK: {Text: "✓", Style: screen.Good}, doctor.Note: {Text: "·", Style: screen.Dim}, doctor.Problem: {Text: "✗", Style: screen.Bad},
}

func printFindings(s *screen.Screen, findings []doctor.Finding) {
	const indent = 14
	for _, f := range findings {
		sign := levelSigns[f.Level]
		head := s.In(sign.Style, sign.Text) + " " + s.In(screen.Bold, fmt.Sprintf("%-*s", indent-2, f.About))
		for _, line := range screen.Wrap(screen.Line(f.Found), max(0, s.Width-indent)) {
			s.Println(head + line)
			head = strings.Repeat(" ", indent)
		}
		for i, line := range screen.Wrap(screen.Line(f.Do), max(0, s.Width-indent-2)) {
			if f.Do != "" {
				s.Println(strings.Repeat(" ", indent) + s.In(screen.Care, [2]string{"→ ", "  "}[min(i, 1)]) + line)
			}
		}
	}
}

// seenVersions returns the versions of the agents' programs that the store has seen, as far as there is one.
func seenVersions(ctx context.Context, dataDir string) map[collector.Agent][]string {
	db, err := sqlite.OpenReadOnly(ctx, dataDir)
	if err != nil {
		return nil
	}
	defer func() { _ = db.Close() }()
	seen, err := db.Versions(ctx)
	if err != nil {
		return nil
	}
	return seen
}

// findStore looks whether the database can be read.
func findStore(ctx context.Context, dataDir string) doctor.Finding {
	db, err := sqlite.OpenReadOnly(ctx, dataDir)
	switch {
	case collector.ErrorCode(err) == collector.CodeNotFound:
		return doctor.Finding{About: "database", Level: doctor.Note, Found: "nothing was read yet", Do: "start turnwatch once"}
	case err != nil:
		return doctor.Finding{About: "database", Level: doctor.Problem, Found: err.Error(), Do: "start turnwatch: it mends the database, or makes it anew from the logs"}
	}
	defer func() { _ = db.Close() }()
	known, err := db.Known(ctx)
	at, err2 := db.WrittenAt()
	if err := errors.Join(err, err2); err != nil {
		return doctor.Finding{About: "database", Level: doctor.Problem, Found: err.Error(), Do: "start turnwatch: it mends the database, or makes it anew from the logs"}
	}
	return doctor.Finding{About: "database", Level: doctor.OK, Found: fmt.Sprintf("%d sessions, last written %s", len(known), at.Format(time.DateTime))}
}

// findInstance looks whether a Turnwatch runs, and if not, whether its port is free.
func findInstance(ctx context.Context, dataDir string) doctor.Finding {
	in, err := readInstance(dataDir)
	if err == nil && in.URL != "" {
		if in.answers(ctx) {
			return doctor.Finding{About: "running", Level: doctor.OK, Found: fmt.Sprintf("Turnwatch runs at %s (pid %d)", in.URL, in.Pid)}
		}
		return doctor.Finding{About: "running", Level: doctor.Note, Found: fmt.Sprintf("Turnwatch (pid %d) does not answer at %s: it may have been killed", in.Pid, in.URL), Do: "start turnwatch again"}
	}
	const usual = "127.0.0.1:4174"
	ln, err := net.Listen("tcp", usual)
	if err != nil {
		return doctor.Finding{About: "running", Level: doctor.Note, Found: "no Turnwatch runs, and another program has " + usual, Do: "start turnwatch with --port 0, or another port"}
	}
	_ = ln.Close()
	return doctor.Finding{About: "running", Level: doctor.Note, Found: "no Turnwatch runs; its port is free", Do: "turnwatch starts it"}
}
