// Package flow draws a session as a graph (Build) and as a strip (NewRibbon). Both are pure functions of turns: the
// same turns give the same ids, so that a page that watches can replace a turn and keep the rest. It lays nothing out
// and reads nothing.
package flow
