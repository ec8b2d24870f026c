package sqlite_test

import (
	"database/sql"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// TestReadForeignWhileAgentsEnd reads on and on while agents come and go. The last connection to a database removes its
// write-ahead log: none may come back that nobody would ever remove.
func TestReadForeignWhileAgentsEnd(t *testing.T) {
	path, agent := foreignDB(t)
	if err := agent.Close(); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("TURNWATCH_FOREIGN_DB") != "" {
		readUntilClosed(t, os.Getenv("TURNWATCH_FOREIGN_DB"))
		return
	}
	reader := exec.Command(os.Args[0], "-test.run=^TestReadForeignWhileAgentsEnd$")
	reader.Env = append(os.Environ(), "TURNWATCH_FOREIGN_DB="+path)
	var said strings.Builder
	reader.Stdout = &said
	stop, err := reader.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Start(); err != nil {
		t.Fatal(err)
	}
	empty := 0
	for range 300 {
		agent, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)+"?_pragma=busy_timeout(5000)")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := agent.Exec("INSERT INTO t (name) VALUES ('more')"); err != nil {
			t.Error(err)
		}
		if err := agent.Close(); err != nil {
			t.Error(err)
		}
		if fi, err := os.Stat(path + "-wal"); err == nil && fi.Size() == 0 {
			empty++
		}
	}
	if err := stop.Close(); err != nil {
		t.Error(err)
	}
	if err := reader.Wait(); err != nil {
		t.Errorf("reader: %v\n%s", err, said.String())
	}
	if empty > 0 {
		t.Errorf("an empty write-ahead log was beside the database after %d of 300 agents", empty)
	}
}

// readUntilClosed reads until standard input ends.
func readUntilClosed(t *testing.T, path string) {
	over := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, os.Stdin)
		over <- err
	}()
	for {
		select {
		case err := <-over:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
		for _, err := range sqlite.ReadForeign(t.Context(), path, selectForeign) {
			if err != nil && !strings.Contains(err.Error(), "locked") {
				t.Error(err)
			}
		}
	}
}
