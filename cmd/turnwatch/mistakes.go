package main

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/settings"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/shortid"
)

// mistake is something that the parser refuses, in its words and in ours: those name what was written and what is wanted.
type mistake struct {
	theirs *regexp.Regexp
	ours   func(found []string, c *kong.Context) string
}

var mistakes = []mistake{
	{regexp.MustCompile(`^unexpected argument (.*?)(?:, did you mean .*)?$`), unexpected},
	{regexp.MustCompile(`^unknown flag (--?)([^,]+)(?:, did you mean ("--[^"]+")\?)?`), func(m []string, c *kong.Context) string {
		if m[1] == "--" && m[3] != "" {
			return fmt.Sprintf("there is no flag --%s; did you mean %s?", m[2], m[3])
		}
		return fmt.Sprintf("there is no flag %s%s; %s --help lists them", m[1], m[2], pathOf(c))
	}},
	{regexp.MustCompile(`^expected "(<.*>)"$`), func(m []string, c *kong.Context) string {
		return fmt.Sprintf("%s wants %s; %s --help says more", commandOf(c), m[1], pathOf(c))
	}},
	{regexp.MustCompile(`^(\S+): expected \w+ value but got "EOL"`), func(m []string, c *kong.Context) string {
		return fmt.Sprintf("%s wants a value; %s --help says more", m[1], pathOf(c))
	}},
	{regexp.MustCompile(`^(\S+): expected \w+ value but got "(.*)" \(.*\); perhaps try (.*)\?$`), func(m []string, _ *kong.Context) string {
		return fmt.Sprintf("%s: %q looks like a flag; if you mean it, write %s", m[1], m[2], m[3])
	}},
	{regexp.MustCompile(`^(\S+) must be one of (.*) but got "(.*)"$`), func(m []string, _ *kong.Context) string {
		return m[1] + " " + settings.NoneOf(m[3], strings.Split(strings.ReplaceAll(m[2], `"`, ""), ","))
	}},
}

// inPlainWords says what is wrong with a command line.
func inPlainWords(err error) error {
	var at *kong.ParseError
	if !errors.As(err, &at) {
		return err
	}
	for _, m := range mistakes {
		if found := m.theirs.FindStringSubmatch(err.Error()); found != nil {
			return errors.New(m.ours(found, at.Context))
		}
	}
	return err
}

// unexpected is about a word that nobody takes: if no command was named, it was meant to be one.
func unexpected(m []string, c *kong.Context) string {
	word := m[1]
	if typed(c) != nil {
		return fmt.Sprintf("%s takes no %q; %s --help says what it takes", commandOf(c), word, pathOf(c))
	}
	var near []string
	for _, n := range c.Model.Children {
		if !n.Hidden && shortid.Distance(word, n.Name) <= 1+len(n.Name)/4 {
			near = append(near, strconv.Quote(n.Name))
		}
	}
	if len(near) > 0 {
		return fmt.Sprintf("there is no command %q; did you mean %s?", word, strings.Join(near, " or "))
	}
	return fmt.Sprintf("there is no command %q; %s --help lists them", word, c.Model.Name)
}

// typed is the command that was named; nil = none was, and the default one is meant.
func typed(c *kong.Context) *kong.Node {
	n := c.Selected()
	if n == nil || !slices.ContainsFunc(c.Args, func(arg string) bool { return arg == n.Name || slices.Contains(n.Aliases, arg) }) {
		return nil
	}
	return n
}

// pathOf is how the command is typed that the command line is of.
func pathOf(c *kong.Context) string {
	path := c.Model.Name
	for _, n := range c.Path {
		if n.Command != nil && typed(c) != nil {
			path += " " + n.Command.Name
		}
	}
	return path
}

// commandOf names that command.
func commandOf(c *kong.Context) string {
	if n := typed(c); n != nil {
		return n.Name
	}
	return c.Model.Name
}

// wholeNumber reads a number as the parser does, but names no type of Go when it is none.
func wholeNumber(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("number")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(fmt.Sprint(token.Value))
	if err != nil {
		return fmt.Errorf("%q is no whole number", fmt.Sprint(token.Value))
	}
	target.SetInt(int64(n))
	return nil
}
