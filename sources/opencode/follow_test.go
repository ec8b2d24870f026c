package opencode_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/sources/opencode"
)

const (
	toolsSession = "ses_dd240bf4bffeCUCyM7X1roV7ur"
	lastMessage  = "msg_22dc02f79001Fi1VAccArN5xF3" // the 16th
)

// changePart writes a part as the program does: the row, and an event that says so unless it writes none.
func changePart(t testing.TB, db *sql.DB, event bool, message, id, data string) {
	t.Helper()
	exec(t, db, `INSERT INTO part VALUES (?, ?, ?, 1796069000000, 1796069000000, ?)
		ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = time_updated + 5000`, id, message, toolsSession, data)
	if event {
		tell(t, db, "message.part.updated.1", fmt.Sprintf(`{"sessionID":%q,"part":{"id":%q,"messageID":%q}}`, toolsSession, id, message))
	}
}

func tell(t testing.TB, db *sql.DB, kind, data string) {
	t.Helper()
	exec(t, db, `INSERT INTO event SELECT 'evt_f' || printf('%08d', n), ?, n, ?, ? FROM (SELECT coalesce(max(seq), 0) + 1 AS n FROM event)`, toolsSession, kind, data)
}

func addMessage(t testing.TB, db *sql.DB, event bool, id, data string) {
	t.Helper()
	exec(t, db, `INSERT INTO message VALUES (?, ?, 1796069000000, 1796069000000, ?)`, id, toolsSession, data)
	if event {
		tell(t, db, "message.updated.1", fmt.Sprintf(`{"sessionID":%q,"info":{"id":%q,"role":"user"}}`, toolsSession, id))
	}
}

const (
	asked    = `{"role":"user","time":{"created":1796069000000}}`
	answered = `{"role":"assistant","parentID":"msg_22dd00000001new","modelID":"m","time":{"created":1796069000001}}`
	prompt   = `{"type":"text","text":"one more"}`
	running  = `{"type":"tool","tool":"bash","callID":"c","state":{"status":"running","input":{"command":"make"},"time":{"start":1796069000002}}}`
	ended    = `{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"make"},"output":"made","metadata":{"exit":0},"time":{"start":1796069000002,"end":1796069000502}}}`
)

// TestFollow: a state that changes in place is seen each time, with the event log and without it, and nothing is read
// that did not change.
func TestFollow(t *testing.T) {
	for _, event := range []bool{true, false} {
		t.Run(fmt.Sprintf("events=%v", event), func(t *testing.T) {
			dir, db := home(t, "tools")
			if !event {
				exec(t, db, "DROP TABLE event")
			}
			src := opencode.New(host(t, dir))
			var cp collector.Checkpoint
			readOn(t, src, stream(t, src), &cp)
			if !cp.Unchanged(stream(t, src)) {
				t.Error("the database seems changed")
			}
			step := func(want ...string) []collector.Event {
				t.Helper()
				st := stream(t, src)
				if cp.Unchanged(st) {
					t.Error("the database seems unchanged, though its write-ahead log grew")
				}
				places, events := readOn(t, src, st, &cp)
				if !slices.Equal(places, want) {
					t.Errorf("read %q, want %q", places, want)
				}
				return events
			}
			addMessage(t, db, event, "msg_22dd00000001new", asked)
			if n := count(step("17"), collector.EventPrompt); n != 0 {
				t.Errorf("%d prompts of a message without parts", n)
			}
			changePart(t, db, event, "msg_22dd00000001new", "prt_22dd00000001a", prompt)
			if n := count(step("17"), collector.EventPrompt); n != 1 {
				t.Errorf("%d prompts, want 1", n)
			}
			addMessage(t, db, event, "msg_22dd00000002new", answered)
			changePart(t, db, event, "msg_22dd00000002new", "prt_22dd00000002a", running)
			places, events := readOn(t, src, stream(t, src), &cp)
			if n := count(events, collector.EventCall); places[len(places)-1] != "18" || n != 1 || count(events, collector.EventResult) != 0 {
				t.Errorf("read %q, %d calls, want the running one of 18", places, n)
			}
			changePart(t, db, event, "msg_22dd00000002new", "prt_22dd00000002a", ended)
			if n := count(step("18"), collector.EventResult); n != 1 {
				t.Errorf("%d results, want 1", n)
			}
			exec(t, db, "UPDATE session SET title = 'Named', time_updated = 1796069900000")
			if event {
				tell(t, db, "session.updated.1", `{"sessionID":"`+toolsSession+`","info":{"id":"`+toolsSession+`"}}`)
			}
			if all := step("0"); len(all) != 1 || all[0].Facts.Title != "Named" {
				t.Errorf("events of a new title: %+v", all)
			}
		})
	}
}

// TestEventsPruned: where the event log was cut off or is another one, times of change tell what events do not.
func TestEventsPruned(t *testing.T) {
	dir, db := home(t, "tools")
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	readOn(t, src, stream(t, src), &cp)
	changePart(t, db, true, lastMessage, "prt_22dd00000003a", `{"type":"text","text":"late"}`)
	exec(t, db, "DELETE FROM event")
	tell(t, db, "session.updated.1", `{}`)
	places, _ := readOn(t, src, stream(t, src), &cp)
	if !slices.Contains(places, "16") {
		t.Errorf("read %q, want the changed message 16 too", places)
	}
	changePart(t, db, true, lastMessage, "prt_22dd00000003a", `{"type":"text","text":"later"}`)
	if places, _ := readOn(t, src, stream(t, src), &cp); !slices.Equal(places, []string{"16"}) {
		t.Errorf("read %q by the new event log, want 16", places)
	}
}

