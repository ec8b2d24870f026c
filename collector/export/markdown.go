package export

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/printable"
)

// Markdown writes a document as Markdown.
func Markdown(w io.Writer, d Document) error {
	m := markdown{Writer: bufio.NewWriter(w), doc: d}
	if err := m.session(d, 1); err != nil {
		return err
	}
	m.f("---\nExported by Turnwatch %s, %s. Secrets are masked.\n", escape(d.Version), d.moment(d.At.UnixMilli()))
	return m.Flush()
}

type markdown struct {
	*bufio.Writer // it keeps the first error
	doc           Document
}

func (m *markdown) f(format string, args ...any) { _, _ = fmt.Fprintf(m, format, args...) }

func (m *markdown) session(d Document, level int) error {
	m.f("%s %s\n\n", strings.Repeat("#", level), escape(title(d.Session)))
	for _, f := range d.facts() {
		m.f("- %s: %s\n", f.Name, escape(f.Text))
	}
	m.f("\n")
	for t, err := range d.Turns {
		if err != nil {
			return err
		}
		m.turn(t, level+1)
	}
	for _, c := range d.Children {
		if err := m.session(c, min(level+1, 5)); err != nil {
			return err
		}
	}
	return nil
}

func (m *markdown) turn(t Turn, level int) {
	m.f("%s Turn %d: %s\n\n", strings.Repeat("#", level), t.Index+1, t.Status)
	m.f("%s\n\n", escape(strings.Join(nonEmpty(m.doc.moment(t.StartedAt), line(t.Model), totals(t.Totals), line(t.Error)), " · ")))
	for _, f := range t.Flags {
		m.f("- ⚑ **%s**: %s\n", f.Kind, escape(line(f.Reason)))
	}
	if len(t.Flags) > 0 {
		m.f("\n")
	}
	m.said("Prompt", t.Prompt)
	for _, s := range steps(t) {
		m.step(s)
	}
}

func (m *markdown) step(s step) {
	switch {
	case s.Trip != nil:
		m.said("Thinking", s.Trip.Thinking)
		m.said("Response", s.Trip.Text)
	case s.Call != nil:
		c := s.Call
		m.f("**%s** — %s\n\n", escape(line(c.Tool)), escape(strings.Join(nonEmpty("call "+strconv.Itoa(c.Seq+1), status(c), took(c.DurationMs), line(c.Error)), " · ")))
		m.block("json", c.Args)
		m.block("text", c.Result)
	default:
		k := s.Marker
		m.f("◆ %s\n\n", escape(strings.Join(nonEmpty(words(k.Kind), line(k.Name), string(k.Status), line(k.Text.Preview)), " · ")))
	}
}

// said quotes what somebody said.
func (m *markdown) said(who string, t collector.Text) {
	if strings.TrimSpace(t.Preview) == "" {
		return
	}
	m.f("**%s**\n\n", who)
	for l := range strings.Lines(strings.TrimSpace(printable.Text(t.Preview))) {
		m.f("> %s\n", escape(strings.TrimRight(l, "\n")))
	}
	m.cut(t)
	m.f("\n")
}

var ticks = regexp.MustCompile("`{3,}")

// block writes a text as it is, in a fence that is longer than any within it.
func (m *markdown) block(language string, t collector.Text) {
	whole := text(t)
	if strings.TrimSpace(whole) == "" {
		return
	}
	fence := "```"
	for _, run := range ticks.FindAllString(whole, -1) {
		if len(run) >= len(fence) {
			fence = run + "`"
		}
	}
	m.f("%s%s\n%s\n%s\n", fence, language, whole, fence)
	m.cut(t)
	m.f("\n")
}

func (m *markdown) cut(t collector.Text) {
	if note := clipped(t); note != "" {
		m.f("\n*%s*\n", note)
	}
}

var (
	marks = regexp.MustCompile("[\\\\`*_{}\\[\\]<>|~&!$]")
	// leads are what makes a heading, a list or a line of a text that begins with it.
	leads = regexp.MustCompile(`^(\s*)([#+=-]|\d+[.)])`)
)

// escape makes text of what would be markup.
func escape(s string) string {
	s = marks.ReplaceAllString(s, `\$0`)
	return leads.ReplaceAllStringFunc(s, func(l string) string {
		n := len(l) - 1
		return l[:n] + `\` + l[n:]
	})
}

func nonEmpty(parts ...string) []string {
	var all []string
	for _, p := range parts {
		if p != "" {
			all = append(all, p)
		}
	}
	return all
}
