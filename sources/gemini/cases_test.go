package gemini_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/fold"
	"github.com/turnwatch/turnwatch/sources/gemini"
	"github.com/turnwatch/turnwatch/sources/sourcetest"
)

// session is the log of a session with some prompts.
func session(id string, prompts ...int) string {
	lines := fmt.Sprintf(`{"sessionId":%q,"projectHash":"x","startTime":"2026-11-30T10:00:00.000Z","kind":"main"}`, id) + "\n"
	for _, n := range prompts {
		lines += prompt(n) + "\n"
	}
	return lines
}

func prompt(n int) string {
	return fmt.Sprintf(`{"id":"u%d","timestamp":"2026-11-30T10:00:0%[1]d.000Z","type":"user","content":[{"text":"prompt %[1]d"}]}`, n)
}

// chat is where a home's session of the id lies.
func chat(home, project, id string) string {
	return filepath.Join(home, ".gemini", "tmp", project, "chats", "session-2026-11-30T10-00-"+id[:8]+".jsonl")
}

// T22: a line counts once, when it is complete; a shorter file is another one, and is read from its start.
func TestGrowingAndReplacedLog(t *testing.T) {
	const id = "22222222-0000-4000-8000-000000000001"
	home := t.TempDir()
	src := gemini.New(sourcetest.Host(t, home))
	var cp collector.Checkpoint
	folds := sourcetest.Folds{}
	turns := func(content string) int {
		t.Helper()
		write(t, chat(home, "shop", id), content)
		for st, err := range src.Discover(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if st.Kind == collector.StreamLog {
				folds.Read(t, src, st, &cp)
			}
		}
		return len(folds["gemini:"+id].Turns())
	}
	whole := session(id, 1, 2)
	for _, step := range []struct{ bytes, turns int }{{len(whole) - 50, 1}, {len(whole), 2}, {len(whole), 2}} {
		if got := turns(whole[:step.bytes]); got != step.turns {
			t.Errorf("after %d bytes: %d turns, want %d", step.bytes, got, step.turns)
		}
	}
	write(t, chat(home, "shop", id), session(id, 3))
	for st := range src.Discover(t.Context()) {
		for _, err := range src.Read(t.Context(), st, &cp) {
			if st.Kind == collector.StreamLog && !errors.Is(err, collector.ErrReplaced) {
				t.Errorf("a shorter file: %v, want ErrReplaced", err)
			}
		}
	}
	cp, folds = collector.Checkpoint{Generation: 1}, map[collector.SessionID]*fold.Session{}
	if got := turns(session(id, 3)); got != 1 {
		t.Errorf("the new file has %d turns, want 1", got)
	}
}

