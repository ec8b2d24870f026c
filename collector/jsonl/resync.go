package jsonl

import (
	"bytes"
	"slices"
)

// recordStarts are how records of line logs begin, as far as the formats known so far go. Inside a string its quotes
// would be escaped, so that a match is an object in earnest, though perhaps a nested one.
var recordStarts = [][]byte{[]byte(`{"type":`), []byte(`{"parentUuid":`), []byte(`{"timestamp":`), []byte(`{"step_index":`), []byte(`{"schema_version":`)}

// resync returns where whole records begin in data, a piece of a line whose first record is broken: the chain of
// records that reaches from there to the end of the line. Nested objects do not qualify, because what
// encloses them goes on behind them.
//
// It looks from the right, so that every object is walked over once per enclosing object; budget bounds the work on
// lines made to defeat that.
func resync(data []byte) []int {
	var starts []int
	end, budget := len(data), 8*len(data)+1<<20
	for at := lastStart(data, len(data)); at > 0 && budget > 0; at = lastStart(data, at) {
		n := recordEnd(data[at:end])
		if n < 0 {
			budget -= end - at
			continue
		}
		budget -= n
		if len(trim(data[at+n:end])) == 0 {
			starts = append(starts, at)
			end = at
		}
	}
	slices.Reverse(starts)
	return starts
}

// lastStart returns the last place before limit at which a record may begin, -1 if there is none.
func lastStart(data []byte, limit int) int {
	for limit > 0 {
		at := bytes.LastIndexByte(data[:limit], '{')
		if at < 0 {
			return -1
		}
		for _, s := range recordStarts {
			if bytes.HasPrefix(data[at:], s) {
				return at
			}
		}
		limit = at
	}
	return -1
}

// recordEnd returns the length of the object or array at the start of b by its brackets and quotes alone; -1 if it does
// not end or b starts with neither.
func recordEnd(b []byte) int {
	if len(b) == 0 || !isRecordStart(b[0]) {
		return -1
	}
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			n := stringEnd(b[i+1:])
			if n < 0 {
				return -1
			}
			i += n
		}
	}
	return -1
}

// stringEnd returns the length of a string's rest including its closing quote, -1 if it has none.
func stringEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		slashes := 0
		for slashes < i && b[i-1-slashes] == '\\' {
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i
		}
	}
}
