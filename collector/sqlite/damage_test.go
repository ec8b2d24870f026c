package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/collector/sqlite"
)

// sqliteError is an error with a result code, as the driver gives them.
type sqliteError int

func (e sqliteError) Error() string { return fmt.Sprintf("sqlite says %d", int(e)) }
func (e sqliteError) Code() int     { return int(e) }

func TestRemedy(t *testing.T) {
	tests := map[string]struct {
		err     error
		says    string
		damaged bool
	}{
		"full":                     {sqliteError(13), "full", false},
		"full, an extended code":   {fmt.Errorf("commit: %w", sqliteError(13|1<<8)), "full", false},
		"full, of a file beside":   {&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, "full", false},
		"quota":                    {&fs.PathError{Op: "write", Path: "x", Err: syscall.EDQUOT}, "full", false},
		"read-only":                {sqliteError(8), "read-only", false},
		"a read-only file system":  {&fs.PathError{Op: "open", Path: "x", Err: syscall.EROFS}, "read-only", false},
		"not permitted":            {&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, "read-only", false},
		"the disk fails":           {sqliteError(10 | 3<<8), "failing", false},
		"the directory is gone":    {sqliteError(14), "directory is gone", false},
		"damaged":                  {sqliteError(11), "made anew", true},
		"no database":              {sqliteError(26), "made anew", true},
		"damaged, says another":    {fmt.Errorf("row: %w", collector.ErrDamaged), "tried again", true},
		"somebody else has it":     {sqliteError(5), "tried again", false},
		"something else":           {errors.New("something else"), "tried again", false},
		"damaged, behind a cancel": {errors.Join(errors.New("begin"), sqliteError(11)), "made anew", true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := sqlite.Remedy(test.err); !strings.Contains(got, test.says) {
				t.Errorf("remedy %q, want %q in it", got, test.says)
			}
			if got := sqlite.Damaged(test.err); got != test.damaged {
				t.Errorf("damaged: %t, want %t", got, test.damaged)
			}
		})
	}
	if sqlite.Damaged(nil) {
		t.Error("no error is damage")
	}
}

// TestLabelsThatCannotBeWritten: whoever gives a label learns what keeps it from being stored, and nothing is stored.
func TestLabelsThatCannotBeWritten(t *testing.T) {
	data := t.TempDir()
	db, err := sqlite.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	commit(t, db, sqlite.Batch{}, row("acme:a", 1))
	if err := os.Mkdir(filepath.Join(data, "labels.json.new"), 0o700); err != nil { // where their copy is written first
		t.Fatal(err)
	}
	if _, err := db.AddLabel(t.Context(), "acme:a", "x"); collector.ErrorCode(err) != collector.CodeUnavailable || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("got %v", err)
	}
	if labels, err := db.Labels(t.Context(), "acme:a"); err != nil || len(labels) != 0 {
		t.Errorf("labels %q, %v", labels, err)
	}
}
