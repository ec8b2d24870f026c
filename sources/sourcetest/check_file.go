package sourcetest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/turnwatch/turnwatch/collector"
)

// readAgain reads the stream from its start.
func (s *subject) readAgain(st *stream) ([]record, error) {
	return s.readOn(st, &collector.Checkpoint{})
}

func (s *subject) readOn(st *stream, cp *collector.Checkpoint) ([]record, error) {
	now, err := st.current()
	if err != nil {
		return nil, err
	}
	return s.read(now, cp)
}

// recordsOn is readOn without decoding.
func (s *subject) recordsOn(st *stream, cp *collector.Checkpoint) ([]record, error) {
	now, err := st.current()
	if err != nil {
		return nil, err
	}
	var out []record
	for r, err := range s.src.Read(bg, now, cp) {
		if err != nil {
			return out, err
		}
		out = append(out, record{Ref: r.Ref, data: slices.Clone(r.Data)})
	}
	return out, nil
}

// eachLog calls fn for every log of lines with its file, which fn may change.
func (s *subject) eachLog(fn func(st *stream, file []byte) error) error {
	for _, st := range s.lineLogs() {
		if err := st.mutate(func(file []byte) error { return fn(st, file) }); err != nil {
			return err
		}
	}
	return nil
}

// maxCuts bounds the work on long recordings; the cuts are spread evenly then.
const maxCuts = 60

// checkTwoParts: a file that grows by any piece, whole records or not, gives what it gives when read at once.
func checkTwoParts(s *subject) error {
	return s.eachLog(func(st *stream, file []byte) error {
		step := max(len(st.records)/maxCuts, 1)
		for i := 0; i < len(st.records); i += step {
			r := st.records[i]
			for _, cut := range []int64{r.Offset, r.Offset + r.Length/2, r.Offset + r.Length} {
				if err := s.twoParts(st, file, cut); err != nil {
					return fmt.Errorf("cut at byte %d: %w", cut, err)
				}
			}
		}
		return nil
	})
}

func (s *subject) twoParts(st *stream, file []byte, cut int64) error {
	if err := st.write(file[:cut]); err != nil {
		return err
	}
	var cp collector.Checkpoint
	first, err := s.recordsOn(st, &cp)
	if err != nil {
		return fmt.Errorf("first part: %w", err)
	}
	if cp.Offset > cut {
		return fmt.Errorf("checkpoint is at %d, the file ends at %d", cp.Offset, cut)
	}
	f, err := os.OpenFile(st.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(file[cut:])
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	second, err := s.recordsOn(st, &cp)
	if err != nil {
		return fmt.Errorf("second part: %w", err)
	}
	want := st.end
	want.Size, want.ModTime, want.Inode = cp.Size, cp.ModTime, cp.Inode
	if d := cmp.Diff(want, cp); d != "" {
		return fmt.Errorf("checkpoint differs (-read at once +in two parts):\n%s", d)
	}
	return sameRecords(st, append(first, second...))
}

// replaced reads from the checkpoint at the end of the old file, which must be refused, and then from the start.
func (s *subject) replaced(st *stream, want int) error {
	cp := st.end
	now, err := st.current()
	if err != nil {
		return err
	}
	n := 0
	for r, err := range s.src.Read(bg, now, &cp) {
		n++
		if err == nil {
			return fmt.Errorf("%s: got record %s, want ErrReplaced", st.ID, place(r.Ref))
		}
		if !errors.Is(err, collector.ErrReplaced) {
			return fmt.Errorf("%s: want ErrReplaced: %w", st.ID, err)
		}
	}
	if n != 1 || cp != st.end {
		return fmt.Errorf("%s: %d items, want ErrReplaced alone, and the checkpoint as it was: %s", st.ID, n, cmp.Diff(st.end, cp))
	}
	cp = collector.Checkpoint{Generation: st.end.Generation + 1}
	got, err := s.readOn(st, &cp)
	if err != nil {
		return fmt.Errorf("the new generation: %w", err)
	}
	if len(got) != want || cp.Generation != st.end.Generation+1 {
		return fmt.Errorf("%s: the new generation %d has %d records, want %d", st.ID, cp.Generation, len(got), want)
	}
	return nil
}

// checkTruncated: a file that became shorter is another one.
func checkTruncated(s *subject) error {
	return s.eachLog(func(st *stream, file []byte) error {
		keep := len(st.records) / 2
		if err := os.Truncate(st.Path, st.records[keep].Offset); err != nil {
			return err
		}
		return s.replaced(st, keep)
	})
}

// checkReplaced: so is one that was put in its place, though it is longer.
func checkReplaced(s *subject) error {
	return s.eachLog(func(st *stream, file []byte) error {
		other := slices.Concat(changeStart(file), file)
		beside := st.Path + ".new"
		if err := errors.Join(os.WriteFile(beside, other, 0o600), os.Rename(beside, st.Path)); err != nil {
			return err
		}
		return s.replaced(st, 2*len(st.records))
	})
}

// checkRewritten: and one that was written over with as many bytes.
func checkRewritten(s *subject) error {
	return s.eachLog(func(st *stream, file []byte) error {
		if err := st.write(changeStart(file)); err != nil {
			return err
		}
		return s.replaced(st, len(st.records))
	})
}

// changeStart changes one digit or letter in the last string of the first bytes, so that records stay records.
func changeStart(file []byte) []byte {
	out := slices.Clone(file)
	end := min(bytes.IndexByte(out, '\n'), 200)
	for i := end - 1; i >= 0; i-- {
		if c := out[i]; c >= '0' && c <= '9' {
			out[i] = '0' + (c-'0'+1)%10
			return out
		}
	}
	out[0]++
	return out
}

// checkNULTail: NUL bytes where a crash lost the end are no record, and the record behind them is one.
func checkNULTail(s *subject) error {
	for _, st := range s.jsonLogs() {
		err := st.mutate(func(file []byte) error {
			last := st.records[len(st.records)-1]
			padded := slices.Concat(file, make([]byte, 4096))
			if err := st.write(padded); err != nil {
				return err
			}
			cp := st.end
			got, err := s.readOn(st, &cp)
			if err != nil {
				return fmt.Errorf("NUL tail: %w", err)
			}
			if len(got) > 0 {
				return fmt.Errorf("%s: %d records in a NUL tail", st.ID, len(got))
			}
			if err := st.write(slices.Concat(padded, last.data, []byte{'\n'})); err != nil {
				return err
			}
			if got, err = s.readOn(st, &cp); err != nil {
				return fmt.Errorf("behind a NUL tail: %w", err)
			}
			if len(got) != 1 {
				return fmt.Errorf("%s: %d records behind a NUL tail, want 1", st.ID, len(got))
			}
			return s.same(st, last, got[0].data, last.events)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