// TestTimeInTheFuture: a row of a time that has not come does not hide what changes later.
func TestTimeInTheFuture(t *testing.T) {
	dir, db := home(t, "tools")
	exec(t, db, "DROP TABLE event")
	exec(t, db, "UPDATE message SET time_updated = 99999999999999 WHERE rowid = 2")
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	readOn(t, src, stream(t, src), &cp)
	changePart(t, db, false, lastMessage, "prt_22dd00000003a", `{"type":"text","text":"late"}`)
	if places, _ := readOn(t, src, stream(t, src), &cp); !slices.Contains(places, "16") {
		t.Errorf("read %q, want the changed message 16 too", places)
	}
}

// TestTakenBack: messages that were taken back are gone, and their rows are given anew.
func TestTakenBack(t *testing.T) {
	dir, db := home(t, "tools")
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	readOn(t, src, stream(t, src), &cp)
	exec(t, db, "DELETE FROM message WHERE rowid > 14")
	addMessage(t, db, false, "msg_22dd00000001new", asked)
	exec(t, db, `INSERT INTO part VALUES ('prt_22dd00000001a', 'msg_22dd00000001new', ?, 1796069000000, 1796069000000, ?)`, toolsSession, prompt)
	_, events := readOn(t, src, stream(t, src), &cp)
	if !slices.ContainsFunc(events, func(ev collector.Event) bool { return ev.Text.Preview == "one more" }) {
		t.Error("the prompt after it was not read")
	}
	if cp.Offset != 16 {
		t.Errorf("the next row is %d, want 16", cp.Offset)
	}
}

// TestRenumbered: when the file was compacted, rows have other numbers, and everything is read anew.
func TestRenumbered(t *testing.T) {
	dir, db := home(t, "tools")
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	readOn(t, src, stream(t, src), &cp)
	exec(t, db, "UPDATE message SET rowid = rowid + 100")
	before := cp
	var got []error
	for _, err := range src.Read(t.Context(), stream(t, src), &cp) {
		got = append(got, err)
	}
	if len(got) != 1 || !errors.Is(got[0], collector.ErrReplaced) || cp != before {
		t.Errorf("%v, want ErrReplaced alone, and the checkpoint as it was", got)
	}
}

// TestStopped: a caller that stops after every record gets all of what changed in the end, and no record twice.
func TestStopped(t *testing.T) {
	dir, db := home(t, "tools")
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	one := func() string {
		for r, err := range src.Read(t.Context(), stream(t, src), &cp) {
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprint(r.Offset)
		}
		return ""
	}
	for i := range 16 {
		if got := one(); got != fmt.Sprint(i+1) {
			t.Errorf("record %d is %s", i+1, got)
		}
	}
	if got := one(); got != "" {
		t.Errorf("then %s", got)
	}
	for _, id := range []string{"msg_22dbf7a10001TKQoU4fxZzen6n", "msg_22dbf71a2001ZSnMYEmPu5Cd8w", "msg_22dbf7a10001TKQoU4fxZzen6n"} {
		changePart(t, db, true, id, "prt_"+id, `{"type":"snapshot"}`)
	}
	var got []string
	for at := one(); at != "" && len(got) < 9; at = one() {
		got = append(got, at)
	}
	if strings.Join(got, " ") != "3 4" {
		t.Errorf("changed: %q, want 3, then 4", got)
	}
}

// TestOldOutputDropped: that an old output is no longer given to the model says nothing about the call.
func TestOldOutputDropped(t *testing.T) {
	dir, db := home(t, "tools")
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	readOn(t, src, stream(t, src), &cp)
	tell(t, db, "message.part.updated.1", `{"part":{"messageID":"msg_22dbf7a10001TKQoU4fxZzen6n","state":{"time":{"compacted":1796069000000}}}}`)
	if places, _ := readOn(t, src, stream(t, src), &cp); len(places) != 0 {
		t.Errorf("read %q", places)
	}
}

// TestTooDeep: a part that is nested too deeply takes no other with it.
func TestTooDeep(t *testing.T) {
	dir, db := home(t, "killed")
	exec(t, db, `UPDATE part SET data = json_set(data, '$.state.input', json(?)) WHERE data ->> 'type' = 'tool'`, strings.Repeat(`{"a":`, 298)+"1"+strings.Repeat("}", 298))
	src := opencode.New(host(t, dir))
	var cp collector.Checkpoint
	_, events := readOn(t, src, stream(t, src), &cp)
	if count(events, collector.EventMalformed) != 1 || count(events, collector.EventRoundTripStart) != 1 {
		t.Errorf("%d malformed and %d responses, want 1 and 1", count(events, collector.EventMalformed), count(events, collector.EventRoundTripStart))
	}
}

// TestNoMessage: a record without a message, or with one that is no object, is malformed.
func TestNoMessage(t *testing.T) {
	dir, _ := home(t, "killed")
	src := opencode.New(host(t, dir))
	for _, data := range []string{`{"type":"message","session":{"id":"s"}}`, `{"type":"message","message":1,"session":{"id":"s"}}`, `{"type":"message","message":{"role":"user"}}`} {
		events, err := src.Decode(nil, stream(t, src), collector.Record{Data: []byte(data)})
		if err != nil || count(events, collector.EventMalformed) != 1 {
			t.Errorf("%s: %+v, %v", data, events, err)
		}
	}
}
