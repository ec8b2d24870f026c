package follow

// maxQueue is how many paths wait at most. Whoever is that far behind is better off looking at everything.
const maxQueue = 1 << 16

// maxWatches is the default budget where descriptors are plenty: more directories than any machine seen so far had.
const maxWatches = 4096

// queue holds events that nobody took yet, one per path, in the order in which paths came up.
type queue struct {
	order []string
	ops   map[string]Op
	lost  bool
}

func (q *queue) len() int {
	if q.lost {
		return 1
	}
	return len(q.order)
}

func (q *queue) push(path string, op Op) {
	if q.lost {
		return // everything will be looked at anyway
	}
	if _, ok := q.ops[path]; !ok {
		if len(q.order) == maxQueue {
			q.overflow()
			return
		}
		q.order = append(q.order, path)
	}
	if q.ops == nil {
		q.ops = map[string]Op{}
	}
	q.ops[path] = op
}

// overflow replaces what waits by one OpOverflow.
func (q *queue) overflow() { *q = queue{lost: true} }

func (q *queue) first() Event {
	if q.lost {
		return Event{Op: OpOverflow}
	}
	return Event{Path: q.order[0], Op: q.ops[q.order[0]]}
}

func (q *queue) pop() {
	if q.lost {
		q.lost = false
		return
	}
	delete(q.ops, q.order[0])
	if q.order = q.order[1:]; len(q.order) == 0 {
		q.order = nil
	}
}
