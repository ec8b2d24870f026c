package sqlite_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// filled returns a store of these sessions, which have a log unless it is said otherwise.
func filled(t testing.TB, sessions ...*collector.Session) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	commit(t, db, sqlite.Batch{}, sessions...)
	return db
}

func commit(t testing.TB, db *sqlite.DB, b sqlite.Batch, sessions ...*collector.Session) {
	t.Helper()
	for _, s := range sessions {
		b.Sessions = append(b.Sessions, sqlite.SessionChange{Session: s, Stream: "acme/log/x", Cursor: []byte{}})
	}
	if _, err := db.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
}

func row(id collector.SessionID, lastAt int64) *collector.Session {
	return &collector.Session{
		ID: id, Agent: id.Agent(), Path: "/log", LastAt: lastAt, StartedAt: lastAt - 10, Title: "title of " + string(id), Totals: collector.ZeroTotals(),
		State: collector.SessionEnded,
	}
}

func TestLabels(t *testing.T) {
	db := filled(t, row("acme:a", 1), row("acme:b", 2))
	add := func(id collector.SessionID, label string) ([]string, error) {
		return db.AddLabel(t.Context(), id, label)
	}
	remove := func(id collector.SessionID, label string) ([]string, error) {
		return db.RemoveLabel(t.Context(), id, label)
	}
	steps := []struct {
		name  string
		do    func(collector.SessionID, string) ([]string, error)
		id    collector.SessionID
		label string
		want  []string
		code  collector.Code
	}{
		{name: "first", do: add, id: "acme:a", label: "new prompt", want: []string{"new prompt"}},
		{name: "trimmed, and there already", do: add, id: "acme:a", label: "  new prompt\t", want: []string{"new prompt"}},
		{name: "a second, in order", do: add, id: "acme:a", label: "baseline", want: []string{"baseline", "new prompt"}},
		{name: "of another session", do: add, id: "b", label: "baseline", want: []string{"baseline"}},
		{name: "64 characters", do: add, id: "acme:b", label: strings.Repeat("ü", 64), want: []string{"baseline", strings.Repeat("ü", 64)}},
		{name: "65 characters", do: add, id: "acme:b", label: strings.Repeat("ü", 65), code: collector.CodeInvalid},
		{name: "nothing", do: add, id: "acme:b", label: "  ", code: collector.CodeInvalid},
		{name: "a comma", do: add, id: "acme:b", label: "a,b", code: collector.CodeInvalid},
		{name: "a control character", do: add, id: "acme:b", label: "a\x00b", code: collector.CodeInvalid},
		{name: "no such session", do: add, id: "acme:c", label: "x", code: collector.CodeNotFound},
		{name: "removed", do: remove, id: "acme:a", label: "new prompt", want: []string{"baseline"}},
		{name: "removed twice", do: remove, id: "acme:a", label: "new prompt", code: collector.CodeNotFound},
	}
	for _, s := range steps {
		got, err := s.do(s.id, s.label)
		if s.code != "" {
			if collector.ErrorCode(err) != s.code {
				t.Errorf("%s: got %v, want code %s", s.name, err, s.code)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if diff := cmp.Diff(s.want, got); diff != "" {
			t.Errorf("%s: %s", s.name, diff)
		}
	}
	all, err := db.AllLabels(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]collector.LabelCount{{Label: "baseline", Sessions: 2}, {Label: strings.Repeat("ü", 64), Sessions: 1}}, all); diff != "" {
		t.Error(diff)
	}
}

// TestLabelsOutliveRows: a log that is read anew makes new rows, and the label stays.
func TestLabelsOutliveRows(t *testing.T) {
	db := filled(t, row("acme:a", 1))
	if _, err := db.AddLabel(t.Context(), "acme:a", "keep"); err != nil {
		t.Fatal(err)
	}
	commit(t, db, sqlite.Batch{Forget: []collector.SessionID{"acme:a"}}, row("acme:new", 5))
	if all, err := db.AllLabels(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("a session without rows has labels %v, %v", all, err)
	}
	commit(t, db, sqlite.Batch{}, row("acme:a", 9))
	s, err := db.Session(t.Context(), "acme:a")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"keep"}, s.Labels); diff != "" {
		t.Error(diff)
	}
	page, err := db.Sessions(t.Context(), collector.SessionQuery{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[collector.SessionID][]string{}
	for _, s := range page.Sessions {
		got[s.ID] = s.Labels
	}
	if diff := cmp.Diff(map[collector.SessionID][]string{"acme:a": {"keep"}, "acme:new": {}}, got); diff != "" {
		t.Error(diff)
	}
}
