package pipeline_test

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/pipeline"
)

// watched is a source that calls back at every record that is read.
type watched struct {
	collector.Source
	at func() error // an error is what reading gives instead of the record
}

func (s watched) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		for r, err := range s.Source.Read(ctx, st, cp) {
			if err != nil {
				yield(r, err)
				return
			}
			if !yield(r, nil) {
				return
			}
			if err := s.at(); err != nil {
				yield(collector.Record{}, err)
				return
			}
		}
	}
}

// TestStoppedAnywhereThenRestarted ends runs in the middle of a piece, until one comes through.
func TestStoppedAnywhereThenRestarted(t *testing.T) {
	home := demoHome(t)
	want := ingest(t, home, pipeline.Config{})
	data := t.TempDir()
	for through := false; !through; {
		var records atomic.Int64
		end := 1 + rand.Int64N(400)
		ended := make(chan struct{})
		var once sync.Once
		var cancel func()
		p := run(t, options{home: home, data: data,
			stopped: func(stop func()) { cancel = stop },
			wrap: func(s collector.Source) collector.Source {
				return watched{s, func() error {
					if records.Add(1) == end {
						cancel()
						once.Do(func() { close(ended) })
					}
					return nil
				}}
			}})
		p.until("ended or ready", func() (bool, string) {
			select {
			case <-ended:
				return true, ""
			default:
				through = p.has(ready)
				return through, "neither"
			}
		})
		p.stop()
		if through {
			if got := p.dump(); got != want {
				t.Error(firstDifference(got, want))
			}
		}
	}
}

// TestReadingFailsAnywhere: an error in the middle of a piece stores what was read, and how far, together.
func TestReadingFailsAnywhere(t *testing.T) {
	home := demoHome(t)
	want := ingest(t, home, pipeline.Config{})
	data := t.TempDir()
	var records atomic.Int64
	p := run(t, options{home: home, data: data, wrap: func(s collector.Source) collector.Source {
		return watched{s, func() error {
			if records.Add(1)%7 == 0 {
				return errors.New("broken disk")
			}
			return nil
		}}
	}})
	p.ready().warned("cannot-read")
	p.stop()
	p = run(t, options{home: home, data: data}).ready()
	p.stop()
	if got := p.dump(); got != want {
		t.Error(firstDifference(got, want))
	}
}

// interrupted is a source that is looked at when the run is being ended.
type interrupted struct {
	collector.Source
	end func()
}

func (s interrupted) Discover(ctx context.Context) iter.Seq2[collector.Stream, error] {
	s.end()
	return s.Source.Discover(ctx)
}

// TestStoppedWhileLooking: what cannot be looked at because the run is being ended is no trouble to tell of.
func TestStoppedWhileLooking(t *testing.T) {
	ended := make(chan struct{})
	var end func()
	p := run(t, options{home: demoHome(t),
		stopped: func(stop func()) { end = sync.OnceFunc(func() { stop(); close(ended) }) },
		wrap:    func(s collector.Source) collector.Source { return interrupted{s, func() { end() }} },
	})
	<-ended
	p.stop()
	if w := p.p.Ingest().Warnings; len(w) > 0 {
		t.Errorf("it warns: %+v", w)
	}
}
