package shortid_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/shortid"
	"github.com/turnwatch/turnwatch/collector"
)

var ids = shortid.Ids{
	"acme:7f3c21aa-1111", "acme:7f3c21aa-1111~agent-a", "acme:7f3c21aa-1111~agent-b", "acme:7f3c99bb-2222",
	"brand:7f3c21aa-3333", "brand:twin", "acme:twin", "brand:twin-two", "acme:größe-eins", "acme:größe-zwei",
}

func TestFind(t *testing.T) {
	f := func(written string, want ...collector.SessionID) {
		t.Helper()
		if diff := cmp.Diff(ids.Find(written), want); diff != "" {
			t.Errorf("%q (got -, want +):\n%s", written, diff)
		}
	}
	f("acme:7f3c99bb-2222", "acme:7f3c99bb-2222")
	f("7f3c9", "acme:7f3c99bb-2222")
	f("acme:7f3c9", "acme:7f3c99bb-2222")
	f("acme:7f3c2", "acme:7f3c21aa-1111") // its children's ids begin alike
	f("7f3c21aa-1", "acme:7f3c21aa-1111")
	f("7f3c2", "acme:7f3c21aa-1111", "brand:7f3c21aa-3333")
	f("brand:7f3c2", "brand:7f3c21aa-3333")
	f("agent-a", "acme:7f3c21aa-1111~agent-a")
	f("7f3c21aa-1111~agent-b", "acme:7f3c21aa-1111~agent-b")
	f("acme:7f3c21aa-1111~agent-b", "acme:7f3c21aa-1111~agent-b")
	f("agent", "acme:7f3c21aa-1111~agent-a", "acme:7f3c21aa-1111~agent-b")
	f("twin", "brand:twin", "acme:twin") // an own id goes before a beginning
	f("brand:twin", "brand:twin")
	f("twin-", "brand:twin-two")
	f("nobody")
	f("")
	f("other:7f3c")
}

// TestShorten: what is shown is found again, and is as short as it can be.
func TestShorten(t *testing.T) {
	short := ids.Shorten()
	for _, id := range ids {
		s := short(id)
		if diff := cmp.Diff(ids.Find(s), []collector.SessionID{id}); diff != "" {
			t.Errorf("%s is shown as %q, which finds (got -, want +):\n%s", id, s, diff)
		}
	}
	for id, want := range map[collector.SessionID]string{
		"acme:7f3c99bb-2222": "7f3c99bb", "acme:7f3c21aa-1111": "7f3c21aa-1", "acme:7f3c21aa-1111~agent-a": "agent-a", "brand:twin": "brand:twin",
		"brand:twin-two": "twin-two", "acme:größe-eins": "größe-e",
	} {
		if got := short(id); got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
}

func TestNear(t *testing.T) {
	f := func(written string, want ...collector.SessionID) {
		t.Helper()
		if diff := cmp.Diff(ids.Near(written, 2), want); diff != "" {
			t.Errorf("%q (got -, want +):\n%s", written, diff)
		}
	}
	f("7f3d99bb", "acme:7f3c99bb-2222")
	f("acme:f73c99bb", "acme:7f3c99bb-2222")
	f("nothing like it", ids[0], ids[1]) // the newest
	f("", ids[0], ids[1])
	if got := (shortid.Ids{}).Near("x", 3); len(got) != 0 {
		t.Errorf("of none: %v", got)
	}
}

func TestDistance(t *testing.T) {
	f := func(a, b string, want int) {
		t.Helper()
		if got := shortid.Distance(a, b); got != want {
			t.Errorf("%q, %q: got %d, want %d", a, b, got, want)
		}
	}
	f("", "", 0)
	f("port", "port", 0)
	f("prot", "port", 1)
	f("por", "port", 1)
	f("ports", "port", 1)
	f("part", "port", 1)
	f("host", "port", 2)
	f("", "port", 4)
	f(strings.Repeat("a", 9), strings.Repeat("b", 9), 9)
}
