package insights

import (
	"slices"

	"github.com/turnwatch/turnwatch/collector"
)

// Filter selects runs by what their roll-ups say. Zero fields do not restrict.
//
// A run counts wherever any of it stands: it is of each model that it used, and of each day on which one of its turns
// started, those of its sub-agents included. So the runs that a day selects are those that make up that day's sums.
type Filter struct {
	Model    string
	From, To int64 // unix ms, half-open, and of whole quarters of an hour, as the beginnings of days are; 0 = no bound
}

// Empty reports whether f takes every run.
func (f Filter) Empty() bool { return f == Filter{} }

// Takes reports whether f selects a run, all of whose parts have a roll-up.
func (f Filter) Takes(run collector.Run) bool {
	model := f.Model == "" || run.Session.Model == f.Model // it may not have answered yet
	day := f.From == 0 && f.To == 0
	for i := 0; i < len(run.Parts) && !(model && day); i++ {
		if data := run.Parts[i].Rollup; Current(data) {
			m, d := f.find(reader{data[1:]})
			model, day = model || m, day || d
		}
	}
	return model && day
}

// find reports whether a roll-up knows the model, and a turn that started in time.
func (f Filter) find(r reader) (model, day bool) {
	for range r.count() {
		r.skipTool()
	}
	for range r.count() {
		name := r.name()
		model = model || string(name) == f.Model
		r.skipModel()
	}
	for range r.count() {
		r.name()
		r.skip(2)
	}
	var quarter int64
	for range r.count() {
		quarter += r.int()
		if at := quarter * quarterMs; at >= f.From && (f.To == 0 || at < f.To) {
			return model, true // the rest is later quarters
		}
		r.skipTotals()
	}
	return model, false
}

// Select returns the runs that f takes; the list is the given one's.
func (f Filter) Select(runs []collector.Run) []collector.Run {
	if f.Empty() {
		return runs
	}
	return slices.DeleteFunc(runs, func(r collector.Run) bool { return !f.Takes(r) })
}

// skip reads n numbers.
func (r *reader) skip(n int) {
	for range n {
		r.int()
	}
}

func (r *reader) skipTool() {
	r.name()
	r.name()
	r.skip(4) // calls, failed, retries, time
	for range r.count() {
		r.skip(2) // a class of the histogram
	}
}

func (r *reader) skipModel() {
	var t collector.Tokens
	r.skip(1 + len(classes(&t)))
	r.skipAmount()
}

func (r *reader) skipTotals() {
	var t collector.Tokens
	r.skip(13 + len(classes(&t)))
	r.skipAmount()
	r.skipAmount()
	r.skipAmount()
}

func (r *reader) skipAmount() {
	if q := r.int(); q >= 0 {
		r.data = r.data[min(8, len(r.data)):]
	}
}
