package pipeline

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// status is what the pipeline says about itself.
type status struct {
	progress collector.Progress
	started  time.Time
	told     time.Time // when progress was last published
	unknown  []collector.UnknownCount
	warnings map[string]*collector.Warning
	roots    []collector.Root
	backlog  map[collector.Agent]int64 // bytes that wait to be read
}

// Ingest returns how reading goes.
func (p *Pipeline) Ingest() collector.Ingest {
	p.mu.Lock()
	defer p.mu.Unlock()
	in := collector.Ingest{
		Progress: p.status.progress,
		Unknown:  slices.Clone(p.status.unknown),
		Roots:    slices.Clone(p.status.roots),
		Warnings: []collector.Warning{},

		Unverified: collector.UnverifiedAgents(p.deps.Sources), RunningUnknown: collector.RunningUnknownAgents(p.deps.Sources),
	}
	if in.Unknown == nil {
		in.Unknown = []collector.UnknownCount{}
	}
	for _, w := range p.status.warnings {
		in.Warnings = append(in.Warnings, *w)
	}
	slices.SortFunc(in.Warnings, func(a, b collector.Warning) int {
		return cmp.Or(cmp.Compare(b.LastAt, a.LastAt), cmp.Compare(a.Path, b.Path))
	})
	return in
}

// maxWarnings bounds the memory that a broken disk can take.
const maxWarnings = 100

func (p *Pipeline) warn(code, message, path string) {
	if p.noteWarning(code, message, path) {
		p.deps.Logger.Warn(message, "path", path)
		p.tellWarnings()
	}
}

// noteWarning reports whether the warning is a new one.
func (p *Pipeline) noteWarning(code, message, path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := warningKey(code, path)
	w := p.status.warnings[key]
	known := w != nil
	if !known {
		if len(p.status.warnings) >= maxWarnings {
			return false
		}
		w = &collector.Warning{Code: code, Path: path}
		p.status.warnings[key] = w
	}
	w.Message = message
	w.Count++
	w.LastAt = p.deps.Now().UnixMilli()
	return !known
}

// tellWarnings has pages ask how things stand: a message about progress does.
func (p *Pipeline) tellWarnings() {
	p.mu.Lock()
	pr := p.status.progress
	p.mu.Unlock()
	p.deps.Publisher.Publish(collector.Message{Type: collector.MessageProgress, Progress: &pr})
}

// storeFailed tells that the store failed, and what helps, unless the run is being ended. A damaged one ends it.
func (p *Pipeline) storeFailed(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		p.warn(collector.WarningStore, what+": "+sqlite.Remedy(err)+" ("+err.Error()+")", "")
	}
	if sqlite.Damaged(err) {
		p.damaged = err
	}
}

func warningKey(code, path string) string { return code + "\x00" + path }

// unwarn takes a warning back.
func (p *Pipeline) unwarn(code, path string) {
	key := warningKey(code, path)
	p.mu.Lock()
	w := p.status.warnings[key]
	delete(p.status.warnings, key)
	p.mu.Unlock()
	if w != nil {
		p.deps.Logger.Warn("no longer: "+w.Message, "path", path)
		p.tellWarnings()
	}
}

func (p *Pipeline) isReady() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status.progress.Ready
}

// begin measures the history that is to be read.
func (p *Pipeline) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.started = p.deps.Now()
	pr := &p.status.progress
	for _, q := range [][]*stream{p.backlog.live, p.backlog.history} {
		for _, s := range q {
			pr.StreamsTotal++
			pr.BytesTotal += s.left()
		}
	}
}

// advance notes progress in reading history.
func (p *Pipeline) advance(bytes int64, streamDone bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pr := &p.status.progress
	if pr.Ready {
		return
	}
	pr.Bytes = min(pr.Bytes+bytes, pr.BytesTotal)
	if streamDone {
		pr.Streams = min(pr.Streams+1, pr.StreamsTotal)
	}
	if spent := p.deps.Now().Sub(p.status.started); pr.Bytes > 0 && spent > 0 {
		left := float64(pr.BytesTotal-pr.Bytes) / float64(pr.Bytes)
		pr.EtaMs = collector.Partial(int64(left * float64(spent.Milliseconds())))
	}
}

// caughtUp notes that all history is in.
func (p *Pipeline) caughtUp(ctx context.Context) {
	if p.isReady() {
		return
	}
	p.refreshUnknown(ctx)
	rev, err := p.deps.Store.Revision(ctx)
	if err != nil {
		p.storeFailed(ctx, "the store cannot be read", err)
		return
	}
	p.mu.Lock()
	pr := &p.status.progress
	pr.Ready, pr.Streams, pr.Bytes, pr.EtaMs = true, pr.StreamsTotal, pr.BytesTotal, collector.Exact[int64](0)
	done := *pr
	p.mu.Unlock()
	p.deps.Publisher.Publish(collector.Message{Type: collector.MessageProgress, Revision: rev, Progress: &done})
	p.deps.Logger.Info("history is in", "streams", done.StreamsTotal, "bytes", done.BytesTotal, "took", p.deps.Now().Sub(p.status.started).String())
}

const tellEvery = 250 * time.Millisecond

// progressMessage returns how far history is, now and then.
func (p *Pipeline) progressMessage() *collector.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := p.deps.Now(); p.status.progress.Ready || now.Sub(p.status.told) < tellEvery {
		return nil
	} else {
		p.status.told = now
	}
	pr := p.status.progress
	return &collector.Message{Type: collector.MessageProgress, Progress: &pr}
}

func (p *Pipeline) refreshUnknown(ctx context.Context) {
	unknown, err := p.deps.Store.Unknown(ctx)
	if err != nil {
		p.storeFailed(ctx, "the store cannot be read", err)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.unknown = unknown
}

// setRoots lists the topmost directories that the sources look into.
func (p *Pipeline) setRoots() {
	var roots []collector.Root
	for _, s := range p.sources {
		for _, dir := range slices.Sorted(maps.Keys(s.roots)) {
			if slices.ContainsFunc(roots, func(r collector.Root) bool { return r.Agent == s.Agent() && within(dir, r.Path) }) {
				continue // not always right behind its root: "a-b" sorts between "a" and "a/b"
			}
			roots = append(roots, collector.Root{Agent: s.Agent(), Path: dir, Exists: s.roots[dir]})
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status.roots = roots
}

func within(dir, root string) bool {
	return len(dir) > len(root) && dir[:len(root)] == root && dir[len(root)] == '/'
}
