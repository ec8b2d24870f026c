package api_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/turnwatch/turnwatch/api"
	"github.com/turnwatch/turnwatch/collector"
	realfocus "github.com/turnwatch/turnwatch/collector/focus"
	"github.com/turnwatch/turnwatch/collector/pubsub"
)

// odd is a session id with everything that needs encoding in a URL.
const odd = collector.SessionID("acme:100%~sub/agent ü:1")

var _ api.Focus = (*realfocus.Focus)(nil)

// store is a store of two sessions; acme:one has turns.
type store struct {
	secret string // put into every text
	turns  int
	parts  int // calls per turn
	slow   bool
	query  collector.SessionQuery // the last one
	tquery collector.TurnQuery
	asked  asked

	rquery  collector.RunQuery
	rollups map[collector.SessionID][]byte
	labels  []string
}

func (s *store) session(id collector.SessionID) *collector.Session {
	return &collector.Session{
		ID: id, Agent: id.Agent(), Title: "title " + s.secret, WaitingFor: s.secret, State: collector.SessionIdle, Totals: collector.ZeroTotals(),
		TreeTotals: collector.ZeroTotals(),
	}
}

func (s *store) Sessions(ctx context.Context, q collector.SessionQuery) (collector.SessionPage, error) {
	s.query = q
	if s.slow {
		<-ctx.Done()
		return collector.SessionPage{}, ctx.Err()
	}
	parent := s.session("acme:one")
	parent.Children = []*collector.Session{s.session("acme:one~kid")}
	return collector.SessionPage{Sessions: []*collector.Session{parent, s.session(odd)}, Total: 2}, nil
}

func (s *store) LiveSessions(context.Context) ([]*collector.Session, error) {
	return []*collector.Session{s.session("acme:one")}, nil
}

func (s *store) Session(_ context.Context, id collector.SessionID) (*collector.Session, error) {
	switch id {
	case "acme:one", "acme:one~kid", odd:
		return s.session(id), nil
	case "one":
		return s.session("acme:one"), nil
	case "two":
		return nil, &collector.Error{Code: collector.CodeConflict, Message: "two is ambiguous", Details: []collector.SessionID{"acme:two", "brand:two"}}
	case "broken":
		return nil, net.ErrClosed
	case "panic":
		panic("store: " + s.secret)
	}
	return nil, &collector.Error{Code: collector.CodeNotFound, Message: "there is no session " + string(id)}
}

func (s *store) Turns(ctx context.Context, id collector.SessionID, q collector.TurnQuery) (collector.TurnPage, error) {
	if _, err := s.Session(ctx, id); err != nil {
		return collector.TurnPage{}, err
	}
	s.tquery = q
	page := collector.TurnPage{Total: s.turns}
	for i := range s.turns {
		page.Turns = append(page.Turns, s.turn(i, false))
	}
	return page, nil
}

func (s *store) Turn(ctx context.Context, id collector.SessionID, index int) (*collector.Turn, error) {
	if _, err := s.Session(ctx, id); err != nil {
		return nil, err
	}
	if index >= s.turns {
		return nil, &collector.Error{Code: collector.CodeNotFound, Message: "there is no such turn"}
	}
	return s.turn(index, true), nil
}

func (s *store) turn(index int, parts bool) *collector.Turn {
	text := collector.Text{Preview: "text " + s.secret, Bytes: 500}
	t := &collector.Turn{
		Index: index, Prompt: text, Reply: text, Error: s.secret, EndedAt: int64(index), Totals: collector.ZeroTotals(),
		Flags: []collector.Flag{{Kind: collector.FlagFail, Reason: s.secret, Evidence: []collector.Evidence{{Text: s.secret}}}},
	}
	t.Totals.Tokens.Input = collector.Exact[int64](10)
	if !parts {
		return t
	}
	t.RoundTrips = []*collector.RoundTrip{{Text: text, Thinking: text}}
	t.Markers = []*collector.Marker{{Kind: collector.MarkerError, Name: s.secret, Text: text}}
	for i := range s.parts {
		t.ToolCalls = append(t.ToolCalls, &collector.ToolCall{Seq: i, Tool: "Shell", Args: text, Result: text, Error: s.secret})
	}
	return t
}

