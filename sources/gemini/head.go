package gemini

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
)

// heads are the session ids read so far, of files that are gone too. A file's first line never changes, so that each is
// read once.
type heads struct {
	mu     sync.Mutex
	byPath map[string]head
}

type head struct {
	inode uint64
	size  int64 // a file that is smaller now is another one
	own   string
}

// headBytes is where a session's id stands: in the first line, and in documents in the first object.
const headBytes = 1024

var sessionID = regexp.MustCompile(`"sessionId"\s*:\s*"([^"\\]{1,128})"`)

// read gives the files of a discovery their sessions' ids, and drops those that do not say it yet.
//
// When the CLI starts, it deletes logs without messages, sometimes also the one that it has just begun, and goes on writing
// it without its first line (seen in 0.61.0). Such a log keeps the id that it had, or has the part that its name tells, as has
// one whose first line says no id.
func (h *heads) read(d *discovery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byPath == nil {
		h.byPath = map[string]head{}
	}
	var buf []byte
	d.files = slices.DeleteFunc(d.files, func(f file) bool {
		known, ok := h.byPath[f.Path]
		if !ok || known.inode != f.Inode || known.size > f.Size {
			var err error
			if buf, err = follow.Head(buf[:0], f.Path, headBytes); err != nil && !errors.Is(err, fs.ErrNotExist) {
				d.say(collector.Stream{}, fmt.Errorf("discover: %w", err))
			}
			m := sessionID.FindSubmatch(buf)
			switch {
			case m != nil && !message.Match(buf):
				known.own = own(string(m[1]))
			case ok:
			case len(buf) == headBytes || bytes.IndexByte(buf, '\n') >= 0:
				known.own = own(nameOf(f.Path))
			default:
				return true // the first line is not complete
			}
		}
		h.byPath[f.Path] = head{f.Inode, f.Size, known.own}
		return false
	})
	for i := range d.files {
		d.files[i].own = h.byPath[d.files[i].Path].own
	}
}

// message is how a message begins.
var message = regexp.MustCompile(`^\s*\{"(id|\$set)":`)

// nameOf returns what a file's name tells of its session's id: the first eight characters, of a sub-agent all.
func nameOf(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	if strings.HasPrefix(name, mainPrefix) {
		return name[strings.LastIndexByte(name, '-')+1:]
	}
	return name
}

// own makes an id fit for a session's: "~" and ":" take those apart.
func own(id string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '~', ':', '/':
			return '-'
		}
		return r
	}, strings.ToValidUTF8(id, "-"))
}
