package sourcetest_test

import (
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

const basic = "testdata/toy/basic"

func newToy(home string) collector.Source { return &toy{home: home} }

func TestRun(t *testing.T) { sourcetest.Run(t, newToy, basic) }

func FuzzDecode(f *testing.F) { sourcetest.Fuzz(f, newToy, basic) }

// TestChecksFindFaults breaks the toy in one way after the other; the check that is there for it must say so.
func TestChecksFindFaults(t *testing.T) {
	found := map[string]bool{}
	for _, f := range faults {
		t.Run(f.check+"/"+f.fault, func(t *testing.T) {
			broken := func(home string) collector.Source {
				s := &toy{home: home}
				f.breakIt(s)
				return s
			}
			err := sourcetest.Check(broken, basic, t.TempDir(), f.check)
			if err == nil {
				t.Fatal("was not found")
			}
			t.Log(err)
		})
		found[f.check] = true
	}
	for _, name := range sourcetest.CheckNames() {
		if !found[name] && name != "restored in between" { // which tests package fold on what the source says

			t.Errorf("no fault for the check %q", name)
		}
	}
}
