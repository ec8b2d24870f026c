package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/shortid"
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/redact"
	"github.com/turnwatch/turnwatch/collector/sqlite"
	"github.com/turnwatch/turnwatch/collector/transcript"
)

// reader answers what commands ask: by the API itself, in this process, over the store opened to be read only. So a
// command says what the page says, masked alike; it works beside a running Turnwatch and without one, and needs
// neither its port nor its token, since SQLite lets others read what one writes.
type reader struct {
	screen *screen.Screen
	store  *sqlite.DB
	client http.Client
	known  []sqlite.Known
	ids    shortid.Ids
	end    []func()
}

// queryTimeout is how long a command may read; a person can interrupt it.
const queryTimeout = 5 * time.Minute

// open opens what there is to read.
func (g *globals) open(ctx context.Context, s *screen.Screen) (*reader, error) {
	cleanup, err := g.settle()
	if err != nil {
		return nil, err
	}
	r := &reader{screen: s, end: []func(){cleanup}}
	if err := r.openStore(ctx, g); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *reader) openStore(ctx context.Context, g *globals) (err error) {
	how, err := g.reading()
	if err != nil {
		return err
	}
	if g.Demo {
		r.store, err = readDemo(ctx, g.DataDir, how)
	} else {
		r.store, err = sqlite.OpenReadOnly(ctx, g.DataDir)
	}
	if collector.ErrorCode(err) == collector.CodeNotFound {
		return fmt.Errorf("%w; start turnwatch once, which reads your agents' logs, or look at the recordings with --demo", err)
	}
	if err != nil {
		return err
	}
	r.end = append(r.end, func() { _ = r.store.Close() })
	r.serve(how)
	if err := r.refresh(ctx); err != nil {
		return err
	}
	if !g.Demo {
		r.tellAge(ctx, g.DataDir)
	}
	return nil
}

// refresh looks which sessions there are.
func (r *reader) refresh(ctx context.Context) (err error) {
	if r.known, err = r.store.Known(ctx); err != nil {
		return err
	}
	r.ids = make(shortid.Ids, 0, len(r.known))
	for _, k := range r.known {
		r.ids = append(r.ids, k.ID)
	}
	return nil
}

// serve makes the API answer r's requests.
func (r *reader) serve(how reading) {
	cfg := api.Config{AllowedHosts: []string{api.InProcess}, QueryTimeout: queryTimeout}
	r.client.Transport = api.New(cfg, api.Deps{
		Store: r.store, Transcript: transcript.New(r.store, how.sources), Analyst: transcript.NewAnalyst(r.store, how.sources, how.judges),
		Prices: how.prices, Flags: how.flags, Unverified: collector.UnverifiedAgents(how.sources), Version: programVersion(),
	})
}

func (r *reader) close() {
	for i := len(r.end) - 1; i >= 0; i-- {
		r.end[i]()
	}
}

// tellAge says how old the store is while no Turnwatch writes it.
func (r *reader) tellAge(ctx context.Context, dataDir string) {
	if in, err := readInstance(dataDir); err == nil && in.answers(ctx) {
		return
	}
	at, err := r.store.WrittenAt()
	if err != nil {
		return
	}
	age := max(r.screen.Now().Sub(at), time.Second)
	r.screen.Notef("no Turnwatch is running: this is what was read until %s ago (%s)", screen.Took(age.Milliseconds()), r.screen.Moment(at.UnixMilli()))
}

// answers reports whether the instance takes connections; one that was killed left its note behind.
func (in instance) answers(ctx context.Context) bool {
	u, err := url.Parse(in.URL)
	if err != nil || u.Host == "" {
		return false
	}
	d := net.Dialer{Timeout: time.Second}
	conn, err := d.DialContext(ctx, "tcp", u.Host)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// get asks the API and decodes its answer into to, if that is not nil; it returns the answer as it came.
func (r *reader) get(ctx context.Context, path string, query url.Values, to any) ([]byte, error) {
	target := "http://" + api.InProcess + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		if u := (*url.Error)(nil); errors.As(err, &u) {
			err = u.Err
		}
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if resp.StatusCode != http.StatusOK {
		var p api.Problem
		if err := json.Unmarshal(body, &p); err != nil {
			return nil, fmt.Errorf("read %s: %s", path, resp.Status)
		}
		return nil, &collector.Error{Code: p.Code, Message: p.Detail}
	}
	if to != nil {
		if err := json.Unmarshal(body, to); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
	}
	return body, nil
}

// ofSession is the path of a session in the API.
func ofSession(id collector.SessionID, rest string) string {
	return "/api/sessions/" + url.PathEscape(string(id)) + rest
}

// maxListed is how many sessions a refusal lists.
const maxListed = 8

// resolve returns the session that was meant, or says which could have been.
func (r *reader) resolve(written string) (collector.SessionID, error) {
	found := r.ids.Find(written)
	if len(found) == 1 {
		return found[0], nil
	}
	if id, turn, isTurn := strings.Cut(written, "#"); isTurn && len(r.ids.Find(id)) == 1 {
		return "", &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("a session is wanted, not its turn %s: write %s", screen.Line(turn), screen.Line(id))}
	}
	msg := fmt.Sprintf("there is no session %q", screen.Line(written))
	switch {
	case len(found) > 1:
		msg = fmt.Sprintf("%d sessions begin with %q:", len(found), screen.Line(written)) + r.list(found)
	case len(r.ids) == 0:
		msg += "; none was read yet"
	default:
		msg += "; did you mean one of these?" + r.list(r.ids.Near(written, maxListed))
	}
	return "", &collector.Error{Code: collector.CodeNotFound, Message: msg}
}

// reference returns what a reference means as screens show them: a session's id, and behind a # a turn's number, whose
// index it returns; nil = the whole session.
func (r *reader) reference(written string) (collector.SessionID, *int, error) {
	id, number, isTurn := strings.Cut(written, "#")
	whole, err := r.resolve(id)
	if err != nil || !isTurn {
		return whole, nil, err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return "", nil, &collector.Error{Code: collector.CodeInvalid, Message: fmt.Sprintf("turn %q: want its number, the first being 1", number)}
	}
	return whole, new(n - 1), nil
}

// list lists sessions on lines of their own.
func (r *reader) list(ids []collector.SessionID) string {
	short := r.ids.Shorten()
	text := ""
	for i, id := range ids {
		if i == maxListed {
			return text + fmt.Sprintf("\n  … and %d more", len(ids)-maxListed)
		}
		for _, k := range r.known {
			if k.ID == id {
				text += fmt.Sprintf("\n  %s  %s  %s", screen.Line(short(id)), r.screen.When(k.LastAt), screen.Clip(screen.Line(redact.Text(k.Title)), 60))
			}
		}
	}
	return text
}

// printJSON writes an answer of the API.
func printJSON(s *screen.Screen, body []byte) error {
	var doc json.RawMessage = body
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	s.Println(string(screen.JSON(text)))
	return nil
}
