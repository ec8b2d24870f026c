// Package collector is Turnwatch's vocabulary: the types that every other package speaks (session, turn, round trip,
// tool call, marker, flag, stream, record, event) and the two contracts that extensions implement, Source and Analyzer.
//
// It imports the standard library only, does no I/O and holds no state. The JSON names of its types are the names on
// the wire and in the page; the SQL columns use the same words.
package collector
