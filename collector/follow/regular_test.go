package follow_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/turnwatch/turnwatch/collector/follow"
)

// TestReadFile: a file is read, of what has no end the beginning; a pipe that nobody writes is not waited for.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file, pipe, large := filepath.Join(dir, "file"), filepath.Join(dir, "pipe"), filepath.Join(dir, "large")
	if err := os.WriteFile(file, []byte("what stands there"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := follow.ReadFile(file); err != nil || string(got) != "what stands there" {
		t.Errorf("%q, %v", got, err)
	}
	if f, err := os.Create(large); err != nil || f.Truncate(1<<30) != nil || f.Close() != nil {
		t.Fatal("no large file")
	}
	if got, err := follow.ReadFile(large); err != nil || len(got) > 64<<20 || len(got) == 0 {
		t.Errorf("of a large file %d bytes, %v", len(got), err)
	}
	if err := exec.CommandContext(t.Context(), "mkfifo", pipe).Run(); err != nil {
		t.Skip("no pipe: ", err)
	}
	for _, path := range []string{pipe, filepath.Join(dir, "nothing")} {
		if got, err := follow.ReadFile(path); err == nil {
			t.Errorf("%s: read %q", path, got)
		}
	}
}
