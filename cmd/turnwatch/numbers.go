package main

import (
	"fmt"
	"strconv"
	"time"
)

// Flags of these types take what makes sense for them, be it on the command line, in the environment or in the file.

// interval is how often something is done: nothing is done without a pause.
type interval time.Duration

const shortestInterval = 10 * time.Millisecond

// UnmarshalText reads a duration such as 5s.
func (i *interval) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d < shortestInterval {
		return fmt.Errorf("%q: want a duration of %s or more, such as 5s", text, shortestInterval)
	}
	*i = interval(d)
	return nil
}

// String writes it as it is read.
func (i interval) String() string { return time.Duration(i).String() }

// port is where a program listens.
type port int

// UnmarshalText reads a port's number.
func (p *port) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil {
		return fmt.Errorf("%q is no port: want 0 to 65535", text)
	}
	*p = port(n)
	return nil
}

// tripCount is a number of round trips from which on something is said of a turn.
type tripCount int

// UnmarshalText reads a number of round trips.
func (t *tripCount) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of round trips: want 1 or more", text)
	}
	*t = tripCount(n)
	return nil
}
