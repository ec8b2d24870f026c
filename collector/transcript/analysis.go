package transcript

import (
	"context"
	"fmt"
	"os"
	"sync"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// AnalysisStore is what an Analyst asks the store.
type AnalysisStore interface {
	Store
	Session(ctx context.Context, id collector.SessionID) (*collector.Session, error)
	WholeTurns(ctx context.Context, id collector.SessionID, from, limit int) ([]*collector.Turn, int, error)
}

var _ AnalysisStore = (*sqlite.DB)(nil)

// Analyst reads sessions again from their logs, so that a doubt about the store can be settled. It takes from the store
// only which round trips are copies of another session's, since one log cannot tell. Its methods may be called from any
// goroutine.
type Analyst struct {
	reader *Reader
	store  AnalysisStore
	judges fold.Judges

	mu    sync.Mutex
	cache map[collector.SessionID]cached
	order []collector.SessionID // oldest first
}

// cached is an analysis with the attributes of the log that it was made from.
type cached struct {
	size, modTime int64
	copies        int64 // revision of the session that copies were looked up at
	analysis      collector.Analysis
}

// maxCached bounds the cache: an analysis holds a session's turns with all their parts.
const maxCached = 8

// NewAnalyst returns an analyst of the sources' logs.
func NewAnalyst(store AnalysisStore, sources []collector.Source, judges fold.Judges) *Analyst {
	return &Analyst{reader: New(store, sources), store: store, judges: judges, cache: map[collector.SessionID]cached{}}
}

// Analysis reads a session again, and compares the result to the store's. Its turns have all their parts.
func (a *Analyst) Analysis(ctx context.Context, id collector.SessionID) (collector.Analysis, error) {
	l, err := a.reader.log(ctx, id)
	if err != nil {
		return collector.Analysis{}, err
	}
	stored, err := a.store.Session(ctx, l.session)
	if err != nil {
		return collector.Analysis{}, err
	}
	turns, _, err := a.store.WholeTurns(ctx, l.session, 0, 0)
	if err != nil {
		return collector.Analysis{}, err
	}
	fi, err := os.Stat(l.stream.Path)
	if err != nil {
		return collector.Analysis{}, fmt.Errorf("analyse %s: %w", l.session, err)
	}
	key := cached{size: fi.Size(), modTime: fi.ModTime().UnixNano(), copies: stored.Revision}
	an, ok := a.get(l.session, key)
	if !ok {
		if an, err = a.read(ctx, l, turns); err != nil {
			return collector.Analysis{}, err
		}
		an.Log.Path, an.Log.Bytes, an.Log.ModifiedAt = l.stream.Path, fi.Size(), fi.ModTime().UnixMilli()
		key.analysis = an
		a.put(l.session, key)
	}
	an = clone(an)
	an.Log.Cached = ok
	if an.Session.Totals.OfTree && len(stored.Children) > 0 {
		an.Session.Totals.Tokens, an.Session.Totals.Credits = ownShare(an.Turns)
	}
	an.Session.State, an.Session.Pid, an.Session.WaitingFor = stored.State, stored.Pid, stored.WaitingFor
	an.Session.Labels, an.Session.Revision = stored.Labels, stored.Revision
	settleOpen(&an)
	an.Differences = differences(stored, turns, &an)
	an.Same = len(an.Differences) == 0
	return an, nil
}

// read folds the whole log, then what other streams say about the session.
func (a *Analyst) read(ctx context.Context, l log, stored []*collector.Turn) (collector.Analysis, error) {
	f := fold.New(l.session)
	an := collector.Analysis{}
	records, err := l.fold(ctx, f, collector.Ref{}, 0, collector.PreviewBytes)
	if err != nil {
		return an, err
	}
	an.Log.Records = records
	for s, err := range l.source.Discover(ctx) {
		if err != nil || s.Kind != collector.StreamFacts {
			continue // what cannot be looked at is the pipeline's to report
		}
		side := log{source: l.source, stream: s, session: l.session}
		if _, err := side.fold(ctx, f, collector.Ref{}, 0, collector.PreviewBytes); err != nil && ctx.Err() != nil {
			return an, err
		}
	}
	f.SawLog(l.stream.Path)
	for _, t := range stored {
		for _, r := range t.RoundTrips {
			if r.DuplicateOf != "" {
				f.Disown(r.Key, r.DuplicateOf)
			}
		}
	}
	f.Settle(a.judges)
	row := *f.Row()
	row.Children, row.TreeTotals = []*collector.Session{}, row.Totals
	an.Session, an.Turns = &row, f.Turns()
	return an, nil
}

func (a *Analyst) get(id collector.SessionID, key cached) (collector.Analysis, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.cache[id]
	return c.analysis, ok && c.size == key.size && c.modTime == key.modTime && c.copies == key.copies
}

func (a *Analyst) put(id collector.SessionID, c cached) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.cache[id]; !ok {
		a.order = append(a.order, id)
	}
	a.cache[id] = c
	for len(a.order) > maxCached {
		delete(a.cache, a.order[0])
		a.order = a.order[1:]
	}
}

// clone copies as far as a caller masks texts or settles open turns.
func clone(an collector.Analysis) collector.Analysis {
	row := *an.Session
	an.Session = &row
	turns := make([]*collector.Turn, len(an.Turns))
	for i, t := range an.Turns {
		c := *t
		c.Flags = make([]collector.Flag, len(t.Flags))
		for k, f := range t.Flags {
			f.Evidence = append([]collector.Evidence(nil), f.Evidence...)
			c.Flags[k] = f
		}
		turns[i] = &c
	}
	an.Turns = turns
	return an
}

// settleOpen says how a turn without an end stands, as the store does: nobody goes on with it unless a process does.
func settleOpen(an *collector.Analysis) {
	for _, t := range an.Turns {
		if t.Status == collector.TurnOpen && !an.Session.State.Live() {
			t.Status = collector.TurnAbandoned
		}
	}
}

// ownShare is what turns know of a session's own share in a number that is its tree's, as the store has it.
func ownShare(turns []*collector.Turn) (collector.Tokens, *collector.Amount) {
	sum := collector.ZeroTotals()
	for _, t := range turns {
		n := t.Totals
		if n.OfTree {
			n.Tokens = collector.Tokens{}
		}
		n.OfTree = false
		sum = sum.Plus(n)
	}
	return sum.Tokens, sum.Credits
}
