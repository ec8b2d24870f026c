package metrics

import "github.com/cespare/xxhash/v2"

// ledger remembers what was counted of things by name, so that a thing that changes, or is read anew, counts once. It holds the
// latest 2 × size things; those that are as old as what it forgot count no more.
type ledger[T any] struct {
	size       int
	young, old map[uint64]*entry[T]
	forgotten  int64 // unix ms of the newest thing that was forgotten
}

type entry[T any] struct {
	at      int64
	counted T
}

// remembered is how many things a ledger holds for sure: days of work, in a few MB.
const remembered = 16 << 10

func newLedger[T any](size int) ledger[T] {
	return ledger[T]{size: size, young: map[uint64]*entry[T]{}}
}

// of returns what was counted of the thing that happened at the time, or nil if it must not count.
func (l *ledger[T]) of(name uint64, at int64) *T {
	e := l.young[name]
	if e == nil {
		if e = l.old[name]; e == nil && at <= l.forgotten {
			return nil
		}
		if len(l.young) >= l.size {
			l.forget()
		}
		if e == nil {
			e = &entry[T]{}
		}
		delete(l.old, name)
		l.young[name] = e
	}
	e.at = max(e.at, at)
	return &e.counted
}

func (l *ledger[T]) forget() {
	for _, e := range l.old {
		l.forgotten = max(l.forgotten, e.at)
	}
	l.old, l.young = l.young, make(map[uint64]*entry[T], l.size)
}

// nameOf makes one name of several words.
func nameOf(words ...string) uint64 {
	var d xxhash.Digest
	d.Reset()
	for _, w := range words {
		_, _ = d.WriteString(w)
		_, _ = d.WriteString("\x00")
	}
	return d.Sum64()
}
