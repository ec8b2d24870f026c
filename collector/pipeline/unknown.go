package pipeline

import (
	"context"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
)

// A log may call its records what it likes. So that a broken one takes neither memory nor space, one stream has so many
// types at most, and their names so many bytes; what is beyond counts as one more type.
const (
	maxKinds     = 100
	maxKindBytes = 80
	otherKinds   = "other"
)

// unknown counts a record that the source does not know.
func (p *Pipeline) unknown(ctx context.Context, s *stream, id collector.SessionID, ev *collector.Event) {
	version := ""
	if id != "" {
		if e := p.session(ctx, id); e != nil {
			version = e.fold.Row().Version
		}
	}
	kind := ev.Name
	if ev.Kind == collector.EventMalformed {
		kind = "malformed"
	}
	p.count(ctx, s, version, kind, 1)
}

// count counts n records of that kind.
func (p *Pipeline) count(ctx context.Context, s *stream, version, kind string, n int64) {
	if s.kinds == nil {
		names, err := p.deps.Store.UnknownTypes(context.WithoutCancel(ctx), s.ID)
		if err != nil {
			p.batch.broken = err
			return
		}
		s.kinds = map[string]struct{}{}
		for _, name := range names {
			s.kinds[name] = struct{}{}
		}
	}
	if len(kind) > maxKindBytes {
		kind = strings.ToValidUTF8(kind[:maxKindBytes], "") + "…"
	}
	if _, known := s.kinds[kind]; !known && len(s.kinds) >= maxKinds {
		kind = otherKinds
	}
	s.kinds[kind] = struct{}{}
	p.batch.unknown[unknownKey{s.ID, s.Agent, version, kind}] += n
}

// uncount forgets what was counted of a stream that is read anew.
func (p *Pipeline) uncount(s *stream) {
	s.kinds = map[string]struct{}{}
	p.batch.forgot = append(p.batch.forgot, s.ID)
	for k := range p.batch.unknown {
		if k.stream == s.ID {
			delete(p.batch.unknown, k)
		}
	}
}
