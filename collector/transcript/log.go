package transcript

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/turnwatch/turnwatch/collector"
)

// log is a session's log, opened for reading.
type log struct {
	source     collector.Source
	stream     collector.Stream
	session    collector.SessionID
	generation int
}

func (r *Reader) log(ctx context.Context, id collector.SessionID) (log, error) {
	id, st, err := r.store.Log(ctx, id)
	if err != nil {
		return log{}, err
	}
	src := r.sources[st.Stream.Agent]
	if src == nil {
		return log{}, &collector.Error{Code: collector.CodeUnavailable, Message: fmt.Sprintf("agent %q is not one that this build reads", st.Stream.Agent)}
	}
	if _, err := os.Stat(st.Stream.Path); err != nil {
		return log{}, &collector.Error{
			Code: collector.CodeUnavailable, Err: err,
			Message: "the agent's log cannot be read any more; what was kept is a preview of each text and all numbers",
		}
	}
	if st.Stream.Session == "" {
		st.Stream.Session = id // of a table with many sessions, only this one's records are wanted
	}
	return log{src, st.Stream, id, st.Checkpoint.Generation}, nil
}

// errReplaced is what readers see of a log that is not the one whose places are stored, such as one that was cut: until
// it is read anew, the places lead nowhere.
func errReplaced(err error) error {
	return &collector.Error{
		Code: collector.CodeUnavailable, Err: err,
		Message: "the agent's log is shorter than it was, or another one, and was not read anew yet; what was kept is a preview of each text and all numbers",
	}
}

// records yields the records of the bytes [from, to) of the log; to 0 = to its end.
func (l log) records(ctx context.Context, from collector.Ref, to int64) iter.Seq2[collector.Record, error] {
	return func(yield func(collector.Record, error) bool) {
		cp := collector.Checkpoint{Offset: from.Offset, Line: max(0, from.Line-1)}
		for rec, err := range l.source.Read(ctx, l.stream, &cp) {
			if err == nil && to > 0 && rec.Offset >= to {
				return
			}
			if errors.Is(err, collector.ErrReplaced) {
				err = errReplaced(err)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
