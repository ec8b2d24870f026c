package sourcetest_test

import (
	"context"
	"iter"
	"path/filepath"
	"strings"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/follow"
	"github.com/turnwatch/turnwatch/collector/jsonl"
	"github.com/valyala/fastjson"
)

// toy is a source of an agent that does not exist. Its fields replace a method by a faulty one.
type toy struct {
	home     string
	discover func(func(collector.Stream, error) bool)
	read     func(context.Context, collector.Stream, *collector.Checkpoint) iter.Seq2[collector.Record, error]
	decode   func(dst []collector.Event, s collector.Stream, r collector.Record) ([]collector.Event, error)
}

var _ collector.Source = (*toy)(nil)

func (s *toy) Agent() collector.Agent { return "toy" }

func (s *toy) Discover(context.Context) iter.Seq2[collector.Stream, error] {
	if s.discover != nil {
		return s.discover
	}
	return s.logs
}

func (s *toy) logs(yield func(collector.Stream, error) bool) {
	dir := filepath.Join(s.home, "toy", "logs")
	if !yield(collector.Stream{ID: "toy/dir/logs", Agent: "toy", Kind: collector.StreamDirectory, Path: dir}, nil) {
		return
	}
	paths, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	for _, p := range paths {
		own := strings.TrimSuffix(filepath.Base(p), ".jsonl")
		st := collector.Stream{
			ID: collector.StreamID("toy/log/" + own), Agent: "toy", Kind: collector.StreamLog,
			Session: collector.NewSessionID("toy", own), Path: p,
		}
		if !yield(st, follow.Fill(&st)) {
			return
		}
	}
}

func (s *toy) Read(ctx context.Context, st collector.Stream, cp *collector.Checkpoint) iter.Seq2[collector.Record, error] {
	if s.read != nil {
		return s.read(ctx, st, cp)
	}
	return follow.Lines(ctx, st, cp)
}

func (s *toy) Decode(dst []collector.Event, st collector.Stream, r collector.Record) ([]collector.Event, error) {
	if s.decode != nil {
		return s.decode(dst, st, r)
	}
	return decodeToy(dst, r), nil
}

func (s *toy) Live(context.Context) iter.Seq2[collector.LiveSession, error] {
	return func(func(collector.LiveSession, error) bool) {}
}

func decodeToy(dst []collector.Event, r collector.Record) []collector.Event {
	bad := jsonl.Each(r.Data, func(v *fastjson.Value) { dst = appendToy(dst, v, r.TextLimit) })
	for _, b := range bad {
		dst = append(dst, collector.Event{Kind: collector.EventMalformed, Text: jsonl.ClipString(b, r.TextLimit)})
	}
	return dst
}

func appendToy(dst []collector.Event, v *fastjson.Value, limit int) []collector.Event {
	ev := collector.Event{Time: jsonl.Time(v, "timestamp"), RoundTrip: jsonl.Str(v, "trip"), Text: jsonl.Clip(v.Get("text"), limit)}
	switch typ := jsonl.Str(v, "type"); typ {
	case "start":
		ev.Kind, ev.Facts = collector.EventFacts, &collector.Facts{Cwd: jsonl.Str(v, "cwd"), StartedAt: ev.Time}
	case "prompt":
		ev.Kind, ev.Key, ev.Origin = collector.EventPrompt, jsonl.Str(v, "id"), collector.PromptHuman
	case "call":
		ev.Kind, ev.Call, ev.Tool, ev.Category = collector.EventCall, jsonl.Str(v, "id"), jsonl.Str(v, "tool"), collector.CategoryFile
		ev.Args, ev.ArgsHash = jsonl.Clip(v.Get("args"), limit), jsonl.ArgsHash(v.Get("args"), "why")
	case "result":
		ev.Kind, ev.Call, ev.CallStatus = collector.EventResult, jsonl.Str(v, "id"), collector.CallFailed
		if jsonl.Bool(v, "ok") {
			ev.CallStatus = collector.CallOK
		}
		ev.ResultHash = jsonl.Hash(v.Get("text"))
	case "reply":
		ev.Kind, ev.StopReason = collector.EventText, collector.StopEndTurn
		in, _ := jsonl.Int(v, "usage", "in")
		u := &collector.Usage{Rank: collector.UsageExact, Tokens: collector.Tokens{Input: collector.Exact(in)}}
		dst = append(dst, collector.Event{Kind: collector.EventUsage, Time: ev.Time, RoundTrip: ev.RoundTrip, Usage: u})
	default:
		ev = collector.Event{Kind: collector.EventUnknown, Time: ev.Time, Name: jsonl.Str(v, "type")}
	}
	return append(dst, ev)
}
