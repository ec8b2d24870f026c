// Package screen writes for people: in the width of their terminal, with colour where there is one, in their time zone,
// and without what in a log could steer it. It knows nothing of what it writes.
package screen

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"golang.org/x/term"
)

// Screen is where a command writes.
type Screen struct {
	Out   io.Writer
	Err   io.Writer
	Width int  // columns; 0 = as many as it takes, for files and pipes
	Color bool // of Out
	Plain bool // Out is no terminal: moments are written in full
	Live  bool // Err is a terminal, on which a line can be written over
	// ErrColor says that Err has colours.
	ErrColor bool
	Zone     *time.Location
	Now      func() time.Time
}

// ColorMode says when to use colours.
type ColorMode string

// The modes.
const (
	ColorAuto   ColorMode = "auto" // on a terminal, unless NO_COLOR is set
	ColorAlways ColorMode = "always"
	ColorNever  ColorMode = "never"
)

// Std returns the screen of this process: standard output and error. COLUMNS goes before the terminal's own width.
func Std(mode ColorMode) *Screen {
	out := int(os.Stdout.Fd())
	terminal := term.IsTerminal(out)
	s := &Screen{Out: &output{to: os.Stdout}, Err: os.Stderr, Plain: !terminal, Zone: time.Local, Now: time.Now}
	if terminal {
		if w, _, err := term.GetSize(out); err == nil {
			s.Width = w
		}
	}
	if w, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && w > 0 {
		s.Width = w
	}
	dumb := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	s.Color = mode == ColorAlways || mode != ColorNever && terminal && !dumb
	s.Live = term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb"
	s.ErrColor = mode == ColorAlways || mode != ColorNever && s.Live && !dumb
	return s
}

// output remembers that something could not be written.
type output struct {
	to  io.Writer
	err error
}

// Write writes to the file below.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// Lost returns why something is missing in the output, nil if nothing is. A full disk would look like success otherwise.
func (s *Screen) Lost() error {
	if o, ok := s.Out.(*output); ok {
		return o.err
	}
	return nil
}

// Printf writes to Out. What comes from a log must be passed through package printable first.
func (s *Screen) Printf(format string, args ...any) { _, _ = fmt.Fprintf(s.Out, format, args...) }

// Println writes a line to Out.
func (s *Screen) Println(line string) { _, _ = fmt.Fprintln(s.Out, line) }

// Notef writes a remark to Err, where it is in no program's way.
func (s *Screen) Notef(format string, args ...any) {
	_, _ = fmt.Fprintf(s.Err, "turnwatch: "+format+"\n", args...)
}

// Progress writes a line to Err over the one before; "" takes it away. It writes nothing where that is no terminal.
func (s *Screen) Progress(line string) {
	if s.Live {
		_, _ = fmt.Fprint(s.Err, "\r\033[K"+line)
	}
}