func (s *store) Call(context.Context, collector.SessionID, int) (*collector.ToolCall, error) {
	return s.turn(0, true).ToolCalls[0], nil
}

func (s *store) Revision(context.Context) (int64, error) { return 41, nil }
func (s *store) Size(context.Context) (int64, error)     { return 4096, nil }

// transcript answers with whole texts.
type transcript struct{ *store }

func (t transcript) Messages(_ context.Context, _ collector.SessionID, from, limit int) ([]collector.MessageText, error) {
	if limit < 0 {
		return nil, nil
	}
	return []collector.MessageText{{Turn: from, Role: collector.RoleUser, Text: "hello " + t.secret, Thinking: t.secret}}, nil
}

func (t transcript) Raw(_ context.Context, id collector.SessionID, offset, length int64) (collector.RawLog, error) {
	return collector.RawLog{Path: "log of " + string(id), Offset: offset, Length: length, Text: `{"type":"user"} ` + t.secret}, nil
}

type ingest struct{}

func (ingest) Ingest() collector.Ingest {
	return collector.Ingest{Progress: collector.Progress{Ready: true, Streams: 3, StreamsTotal: 3}}
}

// focus remembers what it was asked.
type focus struct {
	attached  collector.SessionID
	fromStart bool
	auto      collector.AutoAttachOptions
}

func (f *focus) State() collector.Focus {
	st := collector.Focus{AutoAttach: collector.AutoAttach{State: collector.AutoAttachOff, AutoAttachOptions: f.auto}}
	if f.attached != "" {
		st.AttachedSession = &f.attached
		st.Attachment = &collector.Attachment{Session: f.attached, FromStart: f.fromStart}
	}
	return st
}

func (f *focus) Attach(_ context.Context, id collector.SessionID, fromStart bool) (collector.Focus, error) {
	if id == "" {
		return collector.Focus{}, &collector.Error{Code: collector.CodeConflict, Message: "several sessions are live", Details: []collector.SessionID{"acme:one", odd}}
	}
	f.attached, f.fromStart = id, fromStart
	return f.State(), nil
}

func (f *focus) Detach() collector.Focus {
	f.attached = ""
	return f.State()
}

func (f *focus) StartAuto(_ context.Context, o collector.AutoAttachOptions) (collector.Focus, error) {
	f.auto = o
	return f.State(), nil
}

func (f *focus) StopAuto() collector.Focus { return f.State() }

// deps returns fakes for everything.
func deps() api.Deps {
	st := &store{turns: 3, parts: 2}
	return api.Deps{
		Store: st, Transcript: transcript{st}, Analyst: analyst{st}, Prices: price{}, Ingest: ingest{}, Focus: &focus{}, Broker: pubsub.New(64), Version: "1.2.3",
		Flags:  []collector.Analyzer{{Flag: collector.FlagRetry, Doc: "Tried again."}},
		Logger: slog.New(slog.DiscardHandler),
		UI: fstest.MapFS{
			"index.html":             {Data: []byte("<!doctype html><title>Turnwatch</title>")},
			"favicon.svg":            {Data: []byte("<svg/>")},
			"assets/app-1a2b.js":     {Data: []byte("plain script")},
			"assets/app-1a2b.js.gz":  {Data: []byte("packed script")},
			"assets/app-1a2b.js.br":  {Data: []byte("better packed")},
			"assets/type-3c4d.woff2": {Data: []byte("font")},
		},
		Mounts: []api.Mount{
			{Method: http.MethodPost, Path: "/mounted", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })},
			{Method: http.MethodGet, Path: "/metrics", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("turns 1\n")) })},
		},
	}
}

// start serves on a loopback port until the test ends, and returns its address.
func start(t testing.TB, cfg api.Config, d api.Deps) (addr string, s *api.Server) {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = api.New(cfg, d)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("run: %v", err)
		}
	})
	return ln.Addr().String(), s
}
