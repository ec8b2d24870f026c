package pricing

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// match tells whether a name is meant. Exactly one of its forms is set; all ignore case.
type match struct {
	or, and []*match
	not     *match
	equals  string
	starts  string
	ends    string
	holds   string
	regex   *regexp.Regexp
}

// UnmarshalJSON reads one of {"or": […]}, {"and": […]}, {"not": …}, {"equals": s}, {"starts_with": s}, {"ends_with": s},
// {"contains": s} and {"regex": s}.
func (m *match) UnmarshalJSON(data []byte) error {
	var v struct {
		Or, And                 []*match
		Not                     *match
		Equals, Contains, Regex string
		StartsWith              string `json:"starts_with"`
		EndsWith                string `json:"ends_with"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	lower := strings.ToLower
	*m = match{or: v.Or, and: v.And, not: v.Not, equals: lower(v.Equals), starts: lower(v.StartsWith), ends: lower(v.EndsWith), holds: lower(v.Contains)}
	if v.Regex != "" {
		re, err := regexp.Compile("(?i)" + v.Regex)
		if err != nil {
			return err
		}
		m.regex = re
	}
	forms := 0
	for _, set := range []bool{m.or != nil, m.and != nil, m.not != nil, m.equals != "", m.starts != "", m.ends != "", m.holds != "", m.regex != nil} {
		if set {
			forms++
		}
	}
	if forms != 1 {
		return fmt.Errorf("match %s: want exactly one of or, and, not, equals, starts_with, ends_with, contains, regex", data)
	}
	return nil
}

// ok reports whether name, in lower case, is meant.
func (m *match) ok(name string) bool {
	switch {
	case m.or != nil:
		for _, alternative := range m.or {
			if alternative.ok(name) {
				return true
			}
		}
		return false
	case m.and != nil:
		for _, part := range m.and {
			if !part.ok(name) {
				return false
			}
		}
		return true
	case m.not != nil:
		return !m.not.ok(name)
	case m.equals != "":
		return name == m.equals
	case m.starts != "":
		return strings.HasPrefix(name, m.starts)
	case m.ends != "":
		return strings.HasSuffix(name, m.ends)
	case m.holds != "":
		return strings.Contains(name, m.holds)
	}
	return m.regex.MatchString(name)
}

// rate is a price in USD per million tokens. Beyond a tier's start, counted in tokens of context, every token costs the
// tier's price.
type rate struct {
	base  float64
	tiers []tier // ascending
}

type tier struct {
	Start int64   `json:"start"`
	Price float64 `json:"price"`
}

// UnmarshalJSON reads a number, or {"base": n, "tiers": [{"start": n, "price": n}]}.
func (r *rate) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return json.Unmarshal(data, &r.base)
	}
	var v struct {
		Base  float64
		Tiers []tier
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*r = rate{v.Base, v.Tiers}
	return nil
}

func (r *rate) at(context int64) float64 {
	price := r.base
	for _, t := range r.tiers {
		if context > t.Start {
			price = t.Price
		}
	}
	return price
}
