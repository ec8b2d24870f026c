package jsonl

import (
	"bytes"
	"slices"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fastjson"
)

// Hash returns a hash of the value as it stands in the log, a string's escapes included: strings of the same
// content hash alike as long as one program wrote both. It is not HashString of the unescaped string, nor is it the same after
// fastjson's own getters have unescaped a string in place. A missing value is 0, which no other hash is.
func Hash(v *fastjson.Value) uint64 {
	if v == nil {
		return 0
	}
	var h uint64
	withRaw(v, func(raw []byte) { h = nonZero(xxhash.Sum64(raw)) })
	return h
}

// HashString returns a hash of s, never 0. See Hash for what it is not.
func HashString(s string) uint64 { return nonZero(xxhash.Sum64String(s)) }

// ArgsHash returns a hash of a call's arguments, never 0: keys in any order hash alike, and the top-level keys in
// ignore (descriptions that a model words anew each time) do not count.
func ArgsHash(v *fastjson.Value, ignore ...string) uint64 {
	if v == nil {
		return nonZero(0)
	}
	p := buffers.Get().(*[]byte)
	b := appendCanonical((*p)[:0], v, ignore)
	h := nonZero(xxhash.Sum64(b))
	if cap(b) <= maxPooledBuffer {
		*p = b[:0]
		buffers.Put(p)
	}
	return h
}

func nonZero(h uint64) uint64 { return max(h, 1) }

type member struct {
	key string
	v   *fastjson.Value
}

// appendCanonical appends v's JSON with the keys of every object in ascending order.
func appendCanonical(dst []byte, v *fastjson.Value, ignore []string) []byte {
	if o := v.GetObject(); o != nil {
		members := make([]member, 0, 16)
		o.Visit(func(key []byte, v *fastjson.Value) {
			if !slices.Contains(ignore, string(key)) {
				members = append(members, member{string(key), v})
			}
		})
		slices.SortStableFunc(members, func(a, b member) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
		dst = append(dst, '{')
		for _, m := range members {
			dst = append(dst, m.key...)
			dst = append(dst, ':')
			dst = appendCanonical(dst, m.v, nil)
			dst = append(dst, ',')
		}
		return append(dst, '}')
	}
	if a := v.GetArray(); a != nil {
		dst = append(dst, '[')
		for _, e := range a {
			dst = appendCanonical(dst, e, nil)
			dst = append(dst, ',')
		}
		return append(dst, ']')
	}
	return v.MarshalTo(dst)
}
