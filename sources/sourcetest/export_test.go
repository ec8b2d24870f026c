package sourcetest

import "fmt"

// Check runs the check called name on a case, for testing that it finds what it is for.
func Check(newSource Factory, dir, tmp, name string) error {
	s, err := open(newSource, dir, tmp)
	if err != nil {
		return err
	}
	for _, c := range checks {
		if c.name == name {
			return c.run(s)
		}
	}
	return fmt.Errorf("no check %q", name)
}

// CheckNames returns the names of all checks.
func CheckNames() []string {
	var out []string
	for _, c := range checks {
		out = append(out, c.name)
	}
	return out
}
