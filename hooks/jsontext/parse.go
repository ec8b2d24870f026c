package jsontext

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// maxDepth bounds how deep values may be nested: a settings file needs ten.
const maxDepth = 500

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Line, Column int // from 1; the column counts bytes
	Message      string
}

// Error returns the place and the message.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Parse reads a text that is one value.
func Parse(src []byte) (*Node, error) {
	p := parser{src: src}
	if bytes.HasPrefix(src, []byte("\ufeff")) {
		p.at = len("\ufeff")
	}
	n, err := p.value(0)
	if err == nil {
		err = p.space()
	}
	if err == nil && p.at < len(src) {
		err = p.fail("something follows the value")
	}
	if err != nil {
		return nil, err
	}
	return n, nil
}

type parser struct {
	src []byte
	at  int
}

func (p *parser) fail(message string) error {
	before := p.src[:min(p.at, len(p.src))]
	return &SyntaxError{
		Line: 1 + bytes.Count(before, []byte("\n")), Column: len(before) - bytes.LastIndexByte(before, '\n'), Message: message,
	}
}

// space skips white space and comments.
func (p *parser) space() error {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case isSpace(c):
			p.at++
		case bytes.HasPrefix(p.src[p.at:], []byte("//")):
			p.at = lineEnd(p.src, p.at)
		case bytes.HasPrefix(p.src[p.at:], []byte("/*")):
			end := bytes.Index(p.src[p.at+2:], []byte("*/"))
			if end < 0 {
				return p.fail("a comment has no end")
			}
			p.at += end + 4
		default:
			return nil
		}
	}
	return nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// lineEnd returns where the line of at ends, before its line break.
func lineEnd(src []byte, at int) int {
	i := bytes.IndexByte(src[at:], '\n')
	if i < 0 {
		return len(src)
	}
	if i > 0 && src[at+i-1] == '\r' {
		i--
	}
	return at + i
}

func (p *parser) value(depth int) (*Node, error) {
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at == len(p.src) {
		return nil, p.fail("a value is missing")
	}
	switch p.src[p.at] {
	case '{':
		return p.list(Object, '}', depth)
	case '[':
		return p.list(Array, ']', depth)
	}
	start := p.at
	if err := p.scalar(); err != nil {
		return nil, err
	}
	return &Node{Kind: Scalar, Start: start, End: p.at}, nil
}

// list reads the items of an object or array.
func (p *parser) list(kind Kind, end byte, depth int) (*Node, error) {
	if depth == maxDepth {
		return nil, p.fail("nested too deeply")
	}
	n := &Node{Kind: kind, Start: p.at}
	p.at++
	for separated := true; ; {
		if err := p.space(); err != nil {
			return nil, err
		}
		switch {
		case p.at == len(p.src):
			return nil, p.fail(fmt.Sprintf("%q is missing", end))
		case p.src[p.at] == end:
			p.at++
			n.End = p.at
			return n, nil
		case !separated:
			return nil, p.fail("a comma is missing")
		}
		it, err := p.item(kind, depth)
		if err != nil {
			return nil, err
		}
		n.Items = append(n.Items, it)
		if err := p.space(); err != nil {
			return nil, err
		}
		separated = p.at < len(p.src) && p.src[p.at] == ','
		if separated {
			p.at++
		}
	}
}

func (p *parser) item(kind Kind, depth int) (it Item, err error) {
	it.Start = p.at
	if kind == Object {
		if p.src[p.at] != '"' {
			return it, p.fail("a name in quotes is missing")
		}
		if err := p.scalar(); err != nil {
			return it, err
		}
		_ = json.Unmarshal(p.src[it.Start:p.at], &it.Key) // scalar checked it
		if err := p.space(); err != nil {
			return it, err
		}
		if p.at == len(p.src) || p.src[p.at] != ':' {
			return it, p.fail("a colon is missing")
		}
		p.at++
	}
	it.Value, err = p.value(depth + 1)
	return it, err
}

func (p *parser) scalar() error {
	start := p.at
	end := start
	if p.src[start] == '"' {
		for end++; end < len(p.src) && p.src[end] != '"'; end++ {
			if p.src[end] == '\\' {
				end++
			}
		}
		end = min(end+1, len(p.src))
	} else {
		for end < len(p.src) && !isSpace(p.src[end]) && !bytes.ContainsRune([]byte(",:[]{}/\""), rune(p.src[end])) {
			end++
		}
	}
	if !json.Valid(p.src[start:end]) {
		return p.fail("not a JSON value")
	}
	p.at = end
	return nil
}
