// Package jsonl is the line toolkit of sources whose logs are JSON, one record per line: it parses lines as they are
// found on disk after crashes (Each), and takes out of them what events need (Clip, Hash, Str, Int, Time …).
//
// It is built for speed: strings stay escaped until somebody asks for them, and of a big one only the piece that is
// kept is ever unescaped. None of its functions changes a value, so they may be called in any order. A source that also
// calls fastjson's own string getters should know that those unescape in place (GetStringBytes on a string without
// backslashes, such as a type or an id, is harmless and the cheapest way to switch on it).
//
// It refuses to know any record: no key and no type is special here.
package jsonl
