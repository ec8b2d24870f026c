package main

import (
	"fmt"
	"time"
)

// interval is how often something is done. A flag of that type takes nothing that would be done without a pause.
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
