package insights

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/turnwatch/turnwatch/collector"
)

// WriteJSON writes in as encoding/json would. The sessions are written by hand, and as they come: by reflection 2,000 of
// them took 22 of the 60 ms of a request (measured), most of it for their measures.
func (in *Insights) WriteJSON(w io.Writer) error {
	const none = `"sessions":[]` // the list's place: in a text the quotes would be escaped, and the summary's is a number
	frame := *in
	frame.Sessions = []SessionSums{}
	rest, err := json.Marshal(&frame)
	if err != nil {
		return fmt.Errorf("encode insights: %w", err)
	}
	at := bytes.Index(rest, []byte(none)) + len(none) - 1
	b := append(make([]byte, 0, 2*pieceBytes), rest[:at]...)
	for i := range in.Sessions {
		if i > 0 {
			b = append(b, ',')
		}
		b = in.Sessions[i].appendJSON(b)
		if len(b) < pieceBytes {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err = w.Write(append(b, rest[at:]...))
	return err
}

// pieceBytes is from which length on a piece of the answer is handed over.
const pieceBytes = 32 << 10

// object writes the fields of a JSON object.
type object []byte

func (o *object) name(name string) {
	if b := *o; b[len(b)-1] != '{' {
		*o = append(*o, ',')
	}
	*o = append(*o, '"')
	*o = append(*o, name...)
	*o = append(*o, '"', ':')
}

func (o *object) text(name, s string) {
	o.name(name)
	*o = appendText(*o, s)
}

func (o *object) int(name string, n int64) {
	o.name(name)
	*o = strconv.AppendInt(*o, n, 10)
}

func (o *object) count(name string, c collector.Count) {
	o.name(name)
	*o = append(*o, `{"value":`...)
	*o = strconv.AppendInt(*o, c.Value, 10)
	o.quality(c.Quality)
}

func (o *object) amount(name string, a *collector.Amount) {
	if a == nil {
		return
	}
	o.name(name)
	*o = append(*o, `{"value":`...)
	*o = appendFloat(*o, a.Value)
	o.quality(a.Quality)
}

func (o *object) quality(q collector.Quality) {
	*o = append(*o, `,"quality":"`...)
	*o = append(*o, q.String()...)
	*o = append(*o, '"', '}')
}

func (o *object) rate(name string, r *float64) {
	o.name(name)
	if r == nil {
		*o = append(*o, "null"...)
		return
	}
	*o = appendFloat(*o, *r)
}

func (s *SessionSums) appendJSON(b []byte) []byte {
	o := object(append(b, '{'))
	o.text("id", string(s.ID))
	o.text("agent", string(s.Agent))
	o.text("title", s.Title)
	o.text("repo", s.Repo)
	o.text("branch", s.Branch)
	o.text("model", s.Model)
	o.text("cwd", s.Cwd)
	o.int("startedAt", s.StartedAt)
	o.int("lastAt", s.LastAt)
	o.name("labels")
	o = append(o, '[')
	for i, label := range s.Labels {
		if i > 0 {
			o = append(o, ',')
		}
		o = appendText(o, label)
	}
	o = append(o, ']')
	o.int("children", int64(s.Children))
	o.name("flagCounts")
	o = append(o, '{')
	kinds := make([]string, 0, 8) // of a constant size: on the stack
	for kind := range s.FlagCount {
		kinds = append(kinds, kind)
	}
	slices.Sort(kinds)
	for _, kind := range kinds {
		o.int(kind, int64(s.FlagCount[kind]))
	}
	o = append(o, '}')
	s.Sums.appendFields(&o)
	return append(o, '}')
}

func (s *Sums) appendFields(o *object) {
	o.int("turns", int64(s.Turns))
	o.int("roundTrips", int64(s.RoundTrips))
	o.int("calls", int64(s.Calls))
	o.int("failedCalls", int64(s.FailedCalls))
	o.int("errors", int64(s.Errors))
	o.int("flags", int64(s.Flags))
	o.int("compactions", int64(s.Compactions))
	o.name("tokens")
	*o = append(*o, '{')
	t := &s.Tokens
	o.count("input", t.Input)
	o.count("cacheRead", t.CacheRead)
	o.count("cacheWrite5m", t.CacheWrite5m)
	o.count("cacheWrite1h", t.CacheWrite1h)
	o.count("output", t.Output)
	o.count("reasoning", t.Reasoning)
	*o = append(*o, '}')
	o.count("totalTokens", s.TotalTokens)
	o.amount("costUsd", s.CostUSD)
	o.amount("premiumRequests", s.PremiumRequests)
	o.amount("credits", s.Credits)
	o.int("wallMs", s.WallMs)
	o.int("modelMs", s.ModelMs)
	o.int("toolMs", s.ToolMs)
	o.int("waitMs", s.WaitMs)
	o.int("linesAdded", int64(s.LinesAdded))
	o.int("linesRemoved", int64(s.LinesRemoved))
	o.rate("toolsPerTurn", s.ToolsPerTurn)
	o.rate("failRate", s.FailRate)
	o.amount("cacheHitRate", s.CacheHitRate)
}

// appendText appends a string; one that is no UTF-8 is left to encoding/json.
func appendText[B ~[]byte](b B, s string) B {
	if !utf8.ValidString(s) {
		quoted, _ := json.Marshal(s) // a string can always be written
		return append(b, quoted...)
	}
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		if c < ' ' {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		} else {
			b = append(b, '\\', c)
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

const hex = "0123456789abcdef"

// appendFloat appends a number as encoding/json does.
func appendFloat[B ~[]byte](b B, f float64) B {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) || math.IsNaN(f) {
		text, err := json.Marshal(f)
		if err != nil {
			text = []byte("null") // no number
		}
		return append(b, text...)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}