// T23: what nobody knows yet is counted by its type, and disturbs nothing.
func TestUnknownRecords(t *testing.T) {
	src, got := gemini.New(collector.Host{}), []string{}
	for _, line := range []string{
		`{"id":"a","timestamp":"2026-11-30T10:00:00Z","type":"hologram","content":"x"}`, `{"$set":{"mood":"good","lastUpdated":"x"}}`,
		`{"$set":5}`, `{"something":"else"}`, `{"$set":{"summary":"a title"}}`,
	} {
		events, err := src.Decode(nil, collector.Stream{ID: "gemini/log/x", Kind: collector.StreamLog}, collector.Record{Data: []byte(line)})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if e.Kind == collector.EventUnknown {
				got = append(got, e.Name)
			}
		}
	}
	if diff := cmp.Diff([]string{"message hologram", "$set.mood", "$set", "line without a type"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// T24: the folder is what .project_root says, whatever the directory is called, and unknown without it.
func TestProjectsFolder(t *testing.T) {
	for root, want := range map[string]string{
		`D:\Code\n8n - KIT`: `D:\Code\n8n - KIT`, "/home/dev/a b/ü\n": "/home/dev/a b/ü", "": "", "not a path": "", "/a\n/b": "",
	} {
		const id = "24242424-0000-4000-8000-000000000001"
		home := t.TempDir()
		write(t, chat(home, "n8n-kit", id), session(id, 1))
		if root != "" {
			write(t, filepath.Join(home, ".gemini", "tmp", "n8n-kit", ".project_root"), root)
		}
		s := sessions(t, gemini.New(sourcetest.Host(t, home)))["gemini:"+id]
		if got := s.Row().Cwd; got != want {
			t.Errorf(".project_root %q: %q, want %q", root, got, want)
		}
	}
}

// T29: equal commands with equal output are a loop, though process numbers differ; an edit in between ends it.
func TestLoops(t *testing.T) {
	call := func(n int, name, args, output string) string {
		return fmt.Sprintf(`{"id":"g%d","timestamp":"2026-11-30T10:01:%02[1]d.000Z","type":"gemini","content":"","thoughts":[],`+
			`"tokens":{"input":10,"output":1,"cached":0,"thoughts":0,"tool":0,"total":11},"model":"m","toolCalls":[{"id":"c%[1]d","name":"%s","args":%s,`+
			`"result":[{"functionResponse":{"id":"c%[1]d","name":"x","response":{"output":"%s"}}}],"status":"success","timestamp":"2026-11-30T10:01:%02[1]d.500Z"}]}`,
			n, name, args, output)
	}
	test := func(n int) string {
		return call(n, "run_shell_command", `{"command":"make test","description":"run `+fmt.Sprint(n)+`"}`,
			fmt.Sprintf(`<untrusted_context>\nOutput: boom\nExit Code: 2\nProcess Group PGID: %d\n</untrusted_context>`, 4000+n))
	}
	edit := func(n int) string {
		return call(n, "replace", fmt.Sprintf(`{"file_path":"/a.go","old_string":"%d","new_string":"x"}`, n), "done")
	}
	first := prompt(1)
	for name, c := range map[string]struct {
		lines []string
		loop  bool
	}{
		"back to back":     {[]string{first, test(1), test(2), test(3), test(4)}, true},
		"edits in between": {[]string{first, test(1), edit(2), test(3), edit(4), test(5), edit(6)}, false},
	} {
		loop := false
		for _, f := range log(t, c.lines...).Turns()[0].Flags {
			loop = loop || f.Kind == "loop"
		}
		if loop != c.loop {
			t.Errorf("%s: loop %v, want %v", name, loop, c.loop)
		}
	}
}

// T34: homes that the environment lists and the default one; a session that lies in two counts once, as its longest copy.
func TestHomes(t *testing.T) {
	home := t.TempDir()
	one, two := "34343434-0000-4000-8000-000000000001", "34343435-0000-4000-8000-000000000002"
	write(t, chat(home, "shop", one), session(one, 1))
	write(t, chat(filepath.Join(home, "other"), "shop", one), session(one, 1, 2))
	write(t, chat(filepath.Join(home, "other"), "else", two), session(two, 1))
	h := sourcetest.Host(t, home)
	h.Getenv = func(key string) string {
		if key == "GEMINI_CLI_HOME" {
			return filepath.Join(home, "other")
		}
		return ""
	}
	got := map[string]int{}
	for id, s := range sessions(t, gemini.New(h)) {
		got[id.Own()] = len(s.Turns())
	}
	if diff := cmp.Diff(map[string]int{one: 2, two: 1}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestBeheaded: a log that the CLI deleted and goes on writing without its first line stays the session that it was.
func TestBeheaded(t *testing.T) {
	const id = "36363636-0000-4000-8000-000000000001"
	home := t.TempDir()
	src := gemini.New(sourcetest.Host(t, home))
	write(t, chat(home, "shop", id), session(id))
	if all := sessions(t, src); len(all) != 0 {
		t.Errorf("%d sessions without a prompt", len(all))
	}
	if err := os.Remove(chat(home, "shop", id)); err != nil {
		t.Fatal(err)
	}
	if all := sessions(t, src); len(all) != 0 {
		t.Errorf("%d sessions without a file", len(all))
	}
	write(t, chat(home, "shop", id), prompt(1)+"\n")
	for own, src := range map[string]*gemini.Source{id: src, id[:8]: gemini.New(sourcetest.Host(t, home))} {
		all := sessions(t, src)
		if s := all["gemini:"+collector.SessionID(own)]; len(all) != 1 || s == nil || len(s.Turns()) != 1 {
			t.Errorf("want session %s with a turn, got %d sessions", own, len(all))
		}
	}
}

// TestMigrated: a document that a resume turned into a log of lines counts once, as the log has it.
func TestMigrated(t *testing.T) {
	const id = "35353535-0000-4000-8000-000000000001"
	home := t.TempDir()
	write(t, chat(home, "shop", id), session(id, 1, 2))
	document := strings.TrimSuffix(chat(home, "shop", id), "l")
	write(t, document, fmt.Sprintf(`{"sessionId":"%s","projectHash":"x","messages":[%s]}`, id, prompt(1)))
	all := sessions(t, gemini.New(sourcetest.Host(t, home)))
	if s := all["gemini:"+id]; len(all) != 1 || len(s.Turns()) != 2 {
		t.Errorf("%d sessions, %d turns", len(all), len(s.Turns()))
	}
	if err := os.Remove(chat(home, "shop", id)); err != nil {
		t.Fatal(err)
	}
	if s := sessions(t, gemini.New(sourcetest.Host(t, home)))["gemini:"+id]; len(s.Turns()) != 1 {
		t.Errorf("the document alone has %d turns", len(s.Turns()))
	}
}

// TestFirstLine: the id is where the first line has it; a line that does not say it is no reason to pass a log over.
func TestFirstLine(t *testing.T) {
	const id = "37373737-0000-4000-8000-000000000001"
	head, rest, _ := strings.Cut(session(id, 1), "\n")
	for name, c := range map[string]struct{ head, own string }{
		"byte order mark": {"\ufeff" + head, id},
		"zeros":           {"\x00\x00\x00" + head, id},
		"other order":     {`{"kind":"main","startTime":"x","sessionId":"` + id + `","projectHash":"x"}`, id},
		"no id":           {`{"kind":"main","projectHash":"x"}`, id[:8]},
		"garbage":         {"\xff\xfe{[", id[:8]},
	} {
		home := t.TempDir()
		write(t, chat(home, "shop", id), c.head+"\n"+rest)
		all := sessions(t, gemini.New(sourcetest.Host(t, home)))
		if s := all["gemini:"+collector.SessionID(c.own)]; len(all) != 1 || s == nil || len(s.Turns()) != 1 {
			t.Errorf("%s: %d sessions, want %s with a turn", name, len(all), c.own)
		}
	}
	home := t.TempDir()
	write(t, chat(home, "shop", id), head[:20])
	if all := sessions(t, gemini.New(sourcetest.Host(t, home))); len(all) != 0 {
		t.Errorf("a torn first line made %d sessions", len(all))
	}
}
